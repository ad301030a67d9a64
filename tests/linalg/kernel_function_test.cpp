#include "linalg/kernel_function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace elmx {
namespace {

constexpr Kernel kAll[] = {Kernel::laplace_l1, Kernel::laplace, Kernel::gaussian, Kernel::arc_cosine, Kernel::arcsine};

arma::mat random_samples(uword n, uword d, std::uint64_t seed) {
  const Rng rng(seed, Purpose::probe);
  arma::mat X(n, d);
  for (uword i = 0; i < X.n_elem; ++i) X(i) = rng.normal(i);
  return X;
}

/// The formulas of the header, in extended precision.
long double by_definition(const KernelFunction& f, const arma::rowvec& x, const arma::rowvec& z) {
  const long double s = f.length, pi = std::acos(-1.0L);
  long double l1 = 0, l2 = 0, uv = 1, uu = 1, vv = 1;
  for (uword j = 0; j < x.n_elem; ++j) {
    const long double a = x(j) / s, b = z(j) / s;
    l1 += std::abs(a - b);
    l2 += (a - b) * (a - b);
    uv += a * b;
    uu += a * a;
    vv += b * b;
  }
  switch (f.kernel) {
    case Kernel::laplace_l1:
      return std::exp(-l1);
    case Kernel::laplace:
      return std::exp(-std::sqrt(l2));
    case Kernel::gaussian:
      return std::exp(-l2);
    case Kernel::arc_cosine: {
      const long double c = std::min(1.0L, uv / std::sqrt(uu * vv)), t = std::acos(c);
      return std::sqrt(uu * vv) * (std::sin(t) + (pi - t) * c) / pi;
    }
    case Kernel::arcsine:
      return 2 / pi * std::asin(2 * uv / std::sqrt((1 + 2 * uu) * (1 + 2 * vv)));
  }
  return 0;
}

template <class T>
arma::Mat<T> matrix_of(const KernelFunction& f, const arma::Mat<T>& X, const arma::Mat<T>& Z) {
  arma::Mat<T> K(X.n_rows, Z.n_rows);
  kernel_entries(f.kernel, kernel_points(f, X), 0, kernel_points(f, Z), 0, View<T>(K));
  return K;
}

TEST(KernelFunction, EntriesFollowTheFormulas) {
  const arma::mat X = random_samples(131, 5, 1), Z = random_samples(70, 5, 2);
  for (const Kernel kernel : kAll) {
    const KernelFunction f{kernel, 1.7};
    const arma::mat K = matrix_of<double>(f, X, Z);
    const arma::fmat F = matrix_of<float>(f, arma::conv_to<arma::fmat>::from(X), arma::conv_to<arma::fmat>::from(Z));
    for (uword i = 0; i < X.n_rows; ++i) {
      for (uword j = 0; j < Z.n_rows; ++j) {
        const auto exact = static_cast<double>(by_definition(f, X.row(i), Z.row(j)));
        ASSERT_NEAR(K(i, j), exact, 2e-15 * std::max(1.0, exact)) << static_cast<int>(kernel);
        ASSERT_NEAR(F(i, j), exact, 1e-6 * std::max(1.0, exact)) << static_cast<int>(kernel);
      }
    }
  }
}

TEST(KernelFunction, BlocksAreThoseOfTheWholeMatrix) {
  const arma::mat X = random_samples(11, 3, 1), Z = random_samples(9, 3, 2);
  for (const Kernel kernel : kAll) {
    const KernelFunction f{kernel, 1.7};
    const auto x = kernel_points(f, X), z = kernel_points(f, Z);
    const arma::mat whole = matrix_of<double>(f, X, Z);
    arma::mat block(6, 5);

    kernel_entries(kernel, x, 4, z, 3, View<double>(block));

    EXPECT_LT(arma::abs(block - whole.submat(4, 3, 9, 7)).max(), 1e-14) << static_cast<int>(kernel);
  }
}

TEST(KernelFunction, MatricesArePositiveSemidefinite) {
  arma::mat X = random_samples(90, 3, 3);
  X.row(1) = X.row(0);               // the same sample twice
  X.row(2) = X.row(0) * (1 + 1e-9);  // and nearly
  for (const Kernel kernel : kAll) {
    const arma::mat K = matrix_of<double>({kernel, 0.8}, X, X);
    EXPECT_LT(arma::abs(K - K.t()).max(), 1e-14);
    EXPECT_GT(arma::eig_sym(arma::symmatu(K)).min(), -1e-12 * arma::trace(K)) << static_cast<int>(kernel);
  }
}

/// 2 E[f(w'u) f(w'v)] over random nodes, within five standard errors of the mean of many.
TEST(KernelFunction, LimitsOfRandomNodesAreTheirMeans) {
  const arma::mat X = random_samples(4, 3, 5);
  const double s = 1.3;
  constexpr uword kDrawn = 400000;
  const Rng rng(9, Purpose::layer);
  for (const Kernel kernel : {Kernel::arc_cosine, Kernel::arcsine}) {
    const double factor = kernel == Kernel::arc_cosine ? 2 : 1;
    const arma::mat K = matrix_of<double>({kernel, s}, X, X);
    arma::mat sum(4, 4, arma::fill::zeros), squares = sum;
    for (uword l = 0; l < kDrawn; ++l) {
      arma::vec h(4);
      for (uword i = 0; i < 4; ++i) {
        double v = rng.normal(4 * l + 3);
        for (uword j = 0; j < 3; ++j) v += rng.normal(4 * l + j) * X(i, j) / s;
        h(i) = kernel == Kernel::arc_cosine ? std::max(0.0, v) : std::erf(v);
      }
      const arma::mat product = factor * h * h.t();
      sum += product;
      squares += arma::square(product);
    }
    const arma::mat mean = sum / kDrawn, error = arma::sqrt((squares / kDrawn - arma::square(mean)) / kDrawn);
    EXPECT_LT((arma::abs(K - mean) / error).max(), 5) << static_cast<int>(kernel);
  }
}

TEST(KernelFunction, TypicalScaleIsTheMeanDistance) {
  const arma::mat X = {{0, 0}, {3, 4}, {3, 4}, {0, 1}};
  EXPECT_NEAR(typical_scale(Kernel::gaussian, X), (5 + 5 + 1 + 2 * std::sqrt(18)) / 5, 1e-14);
  EXPECT_NEAR(typical_scale(Kernel::laplace_l1, X), (7 + 7 + 1 + 6 + 6) / 5.0, 1e-14);
  EXPECT_NEAR(typical_scale(Kernel::arcsine, X), std::sqrt(51.0 / 4), 1e-14);
  EXPECT_EQ(typical_scale(Kernel::laplace, arma::mat(3, 2, arma::fill::zeros)), 1);
}

}  // namespace
}  // namespace elmx
