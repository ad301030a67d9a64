#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/dimensions.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"
#include "support/table_cells.hpp"

namespace elmx {
namespace {

std::string all_markdown(const Frame& frame, const std::string& reference = "") {
  std::string text;
  for (const Table& table : tables_of_records(frame, reference)) text += to_markdown(table) + "\n";
  return text;
}

TEST(NaturalOrder, DigitsCompareAsNumbers) {
  EXPECT_LT(compare_naturally("alg2", "alg10"), 0);
  EXPECT_GT(compare_naturally("b", "a10"), 0);
  EXPECT_EQ(compare_naturally("x1", "x1"), 0);
  EXPECT_LT(compare_naturally("x", "x1"), 0);
  EXPECT_NE(compare_naturally("x01", "x1"), 0);
  EXPECT_LT(compare_values(Json(1e-8), Json(0.1)), 0);
  EXPECT_LT(compare_values(Json(5), Json("a")), 0);
}

/// Folds of one algorithm with their values of PE and what they note.
std::vector<Record> noted_run(const std::vector<std::pair<double, std::map<std::string, std::string>>>& folds) {
  std::vector<Record> records;
  for (const auto& [value, notes] : folds) {
    records.push_back(one_step_record("", "panel", records.size(), 3, {{"test_acc", 0.5}, {"test_pe", value}}));
    records.back().steps[0].notes = notes;
    if (std::isnan(value)) records.back().steps[0].metrics.erase("test_pe");
  }
  return records;
}

TEST(TablesOfRecords, CountWhatStepsNoteOfAMetricAtItsCell) {
  const Table table =
      tables_of_records(noted_run({{0.5, {}}, {0, {{"test_pe", "taken as 0"}}}, {0, {{"test_pe", "taken as 0"}}}}))
          .at(0);

  ASSERT_EQ(table.footnotes, (std::vector<std::string>{"test PE: 2 of 3 trials: taken as 0"}));
  EXPECT_EQ(table.rows[0].back().note, 1u);
  EXPECT_NEAR(*table.rows[0].back().value, 0.5 / 3, 1e-15) << "the mean has the zeros";
}

TEST(TablesOfRecords, KeepAColumnOfWhichNothingButTheReasonIsKnown) {
  const Table table = tables_of_records(noted_run({{std::nan(""), {{"test_pe", "too large"}}}})).at(0);

  EXPECT_EQ(table.columns.back().name, "test_pe");
  EXPECT_EQ(plain_text(table.rows[0].back()), "NA");
  EXPECT_EQ(table.footnotes, (std::vector<std::string>{"test PE: 1 of 1 trial: too large"}));
}

TEST(TablesOfRecords, MarkWeightsThatMayBeFarOffAtTheAlgorithmInEveryTable) {
  const std::vector<Table> tables = tables_of_records(noted_run({{0.5, {}}, {0.5, {{"weights", "may be far off"}}}}));

  EXPECT_GE(tables.size(), 2u);
  for (const Table& table : tables)
    EXPECT_EQ(table.footnotes, (std::vector<std::string>{"1 of 2 trials: may be far off"})) << table.name;
}

TEST(TablesOfRecords, AreTheStoredText) {
  EXPECT_EQ(all_markdown(small_run()), R"(### Accuracy of the solutions (means)

| case    | dataset | nodes | algorithm | weight error |
|:--------|:--------|------:|:----------|-------------:|
| Airfoil | airfoil |     3 | alg2      |      2.0e-15 |
| Airfoil | airfoil |     3 | alg10     |      2.0e-15 |
| Airfoil | airfoil |     3 | existing  |      2.0e-15 |
| Airfoil | airfoil |   100 | alg2 [1]  |      1.0e-15 |
| Airfoil | airfoil |   100 | alg10     |      2.0e-15 |
| Airfoil | airfoil |   100 | existing  |      2.0e-15 |

1 of 6 trials failed in whole or in part; their missing numbers are NA or left out of the mean.  
[1] 1 of 2 trials failed (not_positive_definite); the numbers are of the others  

### Regression performance

| case    | dataset | nodes | algorithm |         test MSE |   train MSE |
|:--------|:--------|------:|:----------|-----------------:|------------:|
| Airfoil | airfoil |     3 | alg2      | 0.04500 ± 0.0071 | 0.03000 ± 0 |
| Airfoil | airfoil |     3 | alg10     | 0.04500 ± 0.0071 | 0.03000 ± 0 |
| Airfoil | airfoil |     3 | existing  | 0.04500 ± 0.0071 | 0.03000 ± 0 |
| Airfoil | airfoil |   100 | alg2 [1]  |          0.01000 |     0.03000 |
| Airfoil | airfoil |   100 | alg10     |      0.01000 ± 0 | 0.03000 ± 0 |
| Airfoil | airfoil |   100 | existing  |      0.01000 ± 0 | 0.03000 ± 0 |

1 of 6 trials failed in whole or in part; their missing numbers are NA or left out of the mean.  
[1] 1 of 2 trials failed (not_positive_definite); the numbers are of the others  

### Training time

| case    | dataset | nodes | algorithm |          step (s) | total (s) | step speed-up over existing | 95 % from |   to | total speed-up over existing | 95 % from |   to |
|:--------|:--------|------:|:----------|------------------:|----------:|----------------------------:|----------:|-----:|-----------------------------:|----------:|-----:|
| Airfoil | airfoil |     3 | alg2      | 0.00200 ± 0.00019 | 0.500 ± 0 |                        4.00 |      4.00 | 4.00 |                         1.00 |      1.00 | 1.00 |
| Airfoil | airfoil |     3 | alg10     | 0.00200 ± 0.00019 | 0.500 ± 0 |                        4.00 |      4.00 | 4.00 |                         1.00 |      1.00 | 1.00 |
| Airfoil | airfoil |     3 | existing  | 0.00800 ± 0.00075 | 0.500 ± 0 |                        1.00 |        NA |   NA |                         1.00 |        NA |   NA |
| Airfoil | airfoil |   100 | alg2 [1]  | 0.00200 ± 0.00020 |     0.500 |                        4.00 |        NA |   NA |                         1.00 |        NA |   NA |
| Airfoil | airfoil |   100 | alg10     | 0.00200 ± 0.00019 | 0.500 ± 0 |                        4.00 |      4.00 | 4.00 |                         1.00 |      1.00 | 1.00 |
| Airfoil | airfoil |   100 | existing  | 0.00800 ± 0.00075 | 0.500 ± 0 |                        1.00 |        NA |   NA |                         1.00 |        NA |   NA |

No interval where a speed-up was measured once: several folds, repeats or timing.repetitions give one.  
1 of 6 trials failed in whole or in part; their missing numbers are NA or left out of the mean.  
[1] 1 of 2 trials failed (not_positive_definite); the numbers are of the others  

)");
}

TEST(TablesOfRecords, ARowWithoutACaseSaysSo) {
  const Table table = tables_of_records(std::vector{one_step_record("", "a", 0, 3, {{"test_acc", 1}}),
                                                    one_step_record("b", "a", 1, 3, {{"test_acc", 1}})})
                          .at(0);

  EXPECT_EQ(plain_text(table.rows.at(0)[0]), "-") << "as pivots and conditions have it";
  EXPECT_EQ(plain_text(table.rows.at(1)[0]), "b");
}

/// Two folds whose confusion matrices have the sum {{4, 2}, {1, 7}}.
std::vector<Record> classified_run() {
  std::vector<Record> records;
  for (const arma::uword fold : {0u, 1u}) {
    records.push_back(one_step_record("", "alg2", fold, 20, {{"test_acc", 0.75}}));
    records.back().test_part.samples = 7;
    records.back().steps[0].confusion =
        fold == 0 ? std::vector<std::size_t>{1, 2, 1, 3} : std::vector<std::size_t>{3, 0, 0, 4};
  }
  return records;
}

TEST(TablesOfRecords, ErrorsInScaledUnitsSaySo) {
  const std::vector<Record> records = {one_step_record("a", "alg1", 0, 3, {{"test_rmse", 0.1}})};
  const auto says_so = [&](const RunDescription& run) {
    const Table table = tables_of_records(Frame(records, run)).at(0);
    return std::ranges::any_of(table.remarks,
                               [](const std::string& remark) { return remark.find("zero_one") != remark.npos; });
  };

  EXPECT_TRUE(says_so({.targets = {{"a", {{"scale", "zero_one"}, {"units", "scaled"}}}}}));
  EXPECT_FALSE(says_so({.targets = {{"a", {{"scale", "zero_one"}, {"units", "original"}}}}}));
}

TEST(TablesOfRecords, TheConfusionMatrixSumsTheFoldsUnderTheNamesOfTheClasses) {
  const std::vector<Table> tables =
      tables_of_records(Frame(classified_run(), {.classes = {{"airfoil", {"no", "yes"}}}}));
  const Table& table = *std::ranges::find(tables, "confusion", &Table::name);

  EXPECT_TRUE(table.only_in_file);
  ASSERT_EQ(table.rows.size(), 2u);
  const std::size_t last = table.columns.size() - 1;
  EXPECT_EQ(table.columns[last - 1].name, "predicted_no");
  EXPECT_EQ(table.columns[last].name, "predicted_yes");
  EXPECT_EQ(table.rows[0][last - 2].text, "no");
  EXPECT_EQ(*table.rows[0][last - 1].value, 4);
  EXPECT_EQ(*table.rows[0][last].value, 2);
  EXPECT_EQ(*table.rows[1][last - 1].value, 1);
  EXPECT_EQ(*table.rows[1][last].value, 7);
}

TEST(TablesOfRecords, TheConfusionMatrixCountsEqualRepeatsOnce) {
  std::vector<Record> records = classified_run();
  for (std::size_t fold = 0; fold < 2; ++fold) {
    records[fold].samples = {"content", "train", "test " + std::to_string(fold)};
    records.push_back(records[fold]);
    records.back().repeat = 1;
  }
  const std::vector<Table> tables = tables_of_records(records);

  EXPECT_EQ(*std::ranges::find(tables, "confusion", &Table::name)->rows[1].back().value, 7);
}

TEST(TablesOfRecords, DoNotDependOnTheOrderOfTheLines) {
  const std::string text = all_markdown(small_run());

  for (unsigned seed = 1; seed <= 5; ++seed) EXPECT_EQ(all_markdown(shuffled(small_run(), seed)), text);
}

TEST(TablesOfRecords, GivenAlgorithmsAndCasesComeFirst) {
  std::vector<Record> records = {one_step_record("b", "x", 0, 3, {}), one_step_record("a", "x", 0, 3, {}),
                                 one_step_record("b", "z", 0, 3, {})};
  RecordOrder order{{"b", "a"}, {"z"}};

  const auto rows = group_records(records, order);

  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].experiment_case + rows[0].algorithm, "bz");
  EXPECT_EQ(rows[1].experiment_case + rows[1].algorithm, "bx");
  EXPECT_EQ(rows[2].experiment_case + rows[2].algorithm, "ax");
}

TEST(TablesOfRecords, AUnitThatFailedBeforeItsFirstStepIsNAAtEverySizeOfItsBlock) {
  std::vector<Record> records = small_run();
  Record failed = one_step_record("Airfoil", "alg3", 0, 3, {});
  failed.steps.clear();
  failed.status = TrialStatus::other("bad allocation");
  records.push_back(failed);

  const auto rows = group_records(records);
  const std::string text = all_markdown(records);

  EXPECT_EQ(rows.size(), 8u);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](auto& r) { return r.algorithm == "alg3" && r.failed() == 1; }),
            2);
  EXPECT_NE(text.find("1 of 1 trial failed (bad allocation)"), std::string::npos);
}

TEST(TablesOfRecords, WhereEveryTrialFailedTheTimeTableStillHasTheRow) {
  Record failed = one_step_record("", "alg3", 0, 3, {});
  failed.steps.clear();
  failed.status = TrialStatus::other("out of memory");

  const auto tables = tables_of_records(std::vector{failed});

  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].name, "time");
  ASSERT_EQ(tables[0].rows.size(), 1u);
  EXPECT_EQ(plain_text(tables[0].rows[0].back()), "NA");
  EXPECT_EQ(tables[0].footnotes[0], "1 of 1 trial failed (out of memory)");
}

TEST(TablesOfRecords, ASweptPlaceIsAColumnHeadedByItsLastComponent) {
  std::vector<Record> records;
  for (const double ridge : {0.1, 1e-8}) {
    Record record = one_step_record("", "x", 0, 3, {{"test_mse", ridge}});
    record.point = {{"/model/ridge", ridge}, {"/a/kind", "u"}, {"/b/kind", Json::array({1})}};
    records.push_back(record);
  }

  const Table table = tables_of_records(records)[0];

  ASSERT_GE(table.columns.size(), 6u);
  EXPECT_EQ(table.columns[1].heading, "/a/kind");
  EXPECT_EQ(table.columns[2].heading, "/b/kind");
  EXPECT_EQ(table.columns[3].heading, "ridge");
  EXPECT_EQ(plain_text(table.rows[0][3]), "1e-08");
  EXPECT_EQ(plain_text(table.rows[1][3]), "0.1");
}

TEST(TablesOfRecords, TheSpeedUpIsOverExistingOrTheFirstOrAsTold) {
  std::vector<Record> records = small_run();
  const auto speedup = [](const std::vector<Record>& of, const std::string& reference) {
    const Table table = tables_of_records(of, reference).back();
    const std::size_t at = place_of(table, "step_speedup");
    return std::pair(table.columns.at(at).heading, *table.rows[0].at(at).value);
  };

  EXPECT_EQ(speedup(records, "").first, "step speed-up over existing");
  EXPECT_DOUBLE_EQ(speedup(records, "").second, 4);  // the first row is alg2
  EXPECT_DOUBLE_EQ(speedup(records, "alg10").second, 1);
  EXPECT_THROW(speedup(records, "alg9"), ConfigError);

  for (Record& record : records) record.algorithm += record.algorithm == "existing" ? "_slow" : "";
  EXPECT_EQ(speedup(records, "").first, "step speed-up over alg2") << "the first row";
}

// Cases of two families have no algorithm in common; a run that was stopped may not have come to it.
TEST(TablesOfRecords, ABaselineIsThatOfItsCaseWhereItRuns) {
  std::vector<Record> records = small_run();
  for (Record record : small_run()) {
    record.experiment_case = "Other";
    record.key += "other";
    record.algorithm += "b";
    records.push_back(record);
  }
  const auto remarks = [&](const std::map<std::string, std::string>& baselines, const std::string& told = "") {
    return tables_of_records(Frame(records, {.baselines = baselines}), told).back().remarks;
  };
  const auto says = [](const std::vector<std::string>& lines, const std::string& line) {
    return std::ranges::count(lines, line) == 1;
  };
  const auto each = remarks({{"Airfoil", "alg2"}, {"Other", "alg10b"}});
  EXPECT_TRUE(says(each, "Airfoil: speed-up over alg2") && says(each, "Other: speed-up over alg10b"));
  const auto of_one = remarks({{"Airfoil", "alg10"}, {"Other", "alg10"}});
  EXPECT_TRUE(says(of_one, "Airfoil: speed-up over alg10") && says(of_one, "Other: speed-up over alg2b"));
  EXPECT_TRUE(says(remarks({{"Airfoil", "alg2"}}, "alg10"), "Airfoil: speed-up over alg10")) << "the command line";
  EXPECT_THROW(tables_of_records(Frame(records).where(predicate_of({"nodes=3"})), "alg9"), ConfigError);
}

TEST(TablesOfRecords, TheStepTimePoolsTheMeasurementsOfAllTrials) {
  const std::vector<Record> records = small_run();
  const auto rows = group_records(records);

  const Summary step = summary_of(rows[0], "step_seconds");

  EXPECT_EQ(step.n, 10u);
  EXPECT_DOUBLE_EQ(step.mean, 2e-3);
  EXPECT_NEAR(step.sd, 2e-4 * std::sqrt(8.0 / 9), 1e-18);
}

TEST(TablesOfRecords, TasksHaveTablesOfTheirOwn) {
  std::vector<Record> records = {one_step_record("", "x", 0, 3, {{"test_mse", 1}}),
                                 one_step_record("", "x", 0, 3, {{"test_acc", 0.9}, {"test_macro_f1", 0.8}})};
  records[1].dataset = "magic";

  const auto tables = tables_of_records(records);

  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].name, "regression");
  EXPECT_EQ(tables[0].rows.size(), 1u);
  EXPECT_EQ(tables[1].name, "classification");
  EXPECT_EQ(tables[1].columns.back().heading, "test macro-F1");
}

const RecordOrder kPlan{{}, {"dec", "lbfgs", "elm"}};

/// "dec 2, dec 10, ..." of rows with their numbers of successes.
std::string shown(const std::vector<RecordRow>& rows) {
  std::string text;
  for (const RecordRow& row : rows) {
    text += std::to_string(*row.nodes) + " " + row.algorithm + " " + std::to_string(row.iterations) + ": " +
            std::to_string(row.steps.size()) +
            (row.failed() > 0 ? " and " + std::to_string(row.failed()) + " failed; " : "; ");
  }
  return text;
}

TEST(TablesOfRecords, IterationsAscendWithinTheAlgorithmsOfOneSize) {
  const char* rows = "20 dec 2: 2; 20 dec 10: 2; 20 lbfgs 500: 2; 20 lbfgs 1000: 2; 20 elm 0: 2; ";

  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<Record> records = shuffled(iterating_run(), seed);
    EXPECT_EQ(shown(group_records(records, kPlan)), rows);
  }
}

TEST(TablesOfRecords, ATrainingThatBreaksDownHasFailedAtTheIterationsItHasNotReached) {
  std::vector<Record> records = iterating_run();
  records[5].status = TrialStatus::numeric("not_finite");  // dec, fold 1
  records[5].steps.pop_back();
  records[0].status = records[1].status = TrialStatus::other("out of memory");  // lbfgs, before its first report
  records[0].steps.clear();
  records[1].steps.clear();

  EXPECT_EQ(shown(group_records(records, kPlan)),
            "20 dec 2: 2; 20 dec 10: 1 and 1 failed; 20 lbfgs 0: 0 and 2 failed; 20 elm 0: 2; ");
}

TEST(TablesOfRecords, ASizeThatNoTrialOfAnAlgorithmReachedLacksAllItsIterations) {
  std::vector<Record> records = iterating_run();
  for (const std::size_t elm : {2u, 3u}) {
    records[elm].steps.push_back(records[elm].steps[0]);
    records[elm].steps.back().nodes = 50;
  }
  records[4].status = records[5].status = TrialStatus::numeric("not_finite");

  const std::string rows = shown(group_records(records, kPlan));

  EXPECT_TRUE(rows.ends_with("50 dec 2: 0 and 2 failed; 50 dec 10: 0 and 2 failed; 50 elm 0: 2; ")) << rows;
}

TEST(TablesOfRecords, IterationsHaveAColumnWhereSomethingIterates) {
  const Table with = tables_of_records(Frame(iterating_run(), {.order = kPlan})).at(0);
  const Table without = tables_of_records(small_run()).at(0);

  EXPECT_EQ(with.columns[2].heading, "algorithm");
  EXPECT_EQ(with.columns[3].heading, "iterations");
  EXPECT_EQ(plain_text(with.rows[1][3]), "10");
  EXPECT_EQ(plain_text(with.rows[4][3]), "-");
  EXPECT_TRUE(std::none_of(without.columns.begin(), without.columns.end(),
                           [](const Column& c) { return c.name == "iterations"; }));
}

TEST(TablesOfRecords, ASpeedUpIsOverTheMostIterationsOfTheReference) {
  const Table time = tables_of_records(Frame(iterating_run(), {.order = kPlan}), "lbfgs").back();
  std::vector<double> speedups;
  for (const auto& row : time.rows) speedups.push_back(*row[row.size() - 3].value);

  EXPECT_EQ(speedups, (std::vector<double>{500, 100, 2, 1, 1000}));
}

TEST(TablesOfRecords, TheDiagnosticsShowsHowFarATrainingHasCome) {
  const Table diagnostics = tables_of_records(iterating_run({{"objective", 12.5}, {"gradient_norm", 1e-3}})).at(0);

  EXPECT_EQ(diagnostics.name, "errors");
  EXPECT_EQ(diagnostics.columns[diagnostics.columns.size() - 2].heading, "objective");
  EXPECT_EQ(diagnostics.columns.back().heading, "gradient norm");
  EXPECT_EQ(*diagnostics.rows[0].back().value, 1e-3);
}

}  // namespace
}  // namespace elmx
