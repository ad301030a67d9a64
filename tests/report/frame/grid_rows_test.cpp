#include <gtest/gtest.h>

#include <random>

#include "report/frame/record_rows.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

/// "elm gamma 4: 2; ..." of rows with their numbers of successes and failures.
std::string shown(const std::vector<RecordRow>& rows) {
  std::string text;
  for (const RecordRow& row : rows) {
    text += row.algorithm + (row.chosen.empty() ? "" : ", " + row.chosen);
    for (const auto& [name, value] : row.parameters) text += " " + name + " " + Json(value).dump();
    text += ": " + std::to_string(row.steps.size());
    text += row.failed() > 0 ? " and " + std::to_string(row.failed()) + " failed; " : "; ";
  }
  return text;
}

const std::string kElm = "elm gamma 4.0: 2; elm gamma 16.0: 2; elm, best on the test part gamma 16.0: 2; ";
const std::string kOpElm = "op-elm: 2; ";

TEST(GridRows, PointsInTheirOrderThenTheChoices) {
  for (unsigned seed = 0; seed <= 5; ++seed) {
    const std::vector<Record> records = seed == 0 ? grid_run() : shuffled(grid_run(), seed);
    EXPECT_EQ(shown(group_records(records)),
              kElm + kOpElm +
                  "s3elm mu 10.0: 2; s3elm mu 1.0: 2; s3elm mu 0.1: 2; s3elm, best on the test part mu 10.0: 2; "
                  "s3elm, cross validation: 2; ")
        << "the first of equal means";
  }
}

TEST(GridRows, WithoutGridsTheChoicesAndWhatHasNoneRemain) {
  const std::vector<Record> records = grid_run();

  EXPECT_EQ(shown(without_grids(group_records(records))),
            "elm, best on the test part gamma 16.0: 2; " + kOpElm +
                "s3elm, best on the test part mu 10.0: 2; s3elm, cross validation: 2; ");
}

TEST(GridRows, ASinglePointIsARowWithoutAChoice) {
  const std::vector<Record> records = {grid_record("elm", 0, {{{{"gamma", 4}}, 0.5}})};

  const auto rows = without_grids(group_records(records));

  EXPECT_EQ(shown(rows), "elm gamma 4.0: 1; ");
}

/// Five points over four trials: by `metric`, drawn anew for each seed.
std::vector<Record> random_run(const std::string& metric, unsigned seed) {
  std::mt19937 draw(seed);
  std::vector<Record> records;
  for (arma::uword fold = 0; fold < 4; ++fold) {
    std::vector<std::pair<std::map<std::string, double>, double>> points;
    for (int p = 0; p < 5; ++p) points.push_back({{{"mu", p}, {"sigma", -p}}, 0});
    records.push_back(grid_record("s3elm", fold, points));
    for (StepRecord& step : records.back().steps) step.metrics = {{metric, static_cast<double>(draw() % 1000)}};
  }
  return records;
}

double mean_at(const std::vector<Record>& records, std::size_t point, const std::string& metric) {
  double sum = 0;
  for (const Record& record : records) sum += record.steps[point].metrics.at(metric);
  return sum / static_cast<double>(records.size());
}

TEST(GridRows, TheBestPointHasTheHighestAccuracyOrTheLowestRmse) {
  for (const std::string metric : {"test_acc", "test_rmse"}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const std::vector<Record> records = random_run(metric, seed);
      const RecordRow best = group_records(records).back();

      ASSERT_EQ(best.chosen, kBestOnTest);
      const double mean = summary_of(best, metric).mean;
      const auto at = static_cast<std::size_t>(best.parameters.at("mu"));
      EXPECT_EQ(best.parameters.at("sigma"), -best.parameters.at("mu"));
      EXPECT_DOUBLE_EQ(mean, mean_at(records, at, metric));
      for (std::size_t p = 0; p < 5; ++p) {
        if (metric == "test_acc")
          EXPECT_LE(mean_at(records, p, metric), mean);
        else
          EXPECT_GE(mean_at(records, p, metric), mean);
      }
    }
  }
}

TEST(GridRows, OfPointsThatDifferByRoundingTheFirstIsTheBest) {
  const std::vector<Record> records = {
      grid_record("elm", 0, {{{{"gamma", 4}}, 0.3}, {{{"gamma", 16}}, 0.1 + 0.2}, {{{"gamma", 64}}, 0.3 - 1e-7}})};
  ASSERT_GT(0.1 + 0.2, 0.3);

  EXPECT_EQ(group_records(records).back().parameters.at("gamma"), 4);
}

TEST(GridRows, AccuracyCountsWhereBothAreThere) {
  std::vector<Record> records = grid_run();
  for (Record& record : records) {
    for (StepRecord& step : record.steps) step.metrics["test_rmse"] = step.metrics["test_acc"];
  }

  EXPECT_EQ(group_records(records)[2].parameters.at("gamma"), 16);
}

TEST(GridRows, APointWithAFailedTrialIsNotTheBestUnlessEveryPointHasOne) {
  std::vector<Record> records = grid_run();
  records[3].status = TrialStatus::numeric("not_finite");
  records[3].steps[1].status = Status::not_finite;
  records[3].steps[1].metrics.clear();

  EXPECT_TRUE(
      shown(group_records(records))
          .starts_with("elm gamma 4.0: 2; elm gamma 16.0: 1 and 1 failed; elm, best on the test part gamma 4.0: 2; "));
  records[3].steps.clear();
  EXPECT_TRUE(shown(group_records(records))
                  .starts_with("elm gamma 4.0: 1 and 1 failed; elm gamma 16.0: 1 and 1 failed; "
                               "elm, best on the test part gamma 16.0: 1 and 1 failed; "));
}

TEST(GridRows, AUnitThatFailedHasFailedAtEveryRowOfItsAlgorithm) {
  std::vector<Record> records = grid_run();
  records[0].status = TrialStatus::other("out of memory");
  records[0].steps.clear();

  EXPECT_EQ(shown(group_records(records)),
            kElm + kOpElm +
                "s3elm mu 10.0: 1 and 1 failed; s3elm mu 1.0: 1 and 1 failed; s3elm mu 0.1: 1 and 1 failed; "
                "s3elm, best on the test part mu 10.0: 1 and 1 failed; s3elm, cross validation: 1 and 1 failed; ");
}

TEST(GridRows, ASizeThatWasNotReachedLacksTheWholeGridAndHasOneRowForIt) {
  std::vector<Record> records = grid_run();
  records[4].steps.push_back(records[4].steps[0]);
  records[4].steps.back().nodes = 50;
  records[2].status = records[3].status = TrialStatus::numeric("not_finite");

  const std::string rows = shown(without_grids(group_records(records)));

  EXPECT_TRUE(rows.ends_with("elm, best on the test part gamma 4.0: 0 and 2 failed; op-elm: 1; ")) << rows;
}

TEST(GridRows, EveryNumberOfIterationsHasItsOwnBestPoint) {
  std::vector<Record> records = {
      grid_record("dec", 0, {{{{"mu", 1}}, 0.5}, {{{"mu", 2}}, 0.25}, {{{"mu", 1}}, 0.5}, {{{"mu", 2}}, 0.75}})};
  for (std::size_t i = 0; i < 4; ++i) records[0].steps[i].iterations = i < 2 ? 10 : 5;

  const auto rows = without_grids(group_records(records));

  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].iterations, 5u);
  EXPECT_EQ(rows[0].parameters.at("mu"), 2);
  EXPECT_EQ(rows[1].iterations, 10u);
  EXPECT_EQ(rows[1].parameters.at("mu"), 1);
}

}  // namespace
}  // namespace elmx
