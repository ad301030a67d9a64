#include <gtest/gtest.h>

#include "data/table/dataset.hpp"
#include "data/transforms/targets.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/thrown.hpp"

// Ridge regression and the mean by their definition: solutions of the augmented system by QR, sums of the
// targets.

namespace elmx {
namespace {

constexpr uword kAllRows = 60, kTrainRows = 40, kColumns = 3;

struct LinearData {
  arma::mat X = normal_matrix(kAllRows, kColumns, 3, 1) + 2, Y = normal_matrix(kAllRows, 2, 3, 2) + 5;
  arma::uvec train = arma::regspace<arma::uvec>(0, kTrainRows - 1),
             test = arma::regspace<arma::uvec>(kTrainRows, kAllRows - 1);
  Scaler as_it_is = Scaler::fit("none", X, train);

  FoldView fold() const { return {{X, train, as_it_is}, {X, test, as_it_is}, Y.rows(train), {X, {}, as_it_is}}; }
};

std::vector<Checkpoint> trained(const LinearData& data, const std::vector<Json>& models) {
  const Family& family = family_of(models.front(), "/model");
  std::vector<ModelPtr> all;
  for (const Json& model : models) all.push_back(parsed(model));
  FakeClock clock;
  std::vector<Checkpoint> points;
  family.prepare(all, data.fold(), Rng(5, Purpose::layer))->train("standard", clock, [&](const Checkpoint& point) {
    points.push_back(point);
  });
  return points;
}

/// min ||X W + 1 w - Y||^2 + lambda ||W||^2 with the intercept w free: of centred inputs and targets.
arma::mat predictions_by_definition(const LinearData& data, double lambda) {
  const arma::mat X = data.X.rows(data.train), Y = data.Y.rows(data.train);
  const arma::rowvec x = arma::mean(X), y = arma::mean(Y);
  const arma::mat centred = X.each_row() - x, rest = Y.each_row() - y;
  const arma::mat A = arma::join_cols(centred, std::sqrt(lambda) * arma::eye(kColumns, kColumns)),
                  B = arma::join_cols(rest, arma::zeros(kColumns, Y.n_cols));
  const arma::mat W = arma::solve(A, B);  // least squares by QR
  const arma::mat outside = data.X.rows(data.test);
  return (outside.each_row() - x) * W + arma::ones(outside.n_rows) * y;
}

TEST(Linear, IsRidgeRegressionWithAFreeIntercept) {
  const LinearData data;
  const std::vector<double> lambdas{0.1, 10};
  const std::vector<Checkpoint> points =
      trained(data, {{{"family", "linear"}, {"ridge", lambdas[0]}}, {{"family", "linear"}, {"ridge", lambdas[1]}}});

  ASSERT_EQ(points.size(), 2u);
  for (const Checkpoint& point : points) {
    const double lambda = lambdas[point.point];
    EXPECT_EQ(point.nodes, 0u);
    EXPECT_LE(relative_difference(point.test_output, predictions_by_definition(data, lambda)),
              10 * lambda / 65536 / static_cast<double>(kTrainRows))
        << "the intercept has 1 / 65536 of the penalty";
    EXPECT_LE(point.diagnostics.at("backward_error"), tolerance(kTrainRows, kColumns + 1));
  }
}

TEST(Linear, ItsPenaltyIsThatOfTheInputs) {
  const LinearData data;
  const auto of = [&](double lambda) {
    return trained(data, {{{"family", "linear"}, {"ridge", lambda}}})[0].test_output;
  };

  EXPECT_GT(relative_difference(of(0.1), predictions_by_definition(data, 10)), 1e-3);
}

TEST(Linear, OtherAlgorithmsThanTheDirectSolutionAreRefused) {
  const auto act = [] { parsed({{"family", "linear"}, {"algorithms", {"panel"}}}); };
  EXPECT_EQ(place_thrown<ConfigError>(act), "/model/algorithms");
  EXPECT_NE(thrown<ConfigError>(act).find("standard"), std::string::npos);
}

TEST(Mean, IsTheMeanOfTheTrainingTargets) {
  const LinearData data;
  const std::vector<Checkpoint> points = trained(data, {{{"family", "mean"}, {"leave_one_out", true}}});

  ASSERT_EQ(points.size(), 1u);
  const arma::rowvec mean = arma::mean(data.Y.rows(data.train));
  EXPECT_LE(arma::abs(points[0].test_output.each_row() - mean).max(), 1e-14 * arma::norm(mean));
  EXPECT_LE(arma::abs(points[0].leverages.h - 1.0 / kTrainRows).max(), 1e-15);
  EXPECT_EQ(points[0].nodes, 0u);
}

// Outputs are the shares of the classes, of which the largest is taken.
TEST(Mean, OfClassesIsTheLargestOne) {
  Dataset set;
  set.task = Task::classification;
  set.classes = {"a", "b", "c"};
  set.labels = {1, 0, 1, 2, 1, 2};
  set.X = arma::zeros(6, kColumns);
  const arma::uvec all = arma::regspace<arma::uvec>(0, 5);
  const Targets targets(set, TargetOptions(), all);
  const Scaler as_it_is = Scaler::fit("none", set.X, all);
  const FoldView fold{{set.X, all, as_it_is}, {set.X, all, as_it_is}, targets.encode(all), {set.X, {}, as_it_is}};
  FoldView balanced = fold;
  balanced.sample_weights = {0.5, 2, 0.5, 1, 0.5, 1};  // class 1 has 1.5, the others 2
  for (const FoldView& one : {fold, balanced}) {
    FakeClock clock;
    arma::uvec decided;
    family_of({{"family", "mean"}}, "/model")
        .prepare({parsed({{"family", "mean"}})}, one, Rng(5, Purpose::layer))
        ->train("standard", clock,
                [&](const Checkpoint& point) { decided = targets.decode_labels(point.test_output); });

    EXPECT_TRUE(arma::all(decided == 1));
  }
}

}  // namespace
}  // namespace elmx
