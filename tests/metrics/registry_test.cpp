#include "metrics/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace elmx {
namespace {

std::set<std::string> names(const std::map<std::string, double>& values) {
  std::set<std::string> set;
  for (const auto& [name, value] : values) set.insert(name);
  return set;
}

TEST(MetricRegistry, EveryRowIsNamedOnceAndComputedByItsKindOnly) {
  std::set<std::string> seen;
  for (const Metric& metric : metrics()) {
    EXPECT_TRUE(seen.insert(metric.name).second) << metric.name;
    EXPECT_GT(std::string(metric.doc).size(), 10u) << metric.name;
    EXPECT_EQ(metric.of_outputs != nullptr, metric.kind == MetricKind::regression) << metric.name;
    EXPECT_EQ(metric.of_counts != nullptr, metric.kind == MetricKind::classification) << metric.name;
  }
}

TEST(MetricRegistry, StructureIsNoErrorAndIsNotComputedHere) {
  std::set<std::string> structure;
  for (const Metric& metric : metrics()) {
    if (metric.kind == MetricKind::structure) structure.insert(metric.name);
  }

  EXPECT_EQ(structure, (std::set<std::string>{"iterations", "nodes_kept"}));
  EXPECT_STREQ(to_string(MetricKind::structure), "structure");
  EXPECT_EQ(names(regression_metrics(arma::vec{1}, arma::vec{1}, "")).count("iterations"), 0u);
}

TEST(MetricRegistry, RegressionValuesCarryThePrefix) {
  const auto values = regression_metrics(arma::vec{1, 3}, arma::vec{1, 5}, "test_");

  EXPECT_EQ(names(values), (std::set<std::string>{"test_mse", "test_rmse", "test_r2"}));
  EXPECT_DOUBLE_EQ(values.at("test_mse"), 2);
}

TEST(MetricRegistry, ThePositiveClassIsTheOneGiven) {
  const arma::uvec truth = {0, 0, 0, 1, 1};
  const arma::uvec predicted = {0, 0, 1, 1, 0};

  EXPECT_DOUBLE_EQ(classification_metrics(truth, predicted, 2, 0, "").at("sn"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(classification_metrics(truth, predicted, 2, 1, "").at("sn"), 1.0 / 2);
  EXPECT_DOUBLE_EQ(classification_metrics(truth, predicted, 2, 1, "").at("mcc"),
                   classification_metrics(truth, predicted, 2, 0, "").at("mcc"));
}

TEST(MetricRegistry, MacroF1IsForMoreThanTwoClasses) {
  EXPECT_EQ(names(classification_metrics({0, 1}, {0, 1}, 2, 1, "")), (std::set<std::string>{"acc", "bac", "gm", "mcc", "pe", "sn"}));
  EXPECT_EQ(names(classification_metrics({0, 1, 2}, {0, 1, 2}, 3, 1, "")),
            (std::set<std::string>{"acc", "bac", "gm", "macro_f1", "mcc", "pe", "sn"}));
}

TEST(MetricRegistry, BalancedAccuracyAndGMeanAreOfAllClassesWhicheverIsPositive) {
  for (const arma::uword positive : {0u, 1u}) {
    const auto values = classification_metrics({0, 0, 0, 0, 1, 1}, {0, 0, 0, 1, 1, 0}, 2, positive, "");
    EXPECT_DOUBLE_EQ(values.at("bac"), (3.0 / 4 + 1.0 / 2) / 2);
    EXPECT_DOUBLE_EQ(values.at("gm"), std::sqrt(3.0 / 8));
  }
}

TEST(MetricRegistry, NamesAreFoundAndOthersAreProgrammersErrors) {
  EXPECT_EQ(metric_named("loo_acc").better, Better::higher);
  EXPECT_EQ(metric_named("gcv").better, Better::lower);
  EXPECT_THROW(metric_named("press"), std::logic_error);
}

TEST(MetricRegistry, WhatIsUndefinedIsAbsent) {
  const auto values = classification_metrics({0, 0}, {0, 0}, 2, 1, "test_");

  EXPECT_EQ(names(values), (std::set<std::string>{"test_acc", "test_bac", "test_gm", "test_mcc"}));
  EXPECT_EQ(regression_metrics(arma::vec{2, 2}, arma::vec{1, 2}, "").count("r2"), 0u);
}

}  // namespace
}  // namespace elmx
