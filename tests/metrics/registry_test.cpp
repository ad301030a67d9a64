#include "metrics/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace elmx {
namespace {

std::map<std::string, double> regression_metrics(const arma::mat& T, const arma::mat& P, const std::string& prefix) {
  Measurements measured;
  add_regression_metrics(T, P, prefix, measured);
  return measured.values;
}

Measurements classified(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes, arma::uword positive,
                        const std::string& prefix) {
  Measurements measured;
  add_classification_metrics(truth, predicted, classes, positive, prefix, measured);
  return measured;
}

std::map<std::string, double> classification_metrics(const arma::uvec& truth, const arma::uvec& predicted,
                                                     arma::uword classes, arma::uword positive,
                                                     const std::string& prefix) {
  return classified(truth, predicted, classes, positive, prefix).values;
}

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
    EXPECT_EQ((metric.of_counts != nullptr) != (metric.of_scores != nullptr), metric.kind == MetricKind::classification)
        << metric.name;
  }
}

TEST(MetricRegistry, StructureIsNoErrorAndIsNotComputedHere) {
  std::set<std::string> structure;
  for (const Metric& metric : metrics()) {
    if (metric.kind == MetricKind::structure) structure.insert(metric.name);
  }

  EXPECT_EQ(structure, (std::set<std::string>{"chosen_length", "chosen_ridge", "iterations", "nodes_kept", "weight"}));
  EXPECT_STREQ(to_string(MetricKind::structure), "structure");
  EXPECT_EQ(names(regression_metrics(arma::vec{1}, arma::vec{1}, "")).count("iterations"), 0u);
}

TEST(MetricRegistry, RegressionValuesCarryThePrefix) {
  const auto values = regression_metrics(arma::vec{1, 3}, arma::vec{1, 5}, "test_");

  EXPECT_EQ(names(values), (std::set<std::string>{"test_mae", "test_median_ae", "test_mse", "test_r2", "test_rmse"}));
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

TEST(MetricRegistry, MacroF1IsForMoreThanTwoClassesAndF1ForTwo) {
  EXPECT_EQ(names(classification_metrics({0, 1}, {0, 1}, 2, 1, "")),
            (std::set<std::string>{"acc", "bac", "f1", "gm", "mcc", "pe", "sn"}));
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

TEST(MetricRegistry, EachOfSeveralTargetsIsJudgedAlone) {
  const arma::mat T = {{1, 100}, {3, 500}}, P = {{2, 100}, {1, 700}};
  Measurements all, second, one;
  add_regression_metrics(T, P, "test_", all, {"a", "b"});
  add_regression_metrics(T.col(1), P.col(1), "test_", second);
  add_regression_metrics(T.col(1), P.col(1), "test_", one, {"b"});

  for (const auto& [name, value] : second.values) EXPECT_EQ(all.values.at(name + "[b]"), value) << name;
  EXPECT_EQ(all.values.size(), 3 * second.values.size());
  EXPECT_EQ(one.values, second.values) << "of one target it is the metric itself";
}

Measurements scored(const arma::uvec& truth, const arma::mat& scores, arma::uword positive = 1) {
  Measurements measured;
  add_score_metrics({truth, scores, {}, positive}, "", measured);
  return measured;
}

TEST(MetricRegistry, AucIsOfThePositiveClassOrTheMeanOfClassesThatOccur) {
  const arma::uvec truth = {0, 1, 0, 1};
  const arma::mat of_two = {{3, 0.1}, {3, 0.4}, {3, 0.3}, {3, 0.2}};
  const arma::mat four = arma::join_rows(of_two, arma::mat(4, 2, arma::fill::ones));

  EXPECT_DOUBLE_EQ(scored(truth, of_two).values.at("auc"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(scored(truth, of_two, 0).values.at("auc"), 1.0 / 2) << "all outputs for class 0 are equal";
  EXPECT_DOUBLE_EQ(scored(truth, four).values.at("auc"), (1.0 / 2 + 3.0 / 4) / 2);
  EXPECT_EQ(scored(truth, four).notes.count("auc"), 1u) << "two of four classes have no sample";
  EXPECT_EQ(scored({1, 1, 1, 1}, of_two).values.count("auc"), 0u);
  EXPECT_EQ(scored({1, 1, 1, 1}, of_two).notes.count("auc"), 1u);
  EXPECT_EQ(scored(truth, of_two).values.count("log_loss"), 0u) << "these outputs are no probabilities";
}

TEST(MetricRegistry, ConstantTargetsAreLeftOutOfR2WithANote) {
  const arma::mat T = {{1, 5}, {3, 5}}, P = {{2, 4}, {1, 7}};
  Measurements measured;
  add_regression_metrics(T, P, "", measured, {"a", "b"});

  EXPECT_EQ(measured.values.at("r2"), measured.values.at("r2[a]"));
  EXPECT_EQ(measured.values.count("r2[b]"), 0u);
  EXPECT_EQ(measured.notes.count("r2") + measured.notes.count("r2[b]"), 2u);
}

TEST(MetricRegistry, NamesAreFoundAndOthersAreProgrammersErrors) {
  EXPECT_EQ(metric_named("loo_acc").better, Better::higher);
  EXPECT_EQ(metric_named("gcv").better, Better::lower);
  EXPECT_THROW(metric_named("press"), std::logic_error);
}

// scikit-learn: precision_score, recall_score, f1_score (macro), matthews_corrcoef with zero_division = 0;
// balanced_accuracy_score.
TEST(MetricRegistry, ARatioOfZeroToZeroIsZeroAndIsNoted) {
  const Measurements nothing = classified({0, 1}, {0, 0}, 2, 1, "test_"), none = classified({0, 0}, {0, 1}, 2, 1, "");

  EXPECT_EQ(nothing.values.at("test_pe"), 0);
  EXPECT_EQ(nothing.values.at("test_mcc"), 0);
  EXPECT_EQ(nothing.notes.size(), 2u);
  EXPECT_NE(nothing.notes.at("test_pe").find("nothing is predicted"), std::string::npos);
  EXPECT_EQ(none.values.at("sn"), 0);
  EXPECT_EQ(none.values.at("pe"), 0);
  EXPECT_EQ(none.values.at("bac"), 0.5) << "of the classes that have samples";
  EXPECT_EQ(none.notes.count("sn"), 1u);
  EXPECT_EQ(none.notes.count("pe"), 0u) << "0 / 1";
  EXPECT_TRUE(classified({0, 1}, {0, 1}, 2, 1, "").notes.empty());
  EXPECT_TRUE(classified({}, {}, 2, 1, "").values.empty()) << "no sample at all";
}

TEST(MetricRegistry, MacroAveragesAreOverTheClassesThatOccur) {
  const Measurements given_up = classified({0, 0, 1, 2}, {0, 0, 0, 2}, 3, 1, ""),
                     invented = classified({0, 0, 1}, {0, 2, 1}, 3, 1, "");

  EXPECT_NEAR(given_up.values.at("pe"), (2.0 / 3 + 0 + 1) / 3, 1e-15);
  EXPECT_EQ(given_up.notes.count("pe"), 1u);
  EXPECT_EQ(given_up.notes.count("sn"), 0u);
  EXPECT_NEAR(invented.values.at("sn"), (0.5 + 1 + 0) / 3, 1e-15);
  EXPECT_NEAR(invented.values.at("pe"), (1.0 + 1 + 0) / 3, 1e-15);
  EXPECT_NEAR(invented.values.at("macro_f1"), (2.0 / 3 + 1 + 0) / 3, 1e-15);
  EXPECT_NEAR(invented.values.at("bac"), (0.5 + 1) / 2, 1e-15);
  EXPECT_EQ(given_up.notes.count("bac"), 0u);
}

TEST(MetricRegistry, AveragesThatLeaveClassesOutSaySo) {
  const Measurements all = classified({0, 1, 2, 0}, {0, 1, 2, 1}, 3, 1, ""),
                     some = classified({0, 1, 1, 0}, {0, 1, 1, 1}, 3, 1, "");

  for (const char* name : {"bac", "gm", "macro_f1", "sn", "pe"}) {
    EXPECT_EQ(all.notes.count(name), 0u) << name;
    EXPECT_EQ(some.notes.count(name), 1u) << name << " of two classes of three";
  }
  EXPECT_EQ(some.notes.count("acc"), 0u) << "is no average over classes";
}

TEST(MetricRegistry, WhatIsNotAvailableSaysWhy) {
  Measurements constant, huge;
  add_regression_metrics(arma::vec{0.1, 0.1, 0.1, 0.1 + 1e-16}, arma::vec{0.2, 0, 0.1, 0.3}, "", constant);
  add_regression_metrics(arma::vec{1e200, -1e200}, arma::vec{0, 0}, "", huge);

  EXPECT_EQ(constant.values.count("r2"), 0u);
  EXPECT_EQ(constant.notes.at("r2"), "the targets are constant");
  EXPECT_EQ(huge.values.count("mse"), 0u);
  EXPECT_EQ(huge.notes.at("mse"), kNotFinite);
  EXPECT_DOUBLE_EQ(huge.values.at("rmse"), 1e200);
  EXPECT_DOUBLE_EQ(huge.values.at("r2"), 0);
}

}  // namespace
}  // namespace elmx
