#include "linalg/inverse_cholesky.hpp"

#include <vector>

#include "linalg/blas.hpp"
#include "linalg/inverse_step.hpp"

namespace elmx {

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
    eliminate(S, i, T(1), r.data(), r.data(), d);
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

template Status inverse_cholesky(View<double>);
template Status inverse_cholesky(View<float>);
template Status extend_inverse_cholesky(View<double>, uword);
template Status extend_inverse_cholesky(View<float>, uword);
template Status inverse_cholesky_by_columns(View<double>);
template Status inverse_cholesky_by_columns(View<float>);

}  // namespace elmx
