#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/blas.hpp"

// Behind its arguments Fortran takes the length of each text.
extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);
void spotrf_(const char*, const int*, float*, const int*, int*, std::size_t);
void dposv_(const char*, const int*, const int*, double*, const int*, double*, const int*, int*, std::size_t);
void dpocon_(const char*, const int*, const double*, const int*, const double*, double*, double*, int*, int*,
             std::size_t);
void spocon_(const char*, const int*, const float*, const int*, const float*, float*, float*, int*, int*, std::size_t);
}

namespace elmx {
namespace {

constexpr uword kBlock = 256;

int potrf(int n, double* A, int lda) {
  int failed = 0;
  dpotrf_("U", &n, A, &lda, &failed, 1);
  return failed;
}
int potrf(int n, float* A, int lda) {
  int failed = 0;
  spotrf_("U", &n, A, &lda, &failed, 1);
  return failed;
}
void pocon(int n, const double* A, int lda, double norm, double& rcond, double* work, int* iwork) {
  int failed = 0;
  dpocon_("U", &n, A, &lda, &norm, &rcond, work, iwork, &failed, 1);
}
void pocon(int n, const float* A, int lda, float norm, float& rcond, float* work, int* iwork) {
  int failed = 0;
  spocon_("U", &n, A, &lda, &norm, &rcond, work, iwork, &failed, 1);
}

}  // namespace

template <class T>
Status cholesky(View<T> G) {
  expects(G.rows == G.cols, "cholesky: G is n x n");
  const uword n = G.rows;
  for (uword j = 0; j < n; j += kBlock) {
    const uword b = std::min(kBlock, n - j);
    const View<T> diagonal = G.block(j, j, b, b);
    // G_jj = R_jj' R_jj
    if (potrf(static_cast<int>(b), diagonal.data, static_cast<int>(G.ld)) != 0) return Status::not_positive_definite;
    if (j + b == n) break;
    // R_j* = R_jj^-T G_j*,   G_** -= R_j*' R_j*
    const View<T> row = G.block(j, j + b, b, n - j - b);
    trsm(Op::transpose, diagonal, row);
    syrk(T(-1), row, T(1), G.block(j + b, j + b, n - j - b, n - j - b));
  }
  for (uword j = 0; j < n; ++j) {
    if (!std::isfinite(G(j, j))) return Status::not_positive_definite;
  }
  return Status::ok;
}

template <class T>
void cholesky_solve(View<const std::type_identity_t<T>> R, View<T> B) {
  trsm(Op::transpose, R, B);
  trsm(Op::none, R, B);
}

Status solve_definite(View<double> A, View<double> B) {
  expects(A.rows == A.cols && B.rows == A.rows, "solve_definite: A is n x n, B is n x k");
  if (A.rows == 0) return Status::ok;
  const int n = static_cast<int>(A.rows), k = static_cast<int>(B.cols), lda = static_cast<int>(A.ld),
            ldb = static_cast<int>(B.ld);
  int failed = 0;
  dposv_("L", &n, &k, A.data, &lda, B.data, &ldb, &failed, 1);
  for (uword j = 0; j < A.cols; ++j) {
    if (!std::isfinite(A(j, j))) return Status::not_positive_definite;
  }
  return failed == 0 ? Status::ok : Status::not_positive_definite;
}

template <class T>
double condition_estimate(View<const T> R, double norm_of_G) {
  if (R.rows == 0) return 1;
  const auto n = static_cast<int>(R.rows);
  std::vector<T> work(3 * R.rows);
  std::vector<int> iwork(R.rows);
  T rcond = 0;
  pocon(n, R.data, static_cast<int>(R.ld), static_cast<T>(norm_of_G), rcond, work.data(), iwork.data());
  return 1.0 / static_cast<double>(rcond);
}

template <class T>
double symmetric_norm1(View<const T> G) {
  std::vector<double> sums(G.cols, 0.0);
  for (uword j = 0; j < G.cols; ++j) {
    for (uword i = 0; i <= j; ++i) {
      const double x = std::abs(static_cast<double>(G(i, j)));
      sums[j] += x;
      if (i != j) sums[i] += x;
    }
  }
  return sums.empty() ? 0.0 : *std::max_element(sums.begin(), sums.end());
}

template Status cholesky(View<double>);
template Status cholesky(View<float>);
template void cholesky_solve(View<const double>, View<double>);
template void cholesky_solve(View<const float>, View<float>);
template double condition_estimate(View<const double>, double);
template double condition_estimate(View<const float>, double);
template double symmetric_norm1(View<const double>);
template double symmetric_norm1(View<const float>);

}  // namespace elmx
