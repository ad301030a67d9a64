#include <gtest/gtest.h>

#include "metrics/formulas.hpp"
#include "metrics/registry.hpp"
#include "support/golden.hpp"

// Values that scikit-learn computes: scripts/golden/scores.py.

namespace elmx {
namespace {

void expect_golden(const std::string& name, const Measurements& measured, const StoredValues& golden) {
  for (const auto& [metric, value] : golden.expected.at(name).items())
    EXPECT_TRUE(golden.agrees(measured.values.at(metric), value)) << name << ' ' << metric;
}

TEST(ScoresGolden, MetricsOfClassesAreThoseOfScikitLearn) {
  const StoredValues golden("metrics", "scores");
  for (const std::string name : {"two_classes", "four_classes"}) {
    const arma::uvec truth = golden.input.at(name).at("truth").get<std::vector<arma::uword>>();
    const arma::mat scores = matrix_from(golden.input.at(name).at("scores"));
    Measurements measured;
    add_classification_metrics(truth, arma::index_max(scores, 1), scores.n_cols, 1, "", measured);
    add_score_metrics({truth, scores, scores, 1}, "", measured);
    expect_golden(name, measured, golden);
  }
}

TEST(ScoresGolden, MetricsOfSeveralTargetsAreThoseOfScikitLearn) {
  const StoredValues golden("metrics", "scores");
  const Json& input = golden.input.at("three_targets");
  Measurements measured;
  add_regression_metrics(matrix_from(input.at("T")), matrix_from(input.at("P")), "", measured, {"y1", "y2", "y3"});
  expect_golden("three_targets", measured, golden);
  EXPECT_EQ(measured.values.size(), golden.expected.at("three_targets").size());
}

}  // namespace
}  // namespace elmx
