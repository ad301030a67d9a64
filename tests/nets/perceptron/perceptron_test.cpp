#include "nets/perceptron/perceptron.hpp"

#include <gtest/gtest.h>

#include "nets/golden.hpp"
#include "nets/perceptron_sizes.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

arma::mat hidden(const arma::mat& X, const arma::mat& W) {
  arma::mat H(X.n_rows, W.n_cols);
  hidden_outputs(X, W, View<double>(H));
  return H;
}

struct Gradient {
  double error;
  arma::mat W, Lambda;
};

Gradient evaluated(const Net& net) {
  Gradient at{0, arma::mat(arma::size(net.W), arma::fill::value(arma::datum::nan)),
              arma::mat(arma::size(net.Lambda), arma::fill::value(arma::datum::nan))};
  at.error = error_and_gradient(net.problem(), net.W, net.Lambda, View<double>(at.W), View<double>(at.Lambda));
  return at;
}

class PerceptronGolden : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Each, PerceptronGolden, testing::Values("dec_core_scalar", "dec_core_multi"));

TEST_P(PerceptronGolden, HiddenOutputsOutputsErrorAndGradients) {
  const Golden golden(GetParam());
  const Net net = golden.net();

  const arma::mat H = hidden(net.X, net.W);
  const Gradient at = evaluated(net);

  EXPECT_TRUE(golden.agrees(H, matrix_from(golden.expected["H"])));
  EXPECT_TRUE(golden.agrees(H * net.Lambda, matrix_from(golden.expected["Phi"])));
  EXPECT_TRUE(golden.agrees(at.error, golden.expected["E"]));
  EXPECT_TRUE(golden.agrees(at.Lambda, matrix_from(golden.expected["grad_Lambda"])));
  EXPECT_TRUE(golden.agrees(at.W, matrix_from(golden.expected["grad_W"])));
}

class PerceptronTest : public testing::TestWithParam<PerceptronSizes> {
 protected:
  const Net net = random_net(GetParam().P, GetParam().m, GetParam().N, GetParam().C, 7);
};

// 512 samples are a block: less than one, one, a few with a rest, more than the 16 parts of a sum.
INSTANTIATE_TEST_SUITE_P(Shapes, PerceptronTest,
                         testing::Values(PerceptronSizes{30, 4, 5, 1}, PerceptronSizes{30, 4, 5, 3},
                                         PerceptronSizes{512, 2, 3, 2}, PerceptronSizes{1100, 3, 4, 3},
                                         PerceptronSizes{1, 1, 1, 1}, PerceptronSizes{3, 7, 12, 2},
                                         PerceptronSizes{9000, 1, 2, 1}));

TEST_P(PerceptronTest, HiddenOutputsAreThoseOfTheDefinition) {
  EXPECT_LE(relative_difference(hidden(net.X, net.W), hidden_by_definition(net.X, net.W)), tolerance(net.X.n_cols, 1));
}

TEST_P(PerceptronTest, ErrorIsThatOfTheDefinition) {
  Net heavy = net;
  heavy.tau_w = 0.7;
  heavy.tau_lambda = 0.3;
  for (const Net& one : {net, heavy}) {
    const double exact = static_cast<double>(error_by_definition(one, one.W, one.Lambda));
    EXPECT_NEAR(evaluated(one).error / exact, 1, tolerance(net.X.n_rows, 1));
  }
}

TEST_P(PerceptronTest, GradientsAreTheCentralDifferences) {
  Net heavy = net;
  heavy.tau_w = 0.7;
  heavy.tau_lambda = 0.3;
  for (const Net& one : {net, heavy}) {
    const Gradient at = evaluated(one);

    const arma::vec of_W = central_differences(
        [&](const arma::vec& w) {
          return error_by_definition(one, arma::reshape(w, one.W.n_rows, one.W.n_cols), one.Lambda);
        },
        arma::vectorise(one.W));
    const arma::vec of_Lambda = central_differences(
        [&](const arma::vec& l) {
          return error_by_definition(one, one.W, arma::reshape(l, one.Lambda.n_rows, one.Lambda.n_cols));
        },
        arma::vectorise(one.Lambda));

    EXPECT_LE(relative_difference(arma::mat(arma::vectorise(at.W)), arma::mat(of_W)), 1e-7);
    EXPECT_LE(relative_difference(arma::mat(arma::vectorise(at.Lambda)), arma::mat(of_Lambda)), 1e-7);
  }
}

TEST(Perceptron, SaturatedUnitsAreExactlyZeroOrOne) {
  Net net = random_net(40, 3, 4, 2, 7);
  net.X.tail_cols(3) *= 1e5;
  const arma::mat H = hidden(net.X, net.W);
  const Gradient at = evaluated(net);

  EXPECT_TRUE(arma::all(arma::vectorise(H == 0.0 || H == 1.0)));
  EXPECT_GT(arma::accu(H), 0);
  EXPECT_LT(arma::accu(H), static_cast<double>(H.n_elem));
  EXPECT_TRUE(std::isfinite(at.error) && at.Lambda.is_finite());
  EXPECT_LE(relative_difference(at.W, arma::mat(net.tau_w * net.W)), tolerance(1, 1))
      << "nothing but the penalty is left";
}

TEST(Perceptron, ResultsDoNotDependOnTheNumberOfThreads) {
  const Net net = random_net(10000, 6, 11, 2, 7);
  const auto on = [&](int count) {
    const Threads scope(count);
    return std::pair(hidden(net.X, net.W), evaluated(net));
  };
  const auto [H, at] = on(1);

  for (const int count : {2, 3}) {
    const auto [other_H, other] = on(count);
    EXPECT_TRUE(identical(H, other_H));
    EXPECT_EQ(at.error, other.error);
    EXPECT_TRUE(identical(at.W, other.W));
    EXPECT_TRUE(identical(at.Lambda, other.Lambda));
  }
}

TEST(Perceptron, RefusesWrongShapes) {
  const Net net = random_net(20, 3, 4, 2, 7);
  arma::mat H(20, 5), grad_W(4, 4), grad_Lambda(4, 1);

  EXPECT_NE(thrown<std::logic_error>([&] { hidden_outputs(net.X, net.W, View<double>(H)); }), "");
  EXPECT_NE(thrown<std::logic_error>([&] {
              error_and_gradient(net.problem(), net.W, net.Lambda, View<double>(grad_W), View<double>(grad_Lambda));
            }),
            "");
}

}  // namespace
}  // namespace elmx
