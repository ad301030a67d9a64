#include "solvers/ridge/ridge_spectrum.hpp"

#include <gtest/gtest.h>

#include "support/growing.hpp"
#include "support/problem.hpp"
#include "support/threads.hpp"

// Solutions, leverages and choices from one eigendecomposition against QR of the augmented system for each
// lambda, networks that are trained without a sample, and dense grids.

namespace elmx {
namespace {

/// min ||A W - Y||^2 + lambda ||W||^2 by QR of [A; sqrt(lambda) I].
arma::mat solved_by_qr(const arma::mat& A, const arma::mat& Y, double lambda) {
  const arma::mat augmented = arma::join_cols(A, std::sqrt(lambda) * arma::eye(A.n_cols, A.n_cols));
  arma::mat Q, R;
  arma::qr_econ(Q, R, augmented);
  return arma::solve(arma::trimatu(R), Q.t() * arma::join_cols(Y, arma::zeros(A.n_cols, Y.n_cols)));
}

/// The sum over i of ||y_i - a_i W_(i)||^2, W_(i) of all samples but i, over N.
double loo_by_deletion(const arma::mat& A, const arma::mat& Y, double lambda) {
  double sum = 0;
  for (uword i = 0; i < A.n_rows; ++i) {
    arma::mat rest = A, targets = Y;
    rest.shed_row(i);
    targets.shed_row(i);
    const arma::rowvec error = Y.row(i) - A.row(i) * solved_by_qr(rest, targets, lambda);
    sum += arma::dot(error, error);
  }
  return sum / static_cast<double>(A.n_rows);
}

double gcv_by_definition(const arma::mat& A, const arma::mat& Y, double lambda) {
  const arma::mat H = A * solved_by_qr(A, arma::eye(A.n_rows, A.n_rows), lambda);
  const double n = static_cast<double>(A.n_rows), left = 1 - arma::trace(H) / n;
  return arma::accu(arma::square(Y - H * Y)) / n / (left * left);
}

struct SpectrumCase {
  uword n, k, c;
  double cond;
};

void PrintTo(const SpectrumCase& one, std::ostream* out) {
  *out << one.n << "x" << one.k << "x" << one.c << " cond " << one.cond;
}

class RidgeSpectrumTest : public testing::TestWithParam<SpectrumCase> {
 protected:
  const SpectrumCase& shape() const { return GetParam(); }
  Problem<double> problem() const { return make_problem(shape().n, shape().k, shape().c, shape().cond, 5); }
};

const std::vector<double> kLambdas{1e-4, 0.02, 1, 50};

INSTANTIATE_TEST_SUITE_P(Each, RidgeSpectrumTest,
                         testing::Values(SpectrumCase{30, 12, 2, 10}, SpectrumCase{150, 12, 1, 100},
                                         SpectrumCase{20, 33, 3, 10}, SpectrumCase{24, 24, 1, 100},
                                         SpectrumCase{9, 1, 1, 1}, SpectrumCase{70, 140, 1, 1e3}));

struct Decomposed {
  arma::mat A, Y;
  StoredMatrix<double> stored;
  RidgeSpectrum spectrum;

  explicit Decomposed(const Problem<double>& problem, bool keep_rows = true)
      : A(problem.H), Y(problem.T), stored(View<const double>(A)) {
    EXPECT_EQ(spectrum.decompose(stored, Y, A.n_cols, keep_rows), Status::ok);
  }
};

TEST_P(RidgeSpectrumTest, WeightsAreThoseOfTheAugmentedSystem) {
  const Decomposed of(problem());
  for (const double lambda : kLambdas) {
    const arma::mat W = of.spectrum.weights(lambda);
    const double cond = 1 + 1 / lambda;  // ||A|| = 1
    EXPECT_LE(relative_difference(W, solved_by_qr(of.A, of.Y, lambda)), tolerance(shape().n, shape().k) * cond);
    EXPECT_LE(ridge_backward_error(of.A, of.Y, lambda, W), tolerance(shape().n, shape().k)) << lambda;
  }
}

TEST_P(RidgeSpectrumTest, LeveragesAreTheDiagonalOfTheHatMatrix) {
  for (const bool keep_rows : {true, false}) {
    const Decomposed of(problem(), keep_rows);
    const std::vector<Leverages> all = of.spectrum.leverages(kLambdas, {});
    ASSERT_EQ(all.size(), kLambdas.size());
    for (std::size_t l = 0; l < kLambdas.size(); ++l) {
      const arma::mat H = of.A * solved_by_qr(of.A, arma::eye(shape().n, shape().n), kLambdas[l]);
      for (uword i = 0; i < shape().n; ++i)
        EXPECT_LE(std::abs(all[l].h(i) - H(i, i)), 30 * all[l].rounding(i)) << kLambdas[l] << " sample " << i;
      EXPECT_NEAR(of.spectrum.degrees_of_freedom(kLambdas[l]), arma::trace(H), 30 * arma::accu(all[l].rounding));
      EXPECT_EQ(all[l].columns, shape().k);
      EXPECT_LE(all[l].drift, 30) << kLambdas[l];
    }
  }
}

TEST_P(RidgeSpectrumTest, LeveragesAreThoseOfASolverWithTheirBounds) {
  const Decomposed of(problem());
  const std::vector<Leverages> all = of.spectrum.leverages(kLambdas, {});
  for (std::size_t l = 0; l < kLambdas.size(); ++l) {
    SteppedSolver<double> solver("standard", of.A, of.Y, kLambdas[l]);
    ASSERT_EQ(solver.add(shape().k), Status::ok);
    const Leverages one = leverages<double>(solver.solver(), of.stored, shape().k, kLambdas[l]);
    EXPECT_LE(arma::abs(all[l].h - one.h).max(), 30 * one.rounding.max());
    EXPECT_LE(relative_difference(arma::mat(all[l].rounding), arma::mat(one.rounding)), 1e-6);
  }
}

TEST_P(RidgeSpectrumTest, OneRefinementGivesTheOutputsOfTheMinimiser) {
  for (const bool keep_rows : {true, false}) {
    const Decomposed of(problem(), keep_rows);
    std::vector<arma::mat> weights, gradients;
    for (const double lambda : kLambdas) {
      weights.push_back(solved_by_qr(of.A, of.Y, lambda) + 0.01 * normal_matrix(shape().k, shape().c, 5, 3));
      gradients.push_back(of.A.t() * (of.A * weights.back() - of.Y) + lambda * weights.back());
    }
    const std::vector<Leverages> all = of.spectrum.leverages(kLambdas, gradients);
    for (std::size_t l = 0; l < kLambdas.size(); ++l) {
      const arma::mat exact = of.A * solved_by_qr(of.A, of.Y, kLambdas[l]);
      EXPECT_LE(arma::abs(of.A * weights[l] + all[l].refined - exact).max(), 1e-9 * arma::abs(of.Y).max());
    }
  }
}

TEST_P(RidgeSpectrumTest, CriteriaAreThoseOfTheirDefinitions) {
  if (shape().n == shape().k) GTEST_SKIP() << "what is left of a sample is rounding at the least lambda";
  const Decomposed of(problem());
  for (const double lambda : kLambdas) {
    const double loo = of.spectrum.criterion(RidgeCriterion::loo_mse, lambda);
    EXPECT_NEAR(loo / loo_by_deletion(of.A, of.Y, lambda), 1, 1e-9) << lambda;
    const double gcv = of.spectrum.criterion(RidgeCriterion::gcv, lambda);
    EXPECT_NEAR(gcv / gcv_by_definition(of.A, of.Y, lambda), 1, 1e-9) << lambda;
  }
}

TEST_P(RidgeSpectrumTest, TheChoiceIsTheBestOfADenseGrid) {
  const Decomposed of(problem());
  for (const RidgeCriterion which : {RidgeCriterion::loo_mse, RidgeCriterion::gcv}) {
    const RidgeAim aim{which, 1e-6, 1e6};
    const RidgeChoice choice = of.spectrum.choose(aim);
    ASSERT_TRUE(choice.determined);
    const double mean = arma::accu(arma::square(of.A)) / static_cast<double>(shape().k);
    double least = arma::datum::inf;
    for (const double lambda : arma::logspace(-6, 6, 3001)) {
      const double value = of.spectrum.criterion(which, lambda * mean);
      if (std::isfinite(value)) least = std::min(least, value);
    }
    EXPECT_LE(of.spectrum.criterion(which, choice.lambda), least * (1 + 1e-6));
    EXPECT_GE(choice.lambda, aim.from * mean * (1 - 1e-12));
    EXPECT_LE(choice.lambda, aim.to * mean * (1 + 1e-12));
  }
}

// Targets that are noise alone want an infinite penalty; those of a linear map without noise none.
TEST(RidgeSpectrum, ChoicesLieAtBoundsWhereTheyShould) {
  Problem<double> problem = make_problem(200, 10, 1, 3, 5);
  problem.T.fill(0.5);
  problem.H -= problem.T * (problem.T.t() * problem.H) / arma::accu(arma::square(problem.T));
  EXPECT_EQ(Decomposed(problem).spectrum.choose({}).place, RidgeChoice::Place::upper_bound);
  Problem<double> exact = make_problem(200, 10, 1, 3, 6);
  exact.T = exact.H * normal_matrix(10, 1, 6, 4);
  EXPECT_EQ(Decomposed(exact).spectrum.choose({}).place, RidgeChoice::Place::lower_bound);
}

TEST(RidgeSpectrum, OfNothingChoosesNothing) {
  Problem<double> nothing = make_problem(20, 4, 1, 3, 5);
  nothing.H.zeros();
  const RidgeChoice choice = Decomposed(nothing).spectrum.choose({});
  EXPECT_FALSE(choice.determined);
  EXPECT_GT(choice.lambda, 0) << "the system of 0 is singular";
}

TEST(RidgeSpectrum, RefusesWhatIsNotFinite) {
  Problem<double> wrong = make_problem(20, 4, 1, 3, 5);
  wrong.H(3, 2) = arma::datum::nan;
  const StoredMatrix<double> A{View<const double>(wrong.H)};
  RidgeSpectrum spectrum;
  EXPECT_EQ(spectrum.decompose(A, wrong.T, 4, true), Status::not_finite);
}

TEST(RidgeSpectrum, DoesNotDependOnTheNumberOfThreads) {
  for (const auto& [n, k] : {std::pair<uword, uword>{900, 420}, {420, 500}}) {
    const Problem<double> problem = make_problem(n, k, 2, 1e3, 5);
    const auto values = [&](int threads) {
      const Threads some(threads);
      const Decomposed of(problem);
      const std::vector<Leverages> all = of.spectrum.leverages({1e-3, 1}, {});
      return arma::vec(arma::join_cols(
          arma::vectorise(of.spectrum.weights(1e-3)), all[0].h, all[1].rounding,
          arma::vec{of.spectrum.choose({}).lambda, all[0].drift, of.spectrum.criterion(RidgeCriterion::loo_mse, 1)}));
    };
    const arma::vec one = values(1), two = values(2);
    EXPECT_TRUE(arma::all(one == two)) << n << " x " << k;
  }
}

// 2 N k^2 flops for each lambda against about 3 N k^2 + 22 k^3 once.
TEST(SpectrumPays, WhereSeveralLambdasShareIt) {
  EXPECT_TRUE(spectrum_pays(8000, 1500, 13));
  EXPECT_FALSE(spectrum_pays(8000, 1500, 1));
  EXPECT_FALSE(spectrum_pays(8000, 1500, 2));
  EXPECT_FALSE(spectrum_pays(200, 20, 100)) << "nothing is gained";
}

}  // namespace
}  // namespace elmx
