#include "solvers/kernel/kernel_ridge.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace elmx {
namespace {

struct KernelSamples {
  arma::mat X, Y;
  arma::vec scale;  // square roots of the weights; empty: all 1
};

KernelSamples kernel_samples(uword n, bool weighted) {
  const Rng rng(n, Purpose::probe);
  KernelSamples s{arma::mat(n, 4), arma::mat(n, 2), {}};
  for (uword i = 0; i < s.X.n_elem; ++i) s.X(i) = rng.normal(i);
  for (uword i = 0; i < n; ++i) {
    s.Y(i, 0) = 3 + std::sin(s.X(i, 0)) + 0.1 * rng.normal(10000 + i);
    s.Y(i, 1) = s.X(i, 1) * s.X(i, 2);
  }
  if (!weighted) return s;
  s.scale.set_size(n);
  for (uword i = 0; i < n; ++i) s.scale(i) = std::sqrt(0.2 + rng.uniform(20000 + i));
  return s;
}

KernelMatrix<double> matrix_of(const KernelSamples& s, Kernel kernel = Kernel::laplace_l1, double length = 4) {
  return {kernel, kernel_points<double>({kernel, length}, s.X), s.scale};
}

arma::mat unweighted(const KernelSamples& s, const arma::mat& Z, Kernel kernel = Kernel::laplace_l1,
                     double length = 4) {
  arma::mat K(s.X.n_rows, Z.n_rows);
  kernel_entries(kernel, kernel_points<double>({kernel, length}, s.X), 0, kernel_points<double>({kernel, length}, Z), 0,
                 View<double>(K));
  return K;
}

/// alpha above the intercept, by an independent factorisation of the weighted normal system (K + lambda W^-1)
/// alpha + 1 b = Y, 1'alpha = 0.
arma::mat independent(const KernelSamples& s, double lambda, bool intercept) {
  const uword n = s.X.n_rows, m = n + (intercept ? 1 : 0);
  arma::mat M(m, m, arma::fill::zeros), B(m, s.Y.n_cols, arma::fill::zeros);
  M.submat(0, 0, n - 1, n - 1) = unweighted(s, s.X);
  for (uword i = 0; i < n; ++i) {
    M(i, i) += lambda / (s.scale.is_empty() ? 1 : s.scale(i) * s.scale(i));
    if (intercept) M(i, n) = M(n, i) = 1;
  }
  B.head_rows(n) = s.Y;
  arma::mat Q, R, X;
  arma::qr(Q, R, M);
  X = arma::solve(arma::trimatu(R), Q.t() * B);
  if (!intercept) X.insert_rows(n, 1);
  return X;
}

struct KernelCase {
  bool weighted, intercept;
};
constexpr KernelCase kKernelCases[] = {{false, true}, {false, false}, {true, true}, {true, false}};

TEST(KernelRidge, AgreesWithIndependentQr) {
  for (const KernelCase& c : kKernelCases) {
    const KernelSamples s = kernel_samples(150, c.weighted);
    const arma::mat exact = independent(s, 0.03, c.intercept);
    for (const KernelArithmetic arithmetic :
         {KernelArithmetic::in_double, KernelArithmetic::mixed, KernelArithmetic::in_single}) {
      KernelFit fit;
      ASSERT_EQ(solve_kernel_ridge(matrix_of(s), s.Y, {0.03, c.intercept, arithmetic, 150}, fit), Status::ok);
      const double allowed = arithmetic == KernelArithmetic::in_single ? 1e-4 : 1e-11;
      EXPECT_LT(arma::norm(arma::join_cols(fit.alpha, fit.intercept) - exact, "fro"),
                allowed * arma::norm(exact, "fro"));
      EXPECT_LT(fit.backward_error, arithmetic == KernelArithmetic::in_single ? 1e-6 : 1e-15);
      EXPECT_TRUE(fit.left.is_empty());
    }
  }
}

/// The machine trained without sample i predicts it with the error (y_i - f(x_i)) / (1 - h_i).
TEST(KernelRidge, LeaveOneOutIsThatOfTheMachineWithoutTheSample) {
  for (const KernelCase& c : kKernelCases) {
    const KernelSamples s = kernel_samples(120, c.weighted);
    const double lambda = 0.05;
    const arma::mat K = unweighted(s, s.X);
    for (const KernelArithmetic arithmetic : {KernelArithmetic::in_double, KernelArithmetic::in_single}) {
      KernelFit fit;
      ASSERT_EQ(solve_kernel_ridge(matrix_of(s), s.Y, {lambda, c.intercept, arithmetic, 100}, fit), Status::ok);
      ASSERT_EQ(fit.left.n_elem, 20u);
      const arma::mat E = s.Y - K * fit.alpha - arma::repmat(fit.intercept, 120, 1);
      for (uword i = 100; i < 120; i += 3) {
        KernelSamples others = s;
        others.X.shed_row(i);
        others.Y.shed_row(i);
        if (c.weighted) others.scale.shed_row(i);
        const arma::mat solution = independent(others, lambda, c.intercept);
        const arma::rowvec left_out =
            s.Y.row(i) - unweighted(s, others.X).row(i) * solution.head_rows(119) - solution.row(119);
        const double allowed = arithmetic == KernelArithmetic::in_double ? 1e-10 : 1e-3;
        EXPECT_LT(arma::norm(E.row(i) / fit.left(i - 100) - left_out), allowed * arma::norm(left_out));
      }
      EXPECT_LT(fit.left_error, arithmetic == KernelArithmetic::in_double ? 1e-11 : 1e-4);
    }
  }
}

TEST(KernelRidge, SpectrumGivesTheSameForEachRidge) {
  for (const KernelCase& c : kKernelCases) {
    const KernelSamples s = kernel_samples(130, c.weighted);
    const KernelSpectrum spectrum(matrix_of(s), s.Y, c.intercept);
    ASSERT_EQ(spectrum.status(), Status::ok);
    for (const double lambda : {1e-4, 0.1, 30.0}) {
      KernelFit direct, of_spectrum;
      ASSERT_EQ(solve_kernel_ridge(matrix_of(s), s.Y, {lambda, c.intercept}, direct), Status::ok);
      spectrum.solve(lambda, of_spectrum);
      EXPECT_LT(arma::norm(direct.alpha - of_spectrum.alpha, "fro"), 1e-10 * arma::norm(direct.alpha, "fro"));
      EXPECT_LT(arma::norm(direct.intercept - of_spectrum.intercept), 1e-10 * (1 + arma::norm(direct.intercept)));
      EXPECT_LT(arma::abs(direct.left - of_spectrum.left).max(), 1e-10);
    }
  }
}

/// A single factor of a system that singles cannot hold is a preconditioner; the solution is that of double.
TEST(KernelRidge, MixedReachesDoubleWhereSinglesFail) {
  const KernelSamples s = kernel_samples(600, false);
  const KernelMatrix<double> K = matrix_of(s, Kernel::gaussian, 6);
  KernelFit single, mixed;
  EXPECT_EQ(solve_kernel_ridge(K, s.Y, {1e-7, true, KernelArithmetic::in_single}, single),
            Status::not_positive_definite);
  ASSERT_EQ(solve_kernel_ridge(K, s.Y, {1e-5, true, KernelArithmetic::mixed, 600}, mixed), Status::ok);
  EXPECT_LT(mixed.backward_error, 1e-14);
}

TEST(KernelRidge, ProductsAndOutputsAreThoseOfTheMatrix) {
  for (const uword n : {1u, 512u, 1100u, 1600u, 2200u}) {  // one to five blocks of rows
    const KernelSamples s = kernel_samples(n, true);
    const arma::mat dense = arma::diagmat(s.scale) * unweighted(s, s.X) * arma::diagmat(s.scale);
    EXPECT_LT(arma::norm(matrix_of(s).times(s.Y) - dense * s.Y, "fro"),
              1e-13 * arma::norm(dense, "fro") * arma::norm(s.Y, "fro"));
  }
  const KernelSamples s = kernel_samples(700, true);
  const KernelMatrix<double> K = matrix_of(s);
  const arma::mat dense = arma::diagmat(s.scale) * unweighted(s, s.X) * arma::diagmat(s.scale);
  arma::mat upper(700, 700, arma::fill::value(7));
  K.form(View<double>(upper));
  EXPECT_LT(arma::abs(arma::trimatu(upper) - arma::trimatu(dense)).max(), 1e-14);
  for (uword j = 0; j < 700; ++j)
    for (uword i = j + 1; i < 700; ++i) ASSERT_EQ(upper(i, j), 7);
  const KernelSamples other = kernel_samples(530, false);
  const arma::mat Z = kernel_outputs<double>(Kernel::laplace_l1,
                                             kernel_points<double>({Kernel::laplace_l1, 4}, other.X), K.points(), s.Y);
  EXPECT_LT(arma::norm(Z - unweighted(other, s.X) * s.Y, "fro"), 1e-12 * arma::norm(Z, "fro"));
}

TEST(KernelRidge, ChosenLengthIsBetterThanHalfOfItAndTwiceIt) {
  const Rng rng(5, Purpose::probe);
  arma::mat X(90, 1);
  for (uword i = 0; i < 90; ++i) X(i) = rng.normal(i);
  const auto chosen = [&](double frequency, std::optional<double> length) {
    const arma::mat Y = arma::sin(frequency * X);
    return choose_kernel({.kernel = Kernel::gaussian, .length = length, .lambda = 1e-3}, X, Y, {});
  };
  for (const double frequency : {0.1, 1.0, 4.0}) {
    const KernelChoice choice = chosen(frequency, std::nullopt);
    EXPECT_EQ(choice.error, chosen(frequency, choice.length).error);
    for (const double factor : {0.5, 2.0}) EXPECT_LE(choice.error, chosen(frequency, factor * choice.length).error);
  }
  EXPECT_GT(chosen(0.1, std::nullopt).length, 1);
  EXPECT_LT(chosen(4, std::nullopt).length, 1);
}

// The error of a class is the mean over its samples; all classes have the same share.
TEST(KernelRidge, BalancedChoiceCountsEachClassAlike) {
  KernelSamples s = kernel_samples(60, false);
  for (uword i = 0; i < s.Y.n_rows; ++i) {
    const bool rare = i % 10 == 3;
    s.Y(i, 0) = rare ? 0 : 1;
    s.Y(i, 1) = rare ? 1 : 0;
  }
  const KernelWish wish{
      .kernel = Kernel::laplace_l1, .length = 1, .lambda = 0.1, .by_accuracy = true, .balanced = true};
  const double length = typical_scale(wish.kernel, s.X);
  const arma::mat Z = KernelSpectrum(matrix_of(s, wish.kernel, length), s.Y, true).left_out_outputs(0.1);
  arma::vec sum(2, arma::fill::zeros), count(2, arma::fill::zeros);
  for (uword i = 0; i < s.Y.n_rows; ++i) {
    const uword k = s.Y(i, 0) == 1 ? 0 : 1;
    const bool wrong = (Z(i, 1) > Z(i, 0)) != (k == 1);
    sum(k) += (wrong ? 1 : 0) + 1e-3 * arma::mean(arma::square(s.Y.row(i) - Z.row(i)));
    ++count(k);
  }

  const KernelChoice choice = choose_kernel(wish, s.X, s.Y, {});

  EXPECT_NEAR(choice.error, arma::mean(sum / count), 1e-12);
}

}  // namespace
}  // namespace elmx
