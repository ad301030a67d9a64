#include "linalg/division_free.hpp"

#include <vector>

#include "linalg/blas.hpp"
#include "linalg/inverse_step.hpp"

namespace elmx {
namespace {

/// omega = g_1 ... g_n 2^s in [1/2, 1) and c_i = omega / g_i, for g_i in [1/2, 1).
template <class T>
T leave_one_out(const T* g, T* c, uword n) {
  if (n == 1) {
    c[0] = T(1);
    return g[0];
  }
  const uword half = n / 2;
  T left = leave_one_out(g, c, half), right = leave_one_out(g + half, c + half, n - half);
  const T omega = left * right, up = omega < T(0.5) ? T(2) : T(1);
  for (uword i = 0; i < n; ++i) c[i] *= up * (i < half ? right : left);
  return up * omega;
}

/// omega, and y_i = omega / (w_i pi_i).
template <class T>
T common_denominator(View<const T> M, const T* pivots, std::vector<T>& y) {
  const uword k = M.cols;
  std::vector<T> g(k);
  std::vector<int> h(k);
  for (uword i = 0; i < k; ++i) {
    int of_pivot = 0, of_product = 0;
    g[i] = std::frexp(M(i, i) * std::frexp(pivots[i], &of_pivot), &of_product);
    h[i] = of_pivot + of_product;
  }
  const T omega = leave_one_out(g.data(), y.data(), k);
  for (uword i = 0; i < k; ++i) y[i] = std::ldexp(y[i], -h[i]);
  return omega;
}

}  // namespace

template <class T>
Status division_free_inverse_by_columns(View<T> S, T* pivots) {
  expects(S.rows == S.cols, "division_free_inverse: S is n x n");
  const uword n = S.rows;
  std::vector<T> r(n), rho(n);
  T w = 1;
  for (uword i = 0; i < n; ++i) {
    pivots[i] = S(i, i);
    if (!is_pivot(pivots[i])) return Status::not_positive_definite;
    int e = 0;
    T p = std::frexp(pivots[i], &e);
    if (w * p < T(0.5)) {
      p *= T(2);
      --e;
    }
    const T scale = std::ldexp(T(1), -e);
    for (uword j = i + 1; j < n; ++j) {
      r[j] = S(i, j);
      rho[j] = scale * r[j];
    }
    eliminate(S, i, p, r.data(), rho.data(), w);
    S(i, i) = w;
    w *= p;
  }
  return Status::ok;
}

template <class T>
Status extend_division_free_inverse(View<T> S, uword k, T* pivots) {
  expects(S.rows == S.cols && k <= S.cols, "extend_division_free_inverse: S is n x n, k <= n");
  if (k == 0) return division_free_inverse(S, pivots);
  const uword q = S.cols - k;
  const View<T> M1 = S.block(0, 0, k, k), P = S.block(0, k, k, q), Q = S.block(k, k, q, q);
  std::vector<T> y(k);
  const T omega = common_denominator<T>(M1, pivots, y);
  trmm(Op::transpose, M1, P);          // U = M1'P
  syrk(T(-1), P, y.data(), omega, Q);  // omega Q - U'Y U
  if (const Status status = division_free_inverse(Q, pivots + k); status != Status::ok) return status;
  scale_rows(y.data(), P);
  trmm_right(Op::none, Q, P);      // Y U M2
  trmm(Op::none, M1, P, T(-1));    // -M1 Y U M2
  for (uword j = 0; j < q; ++j) {  // column j over omega w_j, back in [1/2, 1]
    const T up = omega * Q(j, j) < T(0.5) ? T(2) : T(1);
    for (uword i = 0; i < k; ++i) P(i, j) *= up;
    for (uword i = 0; i <= j; ++i) Q(i, j) *= up * omega;
    pivots[k + j] *= up;
  }
  return Status::ok;
}

template <class T>
Status division_free_inverse(View<T> S, T* pivots) {
  expects(S.rows == S.cols, "division_free_inverse: S is n x n");
  if (S.cols <= kLeafColumns) return division_free_inverse_by_columns(S, pivots);
  const uword k = bordered_columns(S.cols);
  if (const Status status = division_free_inverse(S.block(0, 0, k, k), pivots); status != Status::ok) return status;
  return extend_division_free_inverse(S, k, pivots);
}

template <class T>
void divide(View<T> S, const T* pivots) {
  expects(S.rows == S.cols, "divide: S is n x n");
  for (uword j = 0; j < S.cols; ++j) {
    const T w = S(j, j);
    for (uword i = 0; i < j; ++i) S(i, j) /= w;
    S(j, j) = w / pivots[j];
  }
}

template Status division_free_inverse(View<double>, double*);
template Status division_free_inverse(View<float>, float*);
template Status extend_division_free_inverse(View<double>, uword, double*);
template Status extend_division_free_inverse(View<float>, uword, float*);
template Status division_free_inverse_by_columns(View<double>, double*);
template Status division_free_inverse_by_columns(View<float>, float*);
template void divide(View<double>, const double*);
template void divide(View<float>, const float*);

}  // namespace elmx
