#include "linalg/inverse_cholesky.hpp"

#include <vector>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

namespace elmx {
namespace {

/// Computes X = U^-1 in place.   U: n x n, upper triangular; the strict lower triangle is not touched.
///
/// E = U X - I is small, of the size eps |U| |X|; LAPACK's xTRTRI makes X U - I small instead. So the V of
/// (42a), X'P = (I + E)' U^-T P, has the relative error E.
template <class T>
void invert_triangle(View<T> U) {
  const uword n = U.cols;
  if (n > kLeafColumns) {
    const uword k = bordered_columns(n);
    const View<T> U11 = U.block(0, 0, k, k), U12 = U.block(0, k, k, n - k), U22 = U.block(k, k, n - k, n - k);
    invert_triangle(U22);
    trmm_right(Op::none, U22, U12, T(-1));  // X_12 = -U_11^-1 (U_12 X_22)
    trsm(Op::none, U11, U12);
    invert_triangle(U11);
    return;
  }
  for (uword j = n; j-- > 0;) {  // U_11 x = -u_12 / u_22 with U_11 as it was
    T* x = &U(0, j);
    const T d = T(1) / x[j];
    for (uword i = 0; i < j; ++i) x[i] *= -d;
    for (uword i = j; i-- > 0;) {
      x[i] /= U(i, i);
      for (uword r = 0; r < i; ++r) x[r] -= U(r, i) * x[i];
    }
    x[j] = d;
  }
}

}  // namespace

template <class T>
Status inverse_cholesky_by_columns(View<T> S) {
  expects(S.rows == S.cols, "inverse_cholesky: S is n x n");
  const uword n = S.rows;
  std::vector<T> r(n);
  for (uword i = 0; i < n; ++i) {
    if (!is_pivot(S(i, i))) return Status::not_positive_definite;
    const T d = T(1) / std::sqrt(S(i, i));
    for (uword k = 0; k < i; ++k) S(k, i) *= d;            // f = d S_(1:i-1, i)
    for (uword j = i + 1; j < n; ++j) r[j] = d * S(i, j);  // d r
    // S -= (d f) r, S -= d^2 r' r, S_(i, i+1:n) = -d^2 r
    eliminate(S, i, r.data(), r.data(), d);
    S(i, i) = d;
  }
  return Status::ok;
}

template <class T>
Status extend_inverse_cholesky(View<T> S, uword k, InverseFactorisation<T> factorise) {
  expects(S.rows == S.cols && k <= S.cols, "extend_inverse_cholesky: S is n x n, k <= n");
  const uword q = S.cols - k;
  const View<T> F = S.block(0, 0, k, k), P = S.block(0, k, k, q), Q = S.block(k, k, q, q);
  trmm(Op::transpose, F, P);  // V = F'P
  syrk(T(-1), P, T(1), Q);    // Q - V'V
  if (const Status status = factorise(Q); status != Status::ok) return status;
  trmm_right(Op::none, Q, P);   // V G
  trmm(Op::none, F, P, T(-1));  // T = -F V G
  return Status::ok;
}

template <class T>
Status inverse_cholesky(View<T> S) {
  expects(S.rows == S.cols, "inverse_cholesky: S is n x n");
  if (S.cols <= kLeafColumns) return inverse_cholesky_by_columns(S);
  const uword k = bordered_columns(S.cols);
  if (const Status status = inverse_cholesky(S.block(0, 0, k, k)); status != Status::ok) return status;
  return extend_inverse_cholesky(S, k);
}

template <class T>
Status inverse_of_cholesky(View<T> S) {
  expects(S.rows == S.cols, "inverse_of_cholesky: S is n x n");
  if (const Status status = cholesky(S); status != Status::ok) return status;
  for (uword j = 0; j < S.cols; ++j) {
    if (!is_pivot(S(j, j) * S(j, j))) return Status::not_positive_definite;
  }
  invert_triangle(S);
  return Status::ok;
}

template Status inverse_cholesky(View<double>);
template Status inverse_cholesky(View<float>);
template Status inverse_of_cholesky(View<double>);
template Status inverse_of_cholesky(View<float>);
template Status extend_inverse_cholesky(View<double>, uword, InverseFactorisation<double>);
template Status extend_inverse_cholesky(View<float>, uword, InverseFactorisation<float>);
template Status inverse_cholesky_by_columns(View<double>);
template Status inverse_cholesky_by_columns(View<float>);

}  // namespace elmx
