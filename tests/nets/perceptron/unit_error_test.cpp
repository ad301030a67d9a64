#include <gtest/gtest.h>

#include "nets/golden.hpp"
#include "nets/perceptron/unit_step.hpp"
#include "nets/perceptron_sizes.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/threads.hpp"

namespace elmx {
namespace {

/// Unit j of a net with everything that UnitError refers to.
struct Unit {
  Net net;
  uword j;
  PerceptronProblem problem = net.problem();
  arma::vec w0 = net.W.col(j);
  arma::mat H = hidden_by_definition(net.X, net.W);
  arma::mat R = H * net.Lambda - net.Y;
  UnitError error{problem, w0, H.colptr(j), net.Lambda.row(j), View<const double>(R)};

  Unit(Net n, uword unit) : net(std::move(n)), j(unit) {}
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  arma::mat with(const arma::vec& w) const {
    arma::mat W = net.W;
    W.col(j) = w;
    return W;
  }
  /// E(w) - E(w_0) from two values of E.
  double change_by_definition(const arma::vec& w) const {
    return static_cast<double>(error_by_definition(net, with(w), net.Lambda) -
                               error_by_definition(net, net.W, net.Lambda));
  }
  std::pair<double, arma::vec> at(const arma::vec& w) const {
    arma::vec gradient(w.n_elem, arma::fill::value(arma::datum::nan));
    const double value = error(w.memptr(), gradient.memptr());
    return {value, gradient};
  }
};

class UnitErrorTest : public testing::TestWithParam<PerceptronSizes> {
 protected:
  Net net(double tau_w) const {
    Net one = random_net(GetParam().P, GetParam().m, GetParam().N, GetParam().C, 7);
    one.tau_w = tau_w;
    return one;
  }
};

// 2048 samples are a block; the last has more than the 16 parts of a sum.
INSTANTIATE_TEST_SUITE_P(Shapes, UnitErrorTest,
                         testing::Values(PerceptronSizes{30, 4, 5, 1}, PerceptronSizes{30, 4, 5, 3},
                                         PerceptronSizes{2048, 2, 3, 2}, PerceptronSizes{4500, 3, 2, 3},
                                         PerceptronSizes{1, 1, 1, 1}, PerceptronSizes{35000, 1, 1, 1}));

TEST_P(UnitErrorTest, IsTheDifferenceOfTwoErrors) {
  for (const double tau_w : {1e-4, 0.7}) {
    const Unit unit(net(tau_w), GetParam().N - 1);
    for (const double size : {0.0, 1e-3, 1.0}) {
      const arma::vec w = unit.w0 + size * normal_matrix(unit.w0.n_elem, 1, 8);
      const double exact = unit.change_by_definition(w);

      EXPECT_NEAR(unit.at(w).first, exact, 1e-12 * std::abs(exact) + tolerance(GetParam().P, 1))
          << "at a distance of " << size;
    }
  }
}

TEST_P(UnitErrorTest, GradientIsTheCentralDifferences) {
  for (const double tau_w : {1e-4, 0.7}) {
    const Unit unit(net(tau_w), 0);
    const arma::vec w = unit.w0 + 0.3 * normal_matrix(unit.w0.n_elem, 1, 8);

    const arma::vec differences = central_differences(
        [&](const arma::vec& v) { return error_by_definition(unit.net, unit.with(v), unit.net.Lambda); }, w);

    EXPECT_LE(relative_difference(arma::mat(unit.at(w).second), arma::mat(differences)), 1e-7);
  }
}

TEST_P(UnitErrorTest, GradientIsTheUnitsColumnOfTheWhole) {
  const Unit unit(net(0.1), GetParam().N - 1);
  arma::mat grad_W(arma::size(unit.net.W)), grad_Lambda(arma::size(unit.net.Lambda));
  error_and_gradient(unit.problem, unit.net.W, unit.net.Lambda, View<double>(grad_W), View<double>(grad_Lambda));

  EXPECT_LE(relative_difference(arma::mat(unit.at(unit.w0).second), arma::mat(grad_W.col(unit.j))),
            10 * tolerance(GetParam().P, 1))
      << "sums of the same terms in another order";
}

TEST_P(UnitErrorTest, AlongADirectionItIsTheValueThere) {
  const Unit unit(net(0.1), 0);
  const arma::vec d = normal_matrix(unit.w0.n_elem, 1, 9), v = unit.error.product(unit.w0), q = unit.error.product(d);

  EXPECT_LE(relative_difference(arma::mat(q), arma::mat(unit.net.X * d)), tolerance(unit.w0.n_elem, 1));
  EXPECT_EQ(unit.error.along(v, q, d, 0), unit.at(unit.w0).first);
  for (const double alpha : {2.0, 0.5, 1e-3}) {
    const double there = unit.at(unit.w0 + alpha * d).first;
    EXPECT_NEAR(unit.error.along(v, q, d, alpha), there, 1e-11 * std::abs(there) + tolerance(GetParam().P, 1)) << alpha;
  }
}

class UnitErrorGolden : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Each, UnitErrorGolden, testing::Values("dec_core_scalar", "dec_core_multi"));

TEST_P(UnitErrorGolden, ErrorAlongTheNegativeGradientOfUnitOne) {
  const Golden golden(GetParam());
  const Unit unit(golden.net(), 1);
  const double E = golden.expected["E"].get<double>();
  const auto [value, gradient] = unit.at(unit.w0);
  const arma::vec d = -gradient, v = unit.error.product(unit.w0), q = unit.error.product(d);

  EXPECT_NEAR(value, 0, 1e-12) << "a difference to the start itself";
  EXPECT_TRUE(golden.agrees(gradient, matrix_from(golden.expected["grad_W"]).col(1)));
  for (const Json& point : golden.expected["E_along_minus_grad_unit1"]) {
    EXPECT_TRUE(golden.agrees(E + unit.error.along(v, q, d, point["alpha"].get<double>()), point["E"]))
        << point["alpha"];
  }
}

// E is 5e11 here: the difference of two values of it would keep 4 digits.
TEST(UnitError, StaysAccurateWhereTheErrorIsLarge) {
  Net net = random_net(200, 3, 4, 2, 7);
  net.Y.row(0) += 1e6;
  net.X.row(0).zeros();  // g(0) = 1/2 whatever w is: this sample adds nothing to a change
  const Unit unit(net, 1);
  const arma::vec w = unit.w0 + 1e-4;
  const Unit without(
      [&] {
        Net rest = net;
        rest.X.shed_row(0);
        rest.Y.shed_row(0);
        return rest;
      }(),
      1);

  EXPECT_NEAR(unit.at(w).first / without.change_by_definition(w), 1, 1e-9);
}

TEST(UnitError, SaturatedSamplesAreNotANumberNowhere) {
  Net net = random_net(50, 3, 4, 2, 7);
  net.X.tail_cols(3) *= 1e5;
  const Unit unit(net, 1);
  const arma::vec w = -unit.w0, d = w - unit.w0;

  const auto [value, gradient] = unit.at(w);

  EXPECT_NEAR(value / unit.change_by_definition(w), 1, 1e-12);
  EXPECT_LE(relative_difference(arma::mat(gradient), arma::mat(net.tau_w * w)), tolerance(1, 1));
  EXPECT_NEAR(unit.error.along(unit.error.product(unit.w0), unit.error.product(d), d, 1) / value, 1, 1e-12);
}

TEST(UnitError, AUnitWithoutOutputWeightsIsItsPenalty) {
  Net net = random_net(50, 3, 4, 2, 7);
  net.Lambda.row(2).zeros();
  const Unit unit(net, 2);
  const arma::vec w = 2 * unit.w0;

  const auto [value, gradient] = unit.at(w);

  EXPECT_NEAR(value, 1.5 * net.tau_w * arma::dot(unit.w0, unit.w0), 1e-15);
  EXPECT_LE(relative_difference(arma::mat(gradient), arma::mat(net.tau_w * w)), tolerance(1, 1));
}

TEST(UnitError, ResultsDoNotDependOnTheNumberOfThreads) {
  const Unit unit(random_net(10000, 6, 3, 2, 7), 1);
  const arma::vec d = normal_matrix(7, 1, 9), w = unit.w0 + d;
  const auto on = [&](int count) {
    const Threads scope(count);
    const auto [value, gradient] = unit.at(w);
    return arma::vec(arma::join_cols(
        gradient, arma::vec{value, unit.error.along(unit.error.product(unit.w0), unit.error.product(d), d, 0.3)}));
  };

  for (const int count : {2, 3}) EXPECT_TRUE(identical(on(1), on(count)));
}

}  // namespace
}  // namespace elmx
