#include "solvers/leverages.hpp"

#include <limits>

#include "linalg/lower_stored.hpp"

namespace elmx {
namespace {

constexpr uword kSamples = 1024;

/// x'y, in double.
template <class T>
double wide_dot(uword n, const T* x, const T* y) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (uword i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

}  // namespace

template <class T>
Leverages leverages(const HeldInverse<T>& inverse, const TallMatrix<T>& A, uword k) {
  const uword n = A.rows();
  Leverages of{arma::vec(n), arma::vec(n)};
  arma::vec a(n), x(n);  // ||a_i||^2, ||R^-1 a_i||^2
  A.for_each_block(k, [&](uword first, View<const T> block) {
    for (uword at = 0; at < block.rows; at += kSamples) {
      const uword count = std::min(kSamples, block.rows - at), begin = first + at;
      arma::Mat<T> samples(k, count, arma::fill::none);
      transpose(block.block(at, 0, count, k), View<T>(samples));
      arma::Mat<T> X = samples;
      inverse.apply_inverse(begin, View<T>(X));
#pragma omp parallel for schedule(static)
      for (uword i = 0; i < count; ++i) {
        of.h(begin + i) = wide_dot(k, samples.colptr(i), X.colptr(i));
        a(begin + i) = wide_dot(k, samples.colptr(i), samples.colptr(i));
        x(begin + i) = wide_dot(k, X.colptr(i), X.colptr(i));
      }
    }
  });
  of.rounding = static_cast<double>(std::numeric_limits<T>::epsilon()) * (arma::accu(a) * x + arma::sqrt(a % x) + of.h);
  return of;
}

template Leverages leverages(const HeldInverse<double>&, const TallMatrix<double>&, uword);
template Leverages leverages(const HeldInverse<float>&, const TallMatrix<float>&, uword);

}  // namespace elmx
