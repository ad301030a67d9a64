#include "report/frame/selection.hpp"

#include <gtest/gtest.h>

#include "base/numbers.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

/// A trial at one ridge parameter: loo_mse and test_rmse at 10 and 20 nodes.
Record trial(double ridge, arma::uword fold, double loo10, double test10, double loo20, double test20,
             const std::string& algorithm = "panel") {
  Record record = one_step_record("", algorithm, fold, 10, {{"loo_mse", loo10}, {"test_rmse", test10}});
  record.key += Json(ridge).dump();
  record.point["/model/ridge"] = ridge;
  record.steps.push_back(record.steps[0]);
  record.steps[1].nodes = 20;
  record.steps[1].metrics = {{"loo_mse", loo20}, {"test_rmse", test20}};
  return record;
}

/// Of fold 0 the least loo_mse is at ridge 0.1 and 20 nodes, of fold 1 at ridge 1 and 10 nodes, of fold 2 at
/// 0.1 and 10.
std::vector<Record> run() {
  return {trial(0.1, 0, 5, 50, 1, 10), trial(1, 0, 4, 40, 3, 30),  //
          trial(0.1, 1, 4, 41, 3, 31), trial(1, 1, 2, 21, 5, 51),  //
          trial(0.1, 2, 1, 12, 3, 32), trial(1, 2, 2, 22, 5, 52)};
}

SelectOptions select(std::vector<std::string> over, const std::string& by = "loo_mse") {
  SelectOptions options;
  options.by = by;
  options.over = std::move(over);
  return options;
}

const std::vector<std::string> kBoth = {"/model/ridge", "nodes"};

std::vector<RecordRow> chosen(const std::vector<Record>& records, const SelectOptions& options) {
  std::vector<RecordRow> rows = without_grids(with_selections(group_records(records), {{"", options}}));
  std::erase_if(rows, [](const RecordRow& row) { return !row.chosen.starts_with("by "); });
  return rows;
}

std::vector<double> test_rmse(const RecordRow& row) {
  std::vector<double> values;
  for (const RecordedStep& step : row.steps) values.push_back(*value_of(step, "test_rmse"));
  return values;
}

TEST(Selection, EachTrialTakesWhatItsOwnTrainingPartSaysIsBest) {
  const auto records = run();
  const auto rows = chosen(records, select(kBoth));

  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].chosen, "by loo_mse");
  EXPECT_EQ(test_rmse(rows[0]), (std::vector<double>{10, 21, 12}));
  EXPECT_TRUE(rows[0].point.empty());
  EXPECT_FALSE(rows[0].nodes.has_value());
}

TEST(Selection, BalancedAccuracyIsBestWhereTheRuleUsesIt) {
  std::vector<Record> records;
  for (const auto& [ridge, acc, bac] : {std::tuple(0.1, 0.9, 0.5), std::tuple(1.0, 0.8, 0.7)}) {
    records.push_back(one_step_record("", "panel", 0, 10, {{"test_acc", acc}, {"test_bac", bac}}));
    records.back().key += Json(ridge).dump();
    records.back().point["/model/ridge"] = ridge;
  }
  const auto best_accuracy = [&](const std::string& by) {
    for (const RecordRow& row : with_selections(group_records(records), {{"", select(kBoth, by)}})) {
      if (row.chosen == kBestOnTest) return *value_of(row.steps.at(0), "test_acc");
    }
    return nan;
  };
  EXPECT_EQ(best_accuracy("loo_acc"), 0.9);
  EXPECT_EQ(best_accuracy("loo_bac"), 0.8);
}

TEST(Selection, WhatIsNotChosenKeepsItsRows) {
  const auto records = run();
  const auto of_ridge = chosen(records, select({"/model/ridge"})), of_nodes = chosen(records, select({"nodes"}));

  ASSERT_EQ(of_ridge.size(), 2u);
  EXPECT_EQ(of_ridge[0].nodes, 10u);
  EXPECT_EQ(test_rmse(of_ridge[0]), (std::vector<double>{40, 21, 12}));
  EXPECT_EQ(test_rmse(of_ridge[1]), (std::vector<double>{10, 31, 32}));
  ASSERT_EQ(of_nodes.size(), 2u);
  EXPECT_EQ(of_nodes[0].point.at("/model/ridge"), 0.1);
  EXPECT_EQ(test_rmse(of_nodes[0]), (std::vector<double>{10, 31, 12}));
  EXPECT_EQ(test_rmse(of_nodes[1]), (std::vector<double>{30, 21, 22}));
}

TEST(Selection, LargestIsBestWhereTheMetricSaysSo) {
  std::vector<Record> records = {trial(0.1, 0, 0, 1, 0, 2), trial(1, 0, 0, 3, 0, 4)};
  for (std::size_t i = 0; i < 4; ++i) records[i / 2].steps[i % 2].metrics["loo_acc"] = i == 2 ? 0.9 : 0.5;

  EXPECT_EQ(test_rmse(chosen(records, select(kBoth, "loo_acc")).at(0)), std::vector<double>{3});
}

TEST(Selection, OfEqualPointsTheSimplerIsTaken) {
  const std::vector<Record> records = {trial(0.1, 0, 1, 1, 1, 2), trial(10, 0, 1, 3, 1, 4), trial(9, 0, 1, 5, 1, 6)};

  EXPECT_EQ(test_rmse(chosen(records, select(kBoth)).at(0)), std::vector<double>{3})
      << "fewer nodes, then the larger lambda";
  EXPECT_EQ(test_rmse(chosen(shuffled(records, 4), select(kBoth)).at(0)), std::vector<double>{3});
}

TEST(Selection, FailedPointsAreNeverChosen) {
  auto records = run();
  records[0].steps[1].status = Status::not_positive_definite;  // the best of fold 0
  records[0].steps[1].metrics.clear();
  records[5].steps[0].metrics.erase("loo_mse");
  records[5].steps[1].status = Status::not_finite;
  for (StepRecord& step : records[2].steps) step.metrics.erase("loo_mse");
  for (StepRecord& step : records[3].steps) step.metrics.erase("loo_mse");
  const auto rows = chosen(records, select(kBoth));

  EXPECT_EQ(test_rmse(rows.at(0)), (std::vector<double>{30, 12}));
  ASSERT_EQ(rows[0].failed(), 1u);
  EXPECT_EQ(rows[0].failures[0].status.why, "no loo_mse at any point");
  EXPECT_EQ(rows[0].trials(), 3u);
}

TEST(Selection, WhereNoTrialHasTheMetricNothingIsChosenAndNothingHasFailed) {
  const auto records = run();

  EXPECT_TRUE(chosen(records, select(kBoth, "gcv")).empty());
  for (const RecordRow& row : with_selections(group_records(records), {{"", select(kBoth, "gcv")}}))
    EXPECT_EQ(row.failed(), 0u) << row.chosen;
}

TEST(Selection, IsOfTheCaseThatAsksForIt) {
  const auto records = run();
  EXPECT_EQ(with_selections(group_records(records), {{"another", select(kBoth)}}).size(), 4u);
  EXPECT_EQ(with_selections(group_records(records), {{"", SelectOptions()}}).size(), 4u);
}

TEST(Selection, TablesShowTheChoiceAndTheBestOnTheTestPart) {
  const auto records = run();
  const auto tables = tables_of_records(Frame(records, {.select = {{"", select(kBoth)}}}));
  const auto named = [&](const std::string& name) { return *std::ranges::find(tables, name, &Table::name); };
  const Table table = named("regression");
  const auto row = [&](std::size_t i) {
    std::vector<std::string> texts;
    for (const Cell& cell : table.rows.at(i)) texts.push_back(plain_text(cell));
    return texts;
  };

  ASSERT_EQ(table.rows.size(), 2u);
  // Means over the folds: 10 nodes 34.3 (0.1), 27.7 (1); 20 nodes 24.3 (0.1), 44.3 (1).
  EXPECT_EQ(row(0), (std::vector<std::string>{"airfoil", "0.1", "20", "panel", "best on the test part", "24.33 ± 12"}));
  EXPECT_EQ(row(1), (std::vector<std::string>{"airfoil", "0.1 (2), 1 (1)", "10 (2), 20 (1)", "panel", "by loo_mse",
                                              "14.33 ± 5.9"}));
  EXPECT_EQ(named("grid").rows.size(), 4u);
  EXPECT_EQ(to_csv(named("selected")),
            "case,dataset,algorithm,repeat,fold,chosen,ridge,nodes,value,test_rmse\n"
            ",airfoil,panel,0,0,by loo_mse,0.1,20,1,10\n"
            ",airfoil,panel,0,1,by loo_mse,1,10,2,21\n"
            ",airfoil,panel,0,2,by loo_mse,0.1,10,1,12\n");
  for (const Table& one : tables) EXPECT_EQ(one.only_in_file, one.name == "grid" || one.name == "selected");
}

TEST(Selection, WithoutOneThereIsNoSuchTable) {
  for (const Table& table : tables_of_records(run())) EXPECT_NE(table.name, "selected");
}

Record trial(const std::string& name, arma::uword fold, arma::uword nodes, double loo, double test) {
  return one_step_record(name, "panel", fold, nodes, {{"loo_mse", loo}, {"test_rmse", test}});
}

SelectOptions by(const std::string& metric) {
  SelectOptions options;
  options.by = metric;
  return options;
}

std::vector<Choice> choices(const std::vector<Record>& records, const Selections& select) {
  return choices_of(with_selections(group_records(records, {{"a", "b", "c"}, {}}), select), select);
}

std::vector<double> test_errors(const std::vector<Choice>& some) {
  std::vector<double> errors;
  for (const Choice& choice : some) errors.push_back(*value_of(choice.taken, "test_rmse"));
  return errors;
}

TEST(Choices, EachFoldTakesTheBestOfAllMethods) {
  const std::vector<Record> records = {trial("a", 0, 10, 1, 11), trial("b", 0, 10, 2, 12), trial("c", 0, 10, 3, 13),
                                       trial("a", 1, 10, 3, 21), trial("b", 1, 10, 2, 22), trial("c", 1, 10, 1, 23)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("loo_mse")}, {"c", by("loo_mse")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), (std::vector<double>{11, 23}));
}

TEST(Choices, OfEqualValuesTheFewerNodesAreTaken) {
  const std::vector<Record> records = {trial("a", 0, 20, 1, 11), trial("b", 0, 10, 1, 12)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("loo_mse")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), std::vector<double>{12});
}

TEST(Choices, ByOtherMetricsAreNotCompared) {
  const std::vector<Record> records = {trial("a", 0, 10, 5, 11), trial("b", 0, 10, 1, 12)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("gcv")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), std::vector<double>{11});
}

TEST(Choices, WithoutAValueAreTakenLast) {
  const std::vector<Record> records = {trial("a", 0, 10, nan, 11), trial("b", 0, 10, 7, 12)};
  const Selections select = {{"a", by("loo_mse")}, {"b", by("loo_mse")}};
  EXPECT_EQ(test_errors(nested_choices(choices(records, select))), std::vector<double>{12});
}

}  // namespace

}  // namespace elmx
