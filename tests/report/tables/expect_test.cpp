#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "report/frame/selection.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

Record record(const std::string& algorithm, arma::uword fold, std::optional<double> accuracy) {
  Record one;
  one.dataset = "iris";
  one.algorithm = algorithm;
  one.fold = fold;
  StepRecord step;
  step.nodes = 10;
  if (accuracy) step.metrics["test_acc"] = *accuracy;
  one.steps.push_back(step);
  return one;
}

Expectation at_least(double bound, Json where = Json::object()) {
  Expectation expectation;
  expectation.where = std::move(where);
  expectation.metric = "test_acc";
  expectation.at_least = bound;
  return expectation;
}

/// Verdicts in order; the mean accuracies are 0.8 of alg1 and 0.6 of alg2.
std::vector<std::string> verdicts(const std::vector<Expectation>& expectations, std::vector<Record> more = {}) {
  std::vector<Record> records{record("alg1", 0, 0.7), record("alg1", 1, 0.9), record("alg2", 0, 0.5),
                              record("alg2", 1, 0.7)};
  records.insert(records.end(), more.begin(), more.end());
  const ExpectationsFound found = check_expectations(expectations, Frame(records));
  std::vector<std::string> all;
  for (const auto& row : found.table.rows) all.push_back(row.back().text);
  EXPECT_EQ(found.unmet, static_cast<std::size_t>(std::count(all.begin(), all.end(), "not met")));
  return all;
}

using Verdicts = std::vector<std::string>;

TEST(Expectations, AreJudgedOnEveryRow) {
  EXPECT_EQ(verdicts({at_least(0.55)}), (Verdicts{"met", "met"}));
  EXPECT_EQ(verdicts({at_least(0.7)}), (Verdicts{"met", "not met"}));
  EXPECT_EQ(verdicts({at_least(0.7, {{"algorithm", "alg1"}})}), Verdicts{"met"});
  EXPECT_EQ(verdicts({at_least(0.7, {{"algorithm", {"alg1", "alg2"}}, {"nodes", 10}})}), (Verdicts{"met", "not met"}));
}

TEST(Expectations, BoundsAreInclusiveAndAllMustHold) {
  Expectation both = at_least(0.8, {{"algorithm", "alg1"}});
  both.at_most = 0.8;
  EXPECT_EQ(verdicts({both}), Verdicts{"met"});
  both.at_most = 0.79;
  EXPECT_EQ(verdicts({both}), Verdicts{"not met"});

  Expectation equal;
  equal.metric = "test_acc";
  equal.where = {{"algorithm", "alg2"}};
  equal.equals = 0.65;
  equal.tolerance = 0.051;
  EXPECT_EQ(verdicts({equal}), Verdicts{"met"});
  equal.tolerance = 0.049;
  EXPECT_EQ(verdicts({equal}), Verdicts{"not met"});
}

TEST(Expectations, TheStatisticIsThatOfTheTrials) {
  Expectation least = at_least(0.7, {{"algorithm", "alg1"}});
  least.statistic = "min";
  EXPECT_EQ(verdicts({least}), Verdicts{"met"});
  least.at_least = 0.71;
  EXPECT_EQ(verdicts({least}), Verdicts{"not met"});
}

// Three folds, of which one chose 20 nodes: an expectation of 20 nodes is about all three.
TEST(Expectations, OfAPlaceThatTrialsChooseAreAboutThePoint) {
  std::vector<Record> records;
  for (arma::uword fold = 0; fold < 3; ++fold) {
    records.push_back(record("panel", fold, 0.9));
    records.back().steps[0].metrics["loo_mse"] = fold == 0 ? 2 : 1;
    records.back().steps.push_back(records.back().steps[0]);
    records.back().steps[1].nodes = 20;
    records.back().steps[1].metrics = {{"test_acc", fold == 0 ? 0.9 : 0.3}, {"loo_mse", 1.5}};
  }
  SelectOptions select;
  select.by = "loo_mse";
  select.over = {"nodes"};
  const Frame frame(records, {.select = {{"", select}}});
  ASSERT_TRUE(std::ranges::any_of(frame.rows(), [](const RecordRow& row) { return row.chosen == "by loo_mse"; }));

  const ExpectationsFound found = check_expectations({at_least(0.8, {{"nodes", 20}})}, frame);
  ASSERT_EQ(found.table.rows.size(), 1u);
  EXPECT_NEAR(found.table.rows[0][4].value.value(), 0.5, 1e-12) << "the mean of all three";
  const ExpectationsFound of_choices =
      check_expectations({at_least(0.8, {{"nodes", 20}, {"chosen", "by loo_mse"}})}, frame);
  ASSERT_EQ(of_choices.table.rows.size(), 1u);
  EXPECT_NEAR(of_choices.table.rows[0][4].value.value(), 0.9, 1e-12) << "of the trial that chose so";
}

TEST(Expectations, AreNotMetByWhatIsNotThereOrFailed) {
  EXPECT_EQ(verdicts({at_least(0, {{"algorithm", "alg3"}})}), Verdicts{"not met"}) << "no such row";
  EXPECT_EQ(verdicts({at_least(0, {{"algorithmm", "alg1"}})}), Verdicts{"not met"}) << "no such field";
  EXPECT_EQ(verdicts({at_least(0, {{"algorithm", "alg4"}})}, {record("alg4", 0, std::nullopt)}), Verdicts{"not met"})
      << "no such metric";
  Record failed = record("alg1", 2, std::nullopt);
  failed.status = TrialStatus::other("crashed (SIGSEGV)");
  failed.steps.clear();
  EXPECT_EQ(verdicts({at_least(0, {{"algorithm", "alg1"}})}, {failed}), Verdicts{"not met"}) << "a trial failed";
}

}  // namespace
}  // namespace elmx
