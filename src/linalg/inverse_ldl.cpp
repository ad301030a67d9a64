#include "linalg/inverse_ldl.hpp"

#include <vector>

#include "linalg/blas.hpp"
#include "linalg/inverse_step.hpp"

namespace elmx {

template <class T>
Status inverse_ldl_by_columns(View<T> S) {
  expects(S.rows == S.cols, "inverse_ldl: S is n x n");
  const uword n = S.rows;
  std::vector<T> r(n), dr(n);
  for (uword i = 0; i < n; ++i) {
    if (!is_pivot(S(i, i))) return Status::not_positive_definite;
    const T d = T(1) / S(i, i);
    for (uword j = i + 1; j < n; ++j) {
      r[j] = S(i, j);
      dr[j] = d * r[j];
    }
    eliminate(S, i, T(1), r.data(), dr.data(), T(1));
    S(i, i) = d;
  }
  return Status::ok;
}

template <class T>
Status extend_inverse_ldl(View<T> S, uword k) {
  expects(S.rows == S.cols && k <= S.cols, "extend_inverse_ldl: S is n x n, k <= n");
  if (k == 0) return inverse_ldl(S);
  const uword q = S.cols - k;
  const View<T> L1 = S.block(0, 0, k, k), P = S.block(0, k, k, q), Q = S.block(k, k, q, q);
  std::vector<T> D1(k);
  for (uword i = 0; i < k; ++i) D1[i] = S(i, i);
  trmm(Op::transpose, L1, P, T(1), true);  // V = L1'P
  syrk(T(-1), P, D1.data(), T(1), Q);      // Q - V' D1 V
  if (const Status status = inverse_ldl(Q); status != Status::ok) return status;
  scale_rows(D1.data(), P);                // D1 V
  trmm_right(Op::none, Q, P, T(1), true);  // D1 V L2
  trmm(Op::none, L1, P, T(-1), true);      // -L1 D1 V L2
  return Status::ok;
}

template <class T>
Status inverse_ldl(View<T> S) {
  expects(S.rows == S.cols, "inverse_ldl: S is n x n");
  if (S.cols <= kLeafColumns) return inverse_ldl_by_columns(S);
  const uword k = bordered_columns(S.cols);
  if (const Status status = inverse_ldl(S.block(0, 0, k, k)); status != Status::ok) return status;
  return extend_inverse_ldl(S, k);
}

template Status inverse_ldl(View<double>);
template Status inverse_ldl(View<float>);
template Status extend_inverse_ldl(View<double>, uword);
template Status extend_inverse_ldl(View<float>, uword);
template Status inverse_ldl_by_columns(View<double>);
template Status inverse_ldl_by_columns(View<float>);

}  // namespace elmx
