#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/blas.hpp"

namespace elmx {

template <class T>
Status cholesky(View<T> G) {
  expects(G.rows == G.cols, "cholesky: G is n x n");
  constexpr uword kBlock = 256;
  const uword n = G.rows;
  char upper = 'U';
  int ld = static_cast<int>(G.ld), failed = 0;
  for (uword j = 0; j < n; j += kBlock) {
    const uword b = std::min(kBlock, n - j);
    const View<T> diagonal = G.block(j, j, b, b);
    // G_jj = R_jj' R_jj
    int size = static_cast<int>(b);
    arma::lapack::potrf(&upper, &size, diagonal.data, &ld, &failed);
    if (failed != 0) return Status::not_positive_definite;
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
  arma::dposv_("L", &n, &k, A.data, &lda, B.data, &ldb, &failed, 1);
  for (uword j = 0; j < A.cols; ++j) {
    if (!std::isfinite(A(j, j))) return Status::not_positive_definite;
  }
  return failed == 0 ? Status::ok : Status::not_positive_definite;
}

template Status cholesky(View<double>);
template Status cholesky(View<float>);
template void cholesky_solve(View<const double>, View<double>);
template void cholesky_solve(View<const float>, View<float>);

namespace {

/// The workspace of LAPACK's estimators for n columns. It begins at a cache line: OpenBLAS's asum for AVX2
/// and AVX-512 adds numbers in an order that depends on their address modulo 64 bytes, and the addresses that
/// malloc returns depend on what other threads do.
template <class T>
class Workspace {
 public:
  explicit Workspace(uword n) : lines_(3 * n / kPerLine + 1), integers_(n) {}

  T* numbers() { return lines_.front().numbers; }  // 3 n
  int* integers() { return integers_.data(); }     // n

 private:
  static constexpr std::size_t kLine = 64, kPerLine = kLine / sizeof(T);
  struct alignas(kLine) Line {
    T numbers[kPerLine];
  };

  std::vector<Line> lines_;
  std::vector<int> integers_;
};

}  // namespace

template <class T>
double condition_estimate(View<const T> R, double norm_of_G) {
  if (R.rows == 0) return 1;
  char upper = 'U';
  int n = static_cast<int>(R.rows), ld = static_cast<int>(R.ld), failed = 0;
  Workspace<T> work(R.rows);
  const T norm = static_cast<T>(norm_of_G);
  T rcond = 0;
  arma::lapack::pocon(&upper, &n, R.data, &ld, &norm, &rcond, work.numbers(), work.integers(), &failed);
  return 1.0 / static_cast<double>(rcond);
}

double reciprocal_condition(View<const double> R) {
  const int n = static_cast<int>(R.cols), ld = static_cast<int>(R.ld);
  Workspace<double> work(R.cols);
  double rcond = 0;
  int failed = 0;
  arma::dtrcon_("1", "U", "N", &n, R.data, &ld, &rcond, work.numbers(), work.integers(), &failed, 1, 1, 1);
  return rcond;
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

template double condition_estimate(View<const double>, double);
template double condition_estimate(View<const float>, double);
template double symmetric_norm1(View<const double>);
template double symmetric_norm1(View<const float>);

}  // namespace elmx
