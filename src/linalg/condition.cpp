#include "linalg/condition.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

// Fortran takes the length of each string after all other arguments.
extern "C" {
void dpocon_(const char*, const int*, const double*, const int*, const double*, double*, double*, int*, int*,
             std::size_t);
void spocon_(const char*, const int*, const float*, const int*, const float*, float*, float*, int*, int*, std::size_t);
void dtrcon_(const char* norm, const char* uplo, const char* diag, const int* n, const double* A, const int* lda,
             double* rcond, double* work, int* iwork, int* info, std::size_t, std::size_t, std::size_t);
}

namespace elmx {
namespace {

void pocon(int n, const double* A, int lda, double norm, double& rcond, double* work, int* iwork) {
  int failed = 0;
  dpocon_("U", &n, A, &lda, &norm, &rcond, work, iwork, &failed, 1);
}
void pocon(int n, const float* A, int lda, float norm, float& rcond, float* work, int* iwork) {
  int failed = 0;
  spocon_("U", &n, A, &lda, &norm, &rcond, work, iwork, &failed, 1);
}

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
  Workspace<T> work(R.rows);
  T rcond = 0;
  pocon(static_cast<int>(R.rows), R.data, static_cast<int>(R.ld), static_cast<T>(norm_of_G), rcond, work.numbers(),
        work.integers());
  return 1.0 / static_cast<double>(rcond);
}

double reciprocal_condition(View<const double> R) {
  const int n = static_cast<int>(R.cols), ld = static_cast<int>(R.ld);
  Workspace<double> work(R.cols);
  double rcond = 0;
  int failed = 0;
  dtrcon_("1", "U", "N", &n, R.data, &ld, &rcond, work.numbers(), work.integers(), &failed, 1, 1, 1);
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
