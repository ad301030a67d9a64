#include <gtest/gtest.h>

#include "linalg/decompositions.hpp"
#include "nets/perceptron/decomposition.hpp"
#include "nets/trainings.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

// Stored values.

class DecompositionGolden : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Each, DecompositionGolden,
                         testing::Values("dec_sweep_scalar", "dec_sweep_multi", "dec_sweep_skip"));

TEST_P(DecompositionGolden, EveryBlockStepOfTheSweeps) {
  const Golden golden(GetParam());
  const Net net = golden.net();
  DecompositionOptions options;
  options.theta = golden.input["theta"].get<double>();
  options.unit.inner = false;
  options.unit.armijo = {golden.input["armijo_a"], golden.input["armijo_gamma"], golden.input["armijo_delta"], 60};
  Decomposition training = training_of(net, "dec", options);
  std::vector<double> trace{training.error()};
  ASSERT_EQ(training.block_step(), Status::ok);
  trace.push_back(training.error());

  for (const Json& unit : golden.expected["units"]) {
    const auto j = unit["j"].get<uword>();
    if (j == 0 && unit["k"] > 1) {
      ASSERT_EQ(training.block_step(), Status::ok);  // all output weights
      trace.push_back(training.error());
    }
    EXPECT_EQ(training.k(), unit["k"].get<std::size_t>());
    EXPECT_TRUE(golden.agrees(training.error(), unit["E_before"]));
    Decomposition half = training;

    const UnitStep step = half.minimise_unit(j);
    ASSERT_EQ(training.block_step(), Status::ok);

    EXPECT_TRUE(golden.agrees(step.gradient, vector_from(unit["grad_w"])));
    EXPECT_TRUE(golden.agrees(arma::norm(step.gradient), unit["grad_norm"]));
    EXPECT_EQ(step.skipped, unit["skipped"].get<bool>());
    EXPECT_TRUE(golden.agrees(step.alpha, unit["alpha"]));
    EXPECT_EQ(step.backtracks, unit["backtracks"].get<std::size_t>());
    EXPECT_TRUE(golden.agrees(step.w, vector_from(unit["w_new"])));
    EXPECT_TRUE(golden.agrees(half.error(), unit["E_after_w"]));
    EXPECT_TRUE(golden.agrees(half.W().col(j), vector_from(unit["w_new"])));
    EXPECT_TRUE(identical(training.W(), half.W()));
    EXPECT_TRUE(golden.agrees(training.Lambda().row(j).t(), vector_from(unit["lambda_new"])));
    EXPECT_TRUE(golden.agrees(training.error(), unit["E_after_lambda"]));
    if (j + 1 == net.W.n_cols) trace.push_back(training.error());
  }
  ASSERT_EQ(training.block_step(), Status::ok);
  trace.push_back(training.error());

  EXPECT_TRUE(golden.agrees(training.W(), matrix_from(golden.expected["W_final"])));
  EXPECT_TRUE(golden.agrees(training.Lambda(), matrix_from(golden.expected["Lambda_final"])));
  ASSERT_EQ(trace.size(), golden.expected["E_trace"].size());
  for (std::size_t i = 0; i < trace.size(); ++i)
    EXPECT_TRUE(golden.agrees(trace[i], golden.expected["E_trace"][i]["E"])) << i;
}

TEST_P(DecompositionGolden, MajorStepsAreTheirBlockSteps) {
  const Golden golden(GetParam());
  const Net net = golden.net();
  DecompositionOptions options;
  options.theta = golden.input["theta"].get<double>();
  options.unit.inner = false;
  Decomposition training = training_of(net, "dec", options);

  for (int K = 0; K < golden.input["maxiter"]; ++K) ASSERT_EQ(training.major_step(), Status::ok);

  EXPECT_TRUE(golden.agrees(training.W(), matrix_from(golden.expected["W_final"])));
  EXPECT_TRUE(golden.agrees(training.Lambda(), matrix_from(golden.expected["Lambda_final"])));
}

class OutputStepGolden : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Each, OutputStepGolden, testing::Values("dec_core_scalar", "dec_core_multi"));

TEST_P(OutputStepGolden, OneDimensionalUpdates) {
  const Golden golden(GetParam());
  const Net net = golden.net();
  for (const Json& update : golden.expected["one_dim_updates"]) {
    const auto j = update["j"].get<uword>();
    Decomposition training = training_of(net, "dec");

    ASSERT_EQ(training.minimise_outputs({j, 1}), Status::ok);

    arma::mat expected = net.Lambda;
    expected.row(j) = vector_from(update["lambda_new"]).t();
    EXPECT_TRUE(golden.agrees(training.Lambda(), expected)) << j;
    EXPECT_TRUE(golden.agrees(training.error(), update["E"])) << j;
  }
}

TEST(DecompositionGolden, MinimumNormBaseline) {
  const Golden golden("dec_elm_baseline");
  const arma::mat X = matrix_from(golden.input["X_aug"]), Y = matrix_from(golden.input["Y"]);
  const arma::mat tall = hidden_by_definition(X, matrix_from(golden.input["W0"]));
  const arma::mat wide = hidden_by_definition(X.head_rows(5), matrix_from(golden.input["W_wide"]));
  const auto solved = [](const arma::mat& H, const arma::mat& T) {
    arma::mat Lambda;
    EXPECT_EQ(minimum_norm(H, T, Lambda), Status::ok);
    return Lambda;
  };

  EXPECT_TRUE(golden.agrees(solved(tall, Y), matrix_from(golden.expected["tall"])));
  EXPECT_TRUE(golden.agrees(solved(wide, Y.head_rows(5)), matrix_from(golden.expected["wide"])));
  EXPECT_TRUE(
      golden.agrees(solved(arma::join_rows(tall, tall.col(1)), Y), matrix_from(golden.expected["rank_deficient"])));
}

}  // namespace
}  // namespace elmx
