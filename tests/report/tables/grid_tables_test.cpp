#include <gtest/gtest.h>

#include "report/formats/table_formats.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"
#include "support/table_cells.hpp"

namespace elmx {
namespace {

/// grid_run with the other quantities that a semi-supervised training has.
std::vector<Record> measured_run() {
  std::vector<Record> records = grid_run();
  for (Record& record : records) {
    for (StepRecord& step : record.steps) {
      step.metrics["train_acc"] = 1;
      step.metrics["unlabelled_acc"] = 0.5;
      if (record.algorithm == "elm") continue;
      step.metrics["nodes_kept"] = 18 + static_cast<double>(record.fold);
      step.test_seconds = 0.25;
    }
  }
  return records;
}

const Table& named(const std::vector<Table>& tables, const std::string& name) {
  return *std::find_if(tables.begin(), tables.end(), [&](const Table& table) { return table.name == name; });
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

TEST(GridTables, AreTheStoredText) {
  std::string text;
  for (const Table& table : tables_of_records(measured_run())) text += to_markdown(table) + "\n";

  EXPECT_EQ(text, R"(### Classification performance

| dataset | nodes | algorithm | chosen                | gamma | mu  |        test ACC |  unlabelled ACC |       train ACC | nodes kept |
|:--------|------:|:----------|:----------------------|:------|:----|----------------:|----------------:|----------------:|-----------:|
| airfoil |    20 | elm       | best on the test part | 16    | -   | 0.3125 ± 0.0884 | 0.5000 ± 0.0000 | 1.0000 ± 0.0000 |         NA |
| airfoil |    20 | op-elm    | -                     | -     | -   | 0.5000 ± 0.0000 | 0.5000 ± 0.0000 | 1.0000 ± 0.0000 | 18.5 ± 0.7 |
| airfoil |    20 | s3elm     | best on the test part | -     | 10  | 0.6250 ± 0.1768 | 0.5000 ± 0.0000 | 1.0000 ± 0.0000 | 18.5 ± 0.7 |
| airfoil |    20 | s3elm     | cross validation      | -     | -   | 0.5000 ± 0.0000 | 0.5000 ± 0.0000 | 1.0000 ± 0.0000 | 18.5 ± 0.7 |

best on the test part: these parameters were chosen by their mean accuracy (balanced accuracy if the run chooses by loo_bac) or RMSE on the test part; the numbers are optimistic.  

### Training time

| dataset | nodes | algorithm | chosen                | gamma | mu  |          step (s) | total (s) | testing (s) | step speed-up over elm | 95 % from |   to | total speed-up over elm | 95 % from |   to |
|:--------|------:|:----------|:----------------------|:------|:----|------------------:|----------:|------------:|-----------------------:|----------:|-----:|------------------------:|----------:|-----:|
| airfoil |    20 | elm       | best on the test part | 16    | -   | 0.00100 ± 9.7e-05 | 0.500 ± 0 |          NA |                   1.00 |        NA |   NA |                    1.00 |        NA |   NA |
| airfoil |    20 | op-elm    | -                     | -     | -   | 0.00100 ± 9.7e-05 | 0.500 ± 0 |   0.250 ± 0 |                   1.00 |      1.00 | 1.00 |                    1.00 |      1.00 | 1.00 |
| airfoil |    20 | s3elm     | best on the test part | -     | 10  | 0.00100 ± 9.7e-05 | 0.500 ± 0 |   0.250 ± 0 |                   1.00 |      1.00 | 1.00 |                    1.00 |      1.00 | 1.00 |
| airfoil |    20 | s3elm     | cross validation      | -     | -   | 0.00100 ± 9.7e-05 | 0.500 ± 0 |   0.250 ± 0 |                   1.00 |      1.00 | 1.00 |                    1.00 |      1.00 | 1.00 |

best on the test part: these parameters were chosen by their mean accuracy (balanced accuracy if the run chooses by loo_bac) or RMSE on the test part; the numbers are optimistic.  

### Every point of the grids (means)

| dataset | nodes | algorithm | gamma | mu  | test ACC | train ACC | nodes kept |
|:--------|------:|:----------|:------|:----|---------:|----------:|-----------:|
| airfoil |    20 | elm       | 4     | -   |   0.2500 |    1.0000 |         NA |
| airfoil |    20 | elm       | 16    | -   |   0.3125 |    1.0000 |         NA |
| airfoil |    20 | s3elm     | -     | 10  |   0.6250 |    1.0000 |       18.5 |
| airfoil |    20 | s3elm     | -     | 1   |   0.6250 |    1.0000 |       18.5 |
| airfoil |    20 | s3elm     | -     | 0.1 |   0.5000 |    1.0000 |       18.5 |

)");
}

TEST(GridTables, OnlyTheGridIsForAFile) {
  for (const Table& table : tables_of_records(measured_run())) EXPECT_EQ(table.only_in_file, table.name == "grid");
}

TEST(GridTables, WithoutAGridThereIsNeitherTableNorColumnNorRemark) {
  for (const Table& table : tables_of_records(small_run())) {
    EXPECT_NE(table.name, "grid");
    for (const std::string& name : names_of(table)) EXPECT_NE(name, "chosen");
    for (const std::string& remark : table.remarks) EXPECT_EQ(remark.find("chosen"), std::string::npos) << remark;
  }
}

TEST(GridTables, ASinglePointShowsItsParameters) {
  const auto tables = tables_of_records(
      std::vector{grid_record("elm", 0, {{{{"gamma", 4}}, 0.5}}), grid_record("op-elm", 0, {{{}, 0.5}})});
  const Table& table = named(tables, "classification");

  EXPECT_EQ(names_of(table), (std::vector<std::string>{"dataset", "nodes", "algorithm", "gamma", "test_acc"}));
  EXPECT_EQ(plain_text(table.rows[0][3]), "4");
  EXPECT_EQ(plain_text(table.rows[1][3]), "-");
  EXPECT_TRUE(table.remarks.empty());
}

TEST(GridTables, ParametersStandInNaturalOrderAndDoNotHideASweptPlace) {
  std::vector<Record> records = {grid_record("a", 0, {{{{"m10", 1}, {"m2", 2}, {"gamma", 3}}, 0.5}})};
  records[0].point["/model/gamma"] = 7;

  EXPECT_EQ(
      names_of(tables_of_records(records).at(0)),
      (std::vector<std::string>{"dataset", "/model/gamma", "nodes", "algorithm", "gamma", "m2", "m10", "test_acc"}));
}

TEST(GridTables, StructureMakesNoDatasetOneOfATask) {
  std::vector<Record> records = measured_run();
  records.push_back(one_step_record("", "s3elm", 0, 20,
                                    {{"test_rmse", 2}, {"unlabelled_rmse", 3}, {"train_rmse", 1}, {"nodes_kept", 7}}));
  records.back().dataset = "boston";
  const auto tables = tables_of_records(records);

  EXPECT_EQ(named(tables, "regression").rows.size(), 1u);
  EXPECT_EQ(names_of(named(tables, "regression")),
            (std::vector<std::string>{"dataset", "nodes", "algorithm", "test_rmse", "unlabelled_rmse", "train_rmse",
                                      "nodes_kept"}));
  for (const auto& row : named(tables, "classification").rows) EXPECT_EQ(row[0].text, "airfoil");
}

TEST(GridTables, IterationsOfAStructureStandBesideThoseOfTheKeys) {
  std::vector<Record> records = iterating_run({{"test_rmse", 0.5}, {"iterations", 12}});

  const Table table = tables_of_records(records).at(0);

  EXPECT_EQ(names_of(table),
            (std::vector<std::string>{"dataset", "nodes", "algorithm", "iterations", "test_rmse", "mean_iterations"}));
  EXPECT_EQ(plain_text(table.rows[0].back()), "12.0 ± 0.0");
}

TEST(GridTables, ASpeedUpIsOverTheSameChoiceOfTheReference) {
  std::vector<Record> records = grid_run();
  for (Record& record : records) {
    for (StepRecord& step : record.steps)
      step.step = {record.algorithm == "s3elm" ? (step.chosen.empty() ? 8.0 : 6.0) : 2.0, 0, 1};
  }
  const auto speedups = [&](const std::string& reference) {
    const auto tables = tables_of_records(records, reference);
    std::vector<double> values;
    const Table& time = named(tables, "time");
    for (const auto& row : time.rows) values.push_back(*row.at(place_of(time, "step_speedup")).value);
    return values;
  };

  EXPECT_EQ(speedups("s3elm"), (std::vector<double>{4, 4, 1, 1})) << "elm, op-elm, s3elm best, s3elm cross validation";
  EXPECT_EQ(speedups("elm"), (std::vector<double>{1, 1, 0.25, 2.0 / 6}));
}

TEST(GridTables, TheSlowestIsNotSlowForHavingTwoChoices) {
  std::vector<Record> records = grid_run();
  for (Record& record : records) {
    for (StepRecord& step : record.steps)
      step.step = {record.algorithm == "s3elm" ? 3.0 : record.algorithm == "elm" ? 4.0 : 1.0, 0, 1};
  }
  const auto tables = tables_of_records(records);
  const Table& time = named(tables, "time");

  EXPECT_EQ(time.columns.at(place_of(time, "step_speedup")).heading, "step speed-up over elm");
}

}  // namespace
}  // namespace elmx
