#include "report/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "records.hpp"
#include "report/table_markdown.hpp"

namespace elmx {
namespace {

/// Five folds of one algorithm whose test_mse is base[fold] + shift.
std::vector<Record> run_with(double shift, double noise, double seconds) {
  std::vector<Record> records;
  for (arma::uword fold = 0; fold < 5; ++fold) {
    const double jitter = noise * (fold % 2 == 0 ? 1 : -1);
    records.push_back(
        one_step_record("c", "alg1", fold, 3, {{"test_mse", static_cast<double>(fold) + shift + jitter}}));
    records.back().steps[0].step = {seconds, 0.1 * seconds, 10};
  }
  return records;
}

std::string verdict(const std::vector<Record>& a, const std::vector<Record>& b) {
  return compare_records(a, b).at(0).rows.at(0).back().text;
}

TEST(Compare, ThePairedVerdictSeesThroughTheSpreadOfTheFolds) {
  EXPECT_EQ(verdict(run_with(0, 0, 1), run_with(-0.1, 0.01, 1)), "lower");
  EXPECT_EQ(verdict(run_with(0, 0, 1), run_with(0.1, 0.01, 1)), "higher");
  EXPECT_EQ(verdict(run_with(0, 0, 1), run_with(0.1, 0.5, 1)), "cannot decide");
  EXPECT_EQ(verdict(run_with(0, 0, 1), run_with(0, 0, 1)), "same");
}

TEST(Compare, OnePairCannotDecide) {
  EXPECT_EQ(verdict({run_with(0, 0, 1)[0]}, {run_with(0.1, 0, 1)[0]}), "cannot decide");
}

TEST(Compare, AMetricThatOneSideLacksIsNA) {
  auto b = run_with(0, 0, 1);
  for (Record& record : b) record.steps[0].metrics.clear();

  EXPECT_EQ(verdict(run_with(0, 0, 1), b), "NA");
}

TEST(Compare, MeanDifferenceSdAndIntervalByHand) {
  // Differences 0.3, -0.1, 0.3, -0.1, 0.3: mean 0.14, sd sqrt(0.192 / 4).
  const Table table = compare_records(run_with(0, 0, 1), run_with(0.1, 0.2, 1)).at(0);
  const auto& row = table.rows.at(0);

  const std::size_t difference = row.size() - 4;
  EXPECT_NEAR(*row[difference].value, 0.14, 1e-12);
  EXPECT_NEAR(*row[difference].sd, std::sqrt(0.192 / 4), 1e-12);
  EXPECT_NEAR(*row[difference + 1].value, 0.14 - 2.77644511 * std::sqrt(0.192 / 20), 1e-7);
}

TEST(Compare, PairsDoNotDependOnTheOrderOfTheLines) {
  const auto a = run_with(0, 0, 1);
  const auto b = run_with(0.1, 0.2, 2);

  EXPECT_EQ(to_markdown(compare_records(shuffled(a, 1), shuffled(b, 2)).at(0)),
            to_markdown(compare_records(a, b).at(0)));
}

TEST(Compare, TimeIsTheRatioOfBToA) {
  const Table times = compare_records(run_with(0, 0, 1), run_with(0, 0, 2)).at(1);
  const auto& row = times.rows.at(0);

  EXPECT_DOUBLE_EQ(*row[row.size() - 6].value, 2);
  EXPECT_LT(*row[row.size() - 5].value, 2);
  EXPECT_GT(*row[row.size() - 4].value, 2);
}

TEST(Compare, StepsWithoutAPartnerAreCounted) {
  auto b = run_with(0.1, 0.01, 1);
  b.pop_back();
  b.push_back(one_step_record("other", "alg1", 0, 3, {}));

  const Table table = compare_records(run_with(0, 0, 1), b).at(0);

  EXPECT_EQ(table.remarks.at(0), "4 pairs of steps; without a partner: 1 of A, 1 of B");
}

TEST(Compare, MomentsOfATrainingArePairedByTheirIterations) {
  std::vector<Record> b = iterating_run();
  for (Record& record : b) {
    for (StepRecord& step : record.steps) step.metrics["test_rmse"] += static_cast<double>(step.iterations);
    record.steps.resize(1);
  }

  const Table table = compare_records(iterating_run(), b).at(0);

  ASSERT_EQ(table.rows.size(), 3u);
  const auto difference = [&](std::size_t row) { return *table.rows[row][table.columns.size() - 4].value; };
  EXPECT_EQ(difference(0), 2);    // dec
  EXPECT_EQ(difference(1), 0);    // elm
  EXPECT_EQ(difference(2), 500);  // lbfgs
  EXPECT_EQ(table.remarks.at(0), "6 pairs of steps; without a partner: 4 of A, 0 of B");
}

TEST(Compare, GridPointsArePairedByTheirParametersAndChoicesByTheirKind) {
  std::vector<Record> b = grid_run();
  for (Record& record : b) {
    std::reverse(record.steps.begin(), record.steps.end());
    for (StepRecord& step : record.steps) {
      step.metrics["test_acc"] += step.chosen.empty() ? step.parameters["mu"] : -1;
      if (step.parameters.count("gamma") > 0) step.parameters["gamma"] *= 4;  // 4, 16 -> 16, 64
      if (record.algorithm != "s3elm") step.parameters.erase("mu");
    }
  }

  const Table table = compare_records(grid_run(), b).at(0);

  // elm at gamma = 16: mean 0.25 in B, 0.3125 in A; op-elm; s3elm at mu = 10, 1 and 0.1; its choices.
  const std::vector<double> differences = {-0.0625, 0, 10, 1, 0.1, -1};
  ASSERT_EQ(table.rows.size(), differences.size());
  for (std::size_t i = 0; i < differences.size(); ++i) {
    EXPECT_NEAR(*table.rows[i][table.columns.size() - 4].value, differences[i], 1e-15) << i;
  }
  EXPECT_EQ(table.remarks.at(0), "12 pairs of steps; without a partner: 2 of A, 2 of B");
}

}  // namespace
}  // namespace elmx
