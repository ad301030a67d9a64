#include "data/transforms/pca.hpp"

#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace elmx {
namespace {

using arma::mat;
using arma::uvec;
using arma::uword;

/// N correlated samples in d dimensions about a point away from 0, the columns of very different spread.
mat samples(uword N, uword d, int seed) {
  arma::arma_rng::set_seed(static_cast<arma::arma_rng::seed_type>(seed));
  const mat mixed = mat(N, d, arma::fill::randn) * mat(d, d, arma::fill::randn);
  return mixed * arma::diagmat(arma::logspace(0, -3, d)) + 5;
}

uvec first_rows(uword n) { return arma::regspace<uvec>(0, n - 1); }

/// Covariance (divisor n) of some rows by its definition.
mat covariance(const mat& Z, const uvec& rows) {
  const mat part = Z.rows(rows);
  const mat centred = part.each_row() - arma::mean(part);
  return centred.t() * centred / static_cast<double>(rows.n_elem);
}

/// Its eigenvalues, the largest first.
arma::vec spectrum(const mat& Z, const uvec& rows) { return arma::reverse(arma::eig_sym(covariance(Z, rows))); }

/// How far the components V of `rows` are from orthonormal directions of the given variances with no
/// covariance.
double error_of(const mat& V, const arma::vec& variances, const mat& Z, const uvec& rows) {
  const mat of_components = V.t() * covariance(Z, rows) * V;
  return std::max(frobenius(V.t() * V - arma::eye(V.n_cols, V.n_cols)),
                  relative_difference<double>(of_components, arma::diagmat(variances)));
}

struct Shape {
  uword fitted, dimension;
  double energy;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.fitted << " x " << shape.dimension << " at " << shape.energy;
}

class AnyPca : public testing::TestWithParam<Shape> {
 protected:
  uword n = GetParam().fitted, d = GetParam().dimension;
  mat Z = samples(n + 5, d, 3);
  uvec rows = first_rows(n);
  Pca pca = Pca::fit(Z, rows, GetParam().energy);
  double limit = 10 * tolerance(n, d);  // of a product of three matrices
};

TEST_P(AnyPca, ComponentsAreOrthonormalAndTheirVariancesEigenvaluesOfTheCovariance) {
  const arma::vec eigenvalues = spectrum(Z, rows);
  const uword k = pca.V.n_cols;

  ASSERT_EQ(pca.variances.n_elem, k);
  EXPECT_LE(error_of(pca.V, pca.variances, Z, rows), limit);
  EXPECT_LE(arma::abs(pca.variances - eigenvalues.head(k)).max(), limit * eigenvalues(0));
  EXPECT_TRUE(pca.variances.is_sorted("descend"));
}

TEST_P(AnyPca, HoldsTheEnergyAndWouldNotWithOneFewer) {
  const arma::vec eigenvalues = spectrum(Z, rows);
  const double wanted = GetParam().energy * arma::accu(eigenvalues), slack = limit * arma::accu(eigenvalues);
  const uword k = pca.V.n_cols;

  EXPECT_GE(arma::accu(eigenvalues.head(k)), wanted - slack);
  EXPECT_TRUE(k == 1 || arma::accu(eigenvalues.head(k - 1)) < wanted + slack);
}

TEST_P(AnyPca, LosesTheEnergyThatItDoesNotHold) {
  const arma::vec eigenvalues = spectrum(Z, rows);
  const mat part = Z.rows(rows);
  mat restored = pca.apply(part) * pca.V.t();
  restored.each_row() += pca.mean;

  const double lost = std::pow(frobenius(part - restored), 2) / static_cast<double>(n);
  EXPECT_NEAR(lost, arma::accu(eigenvalues) - arma::accu(eigenvalues.head(pca.V.n_cols)),
              limit * arma::accu(eigenvalues));
}

TEST_P(AnyPca, AppliesTheSameMapToEveryRow) {
  const mat Y = pca.apply(Z);
  for (uword i = 0; i < Z.n_rows; ++i) {
    EXPECT_LE(arma::norm(Y.row(i) - (Z.row(i) - pca.mean) * pca.V), limit * arma::norm(Z.row(i)));
  }
  EXPECT_LE(arma::abs(arma::mean(Y.rows(rows))).max(), limit * frobenius(Z));
}

TEST_P(AnyPca, HasPositiveLargestEntries) {
  for (uword j = 0; j < pca.V.n_cols; ++j) EXPECT_EQ(pca.V.col(j).max(), arma::abs(pca.V.col(j)).max());
}

TEST_P(AnyPca, IsFittedOnTheGivenRowsOnly) {
  mat changed = Z;
  changed.tail_rows(5) *= -1e6;

  const Pca other = Pca::fit(changed, rows, GetParam().energy);

  EXPECT_TRUE(arma::approx_equal(pca.V, other.V, "absdiff", 0));
  EXPECT_TRUE(arma::approx_equal(pca.mean, other.mean, "absdiff", 0));
}

INSTANTIATE_TEST_SUITE_P(Shapes, AnyPca,
                         testing::Values(Shape{40, 6, 0.99}, Shape{40, 6, 0.5}, Shape{40, 6, 1}, Shape{6, 6, 0.9},
                                         Shape{7, 30, 0.99}, Shape{7, 30, 1}, Shape{30, 1, 0.99}, Shape{2, 3, 0.99}));

TEST(PcaError, TellsWrongComponents) {
  const mat Z = samples(20, 4, 1);
  const uvec rows = first_rows(20);
  const Pca pca = Pca::fit(Z, rows, 1);
  ASSERT_LE(error_of(pca.V, pca.variances, Z, rows), 100 * tolerance(20, 4));

  EXPECT_GT(error_of(pca.V * 1.001, pca.variances, Z, rows), 1e-3);
  EXPECT_GT(error_of(pca.V, pca.variances * 20 / 19, Z, rows), 1e-2) << "divisor n - 1";
  EXPECT_GT(error_of(arma::reverse(pca.V, 1), pca.variances, Z, rows), 1e-2) << "increasing";
}

TEST(Pca, KeepsNoComponentsOfRoundingErrors) {
  const mat Z = samples(50, 2, 1) * mat(2, 8, arma::fill::randn);
  EXPECT_EQ(Pca::fit(Z, first_rows(50), 1).V.n_cols, 2u);
}

TEST(Pca, OfConstantRowsIsOneComponentOfZeros) {
  for (const uword n : {1u, 7u}) {
    const mat Z(n, 3, arma::fill::value(0.1));  // whose mean is not exactly 0.1
    const Pca pca = Pca::fit(Z, first_rows(n), 0.99);

    EXPECT_EQ(pca.V.n_cols, 1u);
    EXPECT_EQ(frobenius(pca.apply(Z)), 0);
  }
}

TEST(Pca, RefusesWhatTheProgrammerGotWrong) {
  const mat Z = samples(5, 3, 1);
  EXPECT_THROW(Pca::fit(Z, {}, 0.99), std::logic_error);
  EXPECT_THROW(Pca::fit(Z, {0, 1}, 0), std::logic_error);
  EXPECT_THROW(Pca::fit(Z, {0, 1}, 1.01), std::logic_error);
  EXPECT_THROW(Pca::fit(Z, {0, 1, 2}, 0.99).apply(Z.cols(0, 1)), std::logic_error);
}

TEST(PrincipalComponents, AreThoseOfTheScaledInputsScaled) {
  const mat X = samples(30, 4, 2);
  const uvec fitted = {0, 2, 5, 7, 11, 12, 20}, all = first_rows(30);
  const Scaler scaler = Scaler::fit("centred", X, fitted);
  PcaOptions options;
  options.energy = 0.9;

  const mat Z = scaler.apply(X, all);
  const mat Y = Pca::fit(Z, fitted, 0.9).apply(Z);
  EXPECT_LE(relative_difference(Components::fit(X, scaler, fitted, options).apply(X), Y), tolerance(30, 4));

  options.scale = "centred";
  const mat scaled = Components::fit(X, scaler, fitted, options).apply(X);
  EXPECT_LE(relative_difference(scaled, Scaler::fit("centred", Y, fitted).apply(Y, all)), tolerance(30, 4));
  EXPECT_NEAR(arma::abs(mat(scaled.rows(fitted))).max(), 1, tolerance(30, 4));
}

}  // namespace
}  // namespace elmx
