#include <algorithm>

#include "base/machine/clock.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

/// Returns the seconds of the fastest of at least five runs that take at least 0.01 s together, since other
/// programs may delay some of them.
template <class F>
double best_time(const F& work) {
  constexpr double kShortest = 0.01;
  SteadyClock clock;
  work();
  double best = 1e300;
  const double start = clock.now();
  for (int k = 0; k < 5 || clock.now() - start < kShortest; ++k) {
    const double begin = clock.now();
    work();
    best = std::min(best, clock.now() - begin);
  }
  return best;
}

}  // namespace

template <class T>
double gemm_rate(uword n) {
  arma::Mat<T> A(n, n, arma::fill::value(T(0.5))), B(n, n, arma::fill::value(T(0.25))), C(n, n);
  const double seconds = best_time([&] { gemm(Op::none, Op::none, T(1), A, B, T(0), View<T>(C)); });
  const auto size = static_cast<double>(n);
  return 2 * size * size * size / seconds;
}

double read_bandwidth(double bytes) {
  const auto n = static_cast<long>(bytes / sizeof(double));
  const arma::vec x(static_cast<uword>(n), arma::fill::ones);
  const double* data = x.memptr();
  volatile double sink = 0;
  const double seconds = best_time([&] {
    double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (long i = 0; i < n; ++i) sum += data[i];
    sink = sum;
  });
  return bytes / seconds;
}

template double gemm_rate<double>(uword);
template double gemm_rate<float>(uword);

}  // namespace elmx
