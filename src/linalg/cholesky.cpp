#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

// Fortran takes the length of each string after all other arguments.
extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);
void spotrf_(const char*, const int*, float*, const int*, int*, std::size_t);
void dposv_(const char*, const int*, const int*, double*, const int*, double*, const int*, int*, std::size_t);
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

template Status cholesky(View<double>);
template Status cholesky(View<float>);
template void cholesky_solve(View<const double>, View<double>);
template void cholesky_solve(View<const float>, View<float>);

}  // namespace elmx
