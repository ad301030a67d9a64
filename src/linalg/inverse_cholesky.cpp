#include "linalg/inverse_cholesky.hpp"

#include <cmath>

#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kLeaf = 64;  // columns that stay in the first cache

}  // namespace

template <class T>
Status inverse_cholesky_by_columns(View<T> S) {
  expects(S.rows == S.cols, "inverse_cholesky: S is n x n");
  const uword n = S.rows;
  for (uword i = 0; i < n; ++i) {
    if (!(S(i, i) > T(0)) || !std::isfinite(S(i, i))) return Status::not_positive_definite;
    const T d = T(1) / std::sqrt(S(i, i));
    T* f = &S(0, i);  // f = d S_(1:i-1, i)
    for (uword r = 0; r < i; ++r) f[r] *= d;
    for (uword j = n; j-- > i + 1;) {  // the last column first: row i, which all of them need, is overwritten at once
      const T rho = d * S(i, j);
      for (uword r = 0; r < i; ++r) S(r, j) -= f[r] * rho;              // S_(1:i-1, j) -= (d f) r
      for (uword r = i + 1; r <= j; ++r) S(r, j) -= d * S(i, r) * rho;  // S_(i+1:j, j) -= d^2 r' r
      S(i, j) = -d * rho;                                               // S_ij = -d^2 r
    }
    S(i, i) = d;
  }
  return Status::ok;
}

template <class T>
Status extend_inverse_cholesky(View<T> S, uword k) {
  expects(S.rows == S.cols && k <= S.cols, "extend_inverse_cholesky: S is n x n, k <= n");
  const uword q = S.cols - k;
  const View<T> F = S.block(0, 0, k, k), P = S.block(0, k, k, q), Q = S.block(k, k, q, q);
  trmm(Op::transpose, F, P);  // V = F'P
  syrk(T(-1), P, T(1), Q);    // Q - V'V
  if (const Status status = inverse_cholesky(Q); status != Status::ok) return status;
  trmm_right(Op::none, Q, P);  // V G
  trmm(Op::none, F, P);
  for (uword j = 0; j < q; ++j) {
    for (uword i = 0; i < k; ++i) P(i, j) = -P(i, j);  // T = -F V G
  }
  return Status::ok;
}

template <class T>
Status inverse_cholesky(View<T> S) {
  expects(S.rows == S.cols, "inverse_cholesky: S is n x n");
  if (S.cols <= kLeaf) return inverse_cholesky_by_columns(S);
  const uword k = (S.cols / 2 + kLeaf - 1) / kLeaf * kLeaf;
  if (const Status status = inverse_cholesky(S.block(0, 0, k, k)); status != Status::ok) return status;
  return extend_inverse_cholesky(S, k);
}

template Status inverse_cholesky(View<double>);
template Status inverse_cholesky(View<float>);
template Status extend_inverse_cholesky(View<double>, uword);
template Status extend_inverse_cholesky(View<float>, uword);
template Status inverse_cholesky_by_columns(View<double>);
template Status inverse_cholesky_by_columns(View<float>);

}  // namespace elmx
