#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "published/judged.hpp"

// Claims about courses and sweeps: number of epochs, best point of a grid, divergence, slow-down.

namespace elmx {
namespace {

/// Compares seven runs of each record: equal signs have p = 2^-7, enough for the two tests of a pair.
PaperComparison compare(const char* json, const std::string& table, const std::vector<Record>& records,
                        double part = 1e-6) {
  return judged(json, table, in_runs(records, 7, part));
}

// Mean training losses: adam 6, 4, 3; rls 4.5, 3, 2. In both runs rls is one epoch ahead of adam.
std::vector<Record> two_courses() {
  return {traced_record("adam", 0, {7, 4, 2}), traced_record("adam", 1, {5, 4, 4}), traced_record("rls", 0, {5, 2, 1}),
          traced_record("rls", 1, {4, 4, 3})};
}

constexpr const char* kEpochs =
    R"({"case": "FNN", "metric": "epochs_to_reach", "reference": "adam", "rules": [{"rule": "order"}]})";
constexpr const char* kRanks = "algorithm,value\nrls,1\nadam,2\n";

std::optional<double> epochs(const std::vector<Record>& records, std::size_t row) {
  return compare(kEpochs, kRanks, records, 0).table.rows.at(row).at(2).value;
}

TEST(EpochsToReach, IsTheFirstEpochAtWhichTheMeanIsAtMostTheLastOfTheReference) {
  std::vector<Record> records = two_courses();

  EXPECT_EQ(epochs(records, 0), 2);
  EXPECT_EQ(epochs(records, 1), 3);
  EXPECT_EQ(texts(compare(kEpochs, kRanks, records, 0)), (Texts{"agrees", "agrees"}));
  records[2].steps[0].trace["train_loss"][1] += 0.1;  // the mean of epoch 2 is above 3
  EXPECT_EQ(epochs(records, 0), 3);
  EXPECT_EQ(texts(compare(kEpochs, kRanks, records, 0)), (Texts(2, "contrary, more runs would not do")))
      << "as many epochs of the means, but not in all runs";
}

TEST(EpochsToReach, OfTheReferenceMayComeBeforeItsEnd) {
  EXPECT_EQ(epochs({traced_record("adam", 0, {6, 3, 3.5, 3})}, 1), 2);
}

TEST(EpochsToReach, WhatIsNeverReachedComesAfterAllThatIs) {
  std::vector<Record> never = two_courses();
  for (const std::size_t i : {2u, 3u}) never[i].steps[0].trace["train_loss"] = {9, 8, 7};

  const PaperComparison comparison = compare(kEpochs, kRanks, never, 0);

  EXPECT_EQ(comparison.table.rows.at(0).at(2).text, "not reached");
  EXPECT_EQ(epochs(never, 1), 3);
  EXPECT_EQ(texts(comparison), (Texts{"disagrees", "disagrees"}));
  EXPECT_EQ(texts(compare(kEpochs, "algorithm,value\nrls,2\nadam,1\n", never, 0)), (Texts{"agrees", "agrees"}));
}

TEST(EpochsToReach, WhatOneRunHasTheOtherWayIsOpen) {
  std::vector<Record> records = in_runs(two_courses(), 7, 0);
  for (Record& record : records) {
    if (record.algorithm != "rls") continue;
    record.steps[0].trace["train_loss"] = {9, 8, 7};
    // The means have the same order without this run.
    if (record.repeat == 0) record.steps[0].trace["train_loss"] = {1, 9, 9};
  }
  const PaperComparison comparison = judged(kEpochs, kRanks, records);

  EXPECT_EQ(comparison.table.rows.at(0).at(2).text, "not reached");
  EXPECT_EQ(comparison[Verdict::contrary], 2u) << "the first run of rls is before that of adam";
}

TEST(EpochsToReach, WhatEachSingleRunAlonePreventsIsOpen) {
  std::vector<Record> records;
  for (arma::uword run = 0; run < 5; ++run) {
    std::vector<double> losses(6, 8.0);
    // The means are 4.2, then 8.
    for (arma::uword epoch = 0; epoch < 5; ++epoch) losses[epoch] = epoch == run ? 13 : 2;
    records.push_back(traced_record("adam", run, {9, 9, 9, 9, 9, 3}));
    records.push_back(traced_record("rls", run, losses));
  }
  const PaperComparison comparison = judged(kEpochs, kRanks, records);

  EXPECT_EQ(comparison.table.rows.at(0).at(2).text, "not reached");
  EXPECT_EQ(comparison[Verdict::contrary], 2u) << "without run e it is reached in epoch e";
  for (const auto& row : comparison.table.rows) {
    for (const Cell& cell : row) EXPECT_FALSE(cell.value && std::isinf(*cell.value));
  }
}

TEST(EpochsToReach, OfTwoThatAreNotReachedNoneIsLater) {
  std::vector<Record> records = in_runs(two_courses(), 7, 0);
  for (Record& record : in_runs({traced_record("hrls", 0, {9, 9, 9}), traced_record("hrls", 1, {9, 9, 9})}, 7, 0))
    records.push_back(record);
  for (Record& record : records) {
    if (record.algorithm == "rls") record.steps[0].trace["train_loss"] = {9, 8, 7};
  }
  const PaperComparison comparison = judged(kEpochs, "algorithm,value\nrls,2\nhrls,3\nadam,1\n", records);

  EXPECT_EQ(texts(comparison),
            (Texts{"contrary, more runs would not do", "contrary, more runs would not do", "agrees"}));
}

/// Returns runs of rls at k = 0.1 and 1 that are at most at adam's last loss, 3, from the given epoch on.
std::vector<Record> reached_in(const std::vector<arma::uword>& at_tenth, const std::vector<arma::uword>& at_one) {
  std::vector<Record> records;
  for (arma::uword run = 0; run < at_tenth.size(); ++run) {
    for (const auto& [k, epoch] : {std::pair(0.1, at_tenth[run]), std::pair(1.0, at_one[run])}) {
      records.push_back(traced_record("adam", run, {9, 9, 9, 9, 9, 3}, {{"/model/k", k}}));
      std::vector<double> losses(6, 2);
      std::fill_n(losses.begin(), epoch - 1, 100);  // so high that the mean needs the last of the runs
      records.push_back(traced_record("rls", run, losses, {{"/model/k", k}}));
    }
  }
  return records;
}

std::string verdict_on_epochs(const std::string& rules, const std::vector<Record>& records) {
  return texts(judged(R"({"case": "FNN", "algorithm": "rls", "metric": "epochs_to_reach", "reference": "adam",
                          "point": {"/model/k": "{k}"}, "rules": [)" +
                          rules + "]}",
                      "k,claim,value\n0.1,best,2\n1,,\n", records))
      .at(0);
}

TEST(EpochsToReach, AreApartByMoreThanATieOnlyWhereEachRunIs) {
  // Ties of 0.5 are 2 of 4 epochs.
  const std::string lowest = R"({"match": {"claim": "best"}, "rule": "lowest", "ties": 0.5})";

  EXPECT_EQ(verdict_on_epochs(lowest, reached_in({1, 1, 1, 1, 1, 1, 1, 1}, {4, 4, 4, 4, 4, 4, 4, 4})), "agrees");
  EXPECT_EQ(verdict_on_epochs(lowest, reached_in({1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 4, 4, 4, 4, 4})),
            "consistent, more runs would not do")
      << "3 epochs apart in the means, but only one in three of the runs";
}

TEST(EpochsToReach, AreWithinABoundOnlyWhereTheSingleRunsAreAlike) {
  const std::string near = R"({"match": {"claim": "best"}, "rule": "absolute", "tolerance": 0.5})";
  const std::vector<arma::uword> any(8, 6);

  EXPECT_EQ(verdict_on_epochs(near, reached_in(std::vector<arma::uword>(8, 2), any)), "agrees");
  EXPECT_EQ(verdict_on_epochs(near, reached_in({1, 1, 1, 2, 2, 2, 2, 2}, any)), "consistent, more runs would not do")
      << "2 of the means, whichever run is left out";
  const std::string exact = R"({"match": {"claim": "best"}, "rule": "absolute", "tolerance": 0.5, "exact": true})";
  EXPECT_EQ(verdict_on_epochs(exact, reached_in({2, 2, 2}, {6, 6, 6})), "agrees");
  EXPECT_EQ(verdict_on_epochs(exact, reached_in({1, 2, 2}, {6, 6, 6})), "consistent, more runs would not do");
}

TEST(EpochsToReach, IsNotAvailableWhereAUnitFailedOrWasNotTraced) {
  std::vector<Record> failed = two_courses(), reference_failed = two_courses(), untraced = two_courses();
  failed[3] = diverged(failed[3]);
  reference_failed[0] = diverged(reference_failed[0]);
  untraced[3].steps[0].trace.clear();

  for (const auto& records : {failed, reference_failed, untraced}) {
    const PaperComparison comparison = compare(kEpochs, kRanks, records, 0);
    EXPECT_EQ(comparison.table.rows.at(0).at(2).value, std::nullopt);
    EXPECT_EQ(texts(comparison).at(0), "NA");
  }
  EXPECT_EQ(epochs(reference_failed, 1), std::nullopt);
}

/// Returns two repeats of rls at each k with this last training loss (NaN: diverged) and 0.45 at first.
std::vector<Record> sweep(const std::vector<std::pair<double, double>>& losses) {
  std::vector<Record> records;
  for (const auto& [k, loss] : losses) {
    for (const arma::uword repeat : {0u, 1u}) {
      const bool lost = std::isnan(loss) && repeat == 1;
      Record record = traced_record("rls", repeat,
                                    {0.45, lost               ? loss
                                           : std::isnan(loss) ? 1e-3
                                                              : loss},
                                    {{"/model/k", k}});
      records.push_back(lost ? diverged(record) : record);
    }
  }
  return records;
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kGrid = "k,claim,value\n0.01,,\n0.1,best,1\n1,,\n";
constexpr const char* kBest =
    R"({"case": "FNN", "algorithm": "rls", "metric": "train_loss", "point": {"/model/k": "{k}"},
        "rules": [{"match": {"claim": "best"}, "rule": "lowest", "ties": 0.05}, {"match": {"claim": "explodes"}, "rule": "diverges"}]})";

std::string verdict_on_best(const std::vector<std::pair<double, double>>& losses) {
  const PaperComparison comparison = compare(kBest, kGrid, sweep(losses));
  EXPECT_EQ(comparison[Verdict::shown] + (comparison.table.rows[1].back().text != "shown"), 3u);
  return comparison.table.rows[1].back().text;
}

TEST(PaperLowest, IsMetByTheLeastOfTheGridAlone) {
  EXPECT_EQ(verdict_on_best({{0.01, 0.3}, {0.1, 0.2}, {1, 0.4}}), "agrees");
  EXPECT_EQ(verdict_on_best({{0.01, 0.1}, {0.1, 0.2}, {1, 0.4}}), "disagrees");
  EXPECT_EQ(verdict_on_best({{0.01, 0.3}, {0.1, 0.2}, {1, 0.1}}), "disagrees");
}

TEST(PaperLowest, IsLevelWithinTheTies) {
  EXPECT_EQ(verdict_on_best({{0.01, 0.209}, {0.1, 0.2}, {1, 0.4}}), "level");
  EXPECT_EQ(verdict_on_best({{0.01, 0.191}, {0.1, 0.2}, {1, 0.4}}), "level");
  EXPECT_EQ(verdict_on_best({{0.01, 0.191}, {0.1, 0.2}, {1, 0.1}}), "disagrees") << "level with one, above the other";
  const PaperComparison comparison = compare(kBest, kGrid, sweep({{0.01, 0.2}, {0.1, 0.2}, {1, 0.4}}));
  EXPECT_EQ(comparison[Verdict::level], 1u);
  EXPECT_EQ(comparison[Verdict::disagrees] + comparison[Verdict::not_available], 0u);
  EXPECT_EQ(comparison.table.remarks.at(0), "agree: 0 of 1 cells; 0 disagree, 1 level; 2 shown without a verdict");
}

TEST(PaperLowest, AFailedTrialIsWorstNotMissing) {
  EXPECT_EQ(verdict_on_best({{0.01, kNaN}, {0.1, 0.2}, {1, 0.4}}), "agrees") << "the trial that is left has 0.001";
  EXPECT_EQ(verdict_on_best({{0.01, 0.3}, {0.1, kNaN}, {1, 0.4}}), "disagrees");
  EXPECT_EQ(verdict_on_best({{0.01, kNaN}, {0.1, kNaN}, {1, kNaN}}), "disagrees");
  EXPECT_EQ(verdict_on_best({{0.01, kNaN}, {0.1, 0.2}, {1, kNaN}}), "agrees");
}

TEST(PaperLowest, AUnitThatNeverReportedIsWorstToo) {
  std::vector<Record> records = sweep({{0.01, 0.3}, {0.1, 0.2}, {1, 0.4}});
  for (Record& record : records) {
    if (record.point["/model/k"] != 0.01) continue;
    record.status = TrialStatus::numeric("not_finite");
    record.steps.clear();
  }

  const PaperComparison comparison = compare(kBest, kGrid, records);

  EXPECT_EQ(comparison.table.rows[1].back().text, "agrees");
  EXPECT_EQ(comparison.table.rows[0][4].value, std::nullopt);
}

TEST(PaperClaims, AFailureOfTheMachineIsNoEvidence) {
  for (const std::string why : {"out of memory", "crashed (SIGSEGV)", "solve: wrong shape"}) {
    std::vector<Record> records = sweep({{0.01, 0.3}, {0.1, 0.2}, {1, 0.4}, {10, 0.9}});
    for (Record& record : records) {
      if (record.point["/model/k"] != 0.01 && record.point["/model/k"] != 10) continue;
      record.status = TrialStatus::other(why);
      record.steps.clear();
    }

    EXPECT_EQ(compare(kBest, kGrid, records).table.rows[1].back().text, "NA") << "the other point may be the lowest";
    const Table explosion = compare(kBest, "k,claim,value\n10,explodes,0.5\n", records).table;
    EXPECT_EQ(explosion.rows[0].back().text, "NA") << why;
    EXPECT_EQ(explosion.footnotes, Texts{"14 trials of it failed, none by its numbers"});
  }
}

TEST(PaperLowest, WhatWasNotRunCannotBeJudged) {
  EXPECT_EQ(verdict_on_best({{0.01, 0.3}, {1, 0.4}}), "NA");
  EXPECT_EQ(verdict_on_best({{0.1, 0.3}}), "NA");
  EXPECT_EQ(verdict_on_best({{0.1, 0.2}, {1, 0.4}}), "NA") << "the point that was not run may be the lowest";
  EXPECT_EQ(verdict_on_best({{0.1, 0.2}, {1, 0.1}}), "disagrees") << "whatever it has";
}

std::string verdict_on_explosion(double last) {
  const PaperComparison comparison = compare(kBest, "k,claim,value\n10,explodes,0.5\n", sweep({{10, last}}));
  return comparison.table.rows[0].back().text;
}

/// Seven runs of rls at k = 10, all with this course.
PaperComparison explosion(const std::vector<double>& losses, const std::string& published = "0.5") {
  return compare(kBest, "k,claim,value\n10,explodes," + published + "\n",
                 {traced_record("rls", 0, losses, {{"/model/k", 10.0}})});
}

TEST(PaperDiverges, LooksAtTheWholeCourse) {
  const PaperComparison recovered = explosion({0.3, 700, 0.1});
  EXPECT_EQ(texts(recovered), Texts{"agrees"});
  EXPECT_EQ(recovered.table.footnotes, Texts{"7 trials of it reached the published value earlier"});
  EXPECT_NEAR(*recovered.table.rows[0][3].value, 0.1, 1e-6) << "shown is the last epoch";
  EXPECT_EQ(texts(explosion({0.3, 0.45, 0.1})), Texts{"disagrees"});
  EXPECT_EQ(texts(explosion({0.3, 0.45, 0.1}, "0.45")), Texts{"agrees"}) << "at least the published value";
}

TEST(PaperDiverges, OneTrialIsEnoughAndAllElseIsOfTheLargestValues) {
  std::vector<Record> records = in_runs({traced_record("rls", 0, {0.3, 0.1}, {{"/model/k", 10.0}})}, 7, 1e-3);
  const auto verdict = [&] { return texts(judged(kBest, "k,claim,value\n10,explodes,0.5\n", records)).at(0); };

  EXPECT_EQ(verdict(), "disagrees");
  for (std::size_t run = 0; run < records.size(); ++run)
    records[run].steps[0].trace["train_loss"][0] = run % 2 == 0 ? 0.49 : 0.2;
  EXPECT_TRUE(verdict().starts_with("contrary, about ")) << "0.37 +- 0.14 in the mean, however small the last are";
  records[3].steps[0].trace["train_loss"][0] = 0.6;
  EXPECT_EQ(verdict(), "agrees");
}

TEST(PaperDiverges, KnowsTheStepsThatWereReportedOnTheWay) {
  std::vector<Record> records = in_runs({traced_record("rls", 0, {}, {{"/model/k", 10.0}})}, 7, 1e-6);
  for (Record& record : records) {
    StepRecord& step = record.steps[0];
    step.trace.clear();
    step.iterations = 1;
    step.metrics["train_loss"] = 0.6;
    StepRecord last = step;
    last.iterations = 2;
    last.metrics["train_loss"] = 0.1;
    record.steps.push_back(last);
  }
  EXPECT_EQ(texts(judged(kBest, "k,claim,value\n10,explodes,0.5\n", records)), Texts{"agrees"});
}

TEST(PaperDiverges, WhereAUnitFailsOrEndsAboveThePublished) {
  EXPECT_EQ(verdict_on_explosion(kNaN), "agrees");
  EXPECT_EQ(verdict_on_explosion(0.7), "agrees");
  EXPECT_EQ(verdict_on_explosion(0.4), "disagrees");
  EXPECT_EQ(compare(kBest, "k,claim,value\n10,explodes,0.5\n", {})[Verdict::not_available], 1u);
}

TEST(PaperDiverges, TheTableSaysHowManyTrialsFailed) {
  const Table table = compare(kBest, "k,claim,value\n10,explodes,0.5\n", sweep({{10, kNaN}})).table;

  EXPECT_EQ(table.footnotes, Texts{"7 trials of it failed"});
  EXPECT_EQ(table.rows[0][3].note, 1u);
}

TEST(PaperGroups, TwoPublishedMetricsOfOneOfOursAreJudgedApart) {
  std::vector<Record> records;
  for (const auto& [algorithm, loss] : {std::pair("adam", 0.3), std::pair("rls", 0.2), std::pair("rls+m", 0.25)}) {
    records.push_back(traced_record(algorithm, 0, {1, loss}));
  }
  const char* options =
      R"({"case": "FNN", "metric_names": {"loss": "train_loss", "loss of variants": "train_loss"}, "rules": [{"rule": "order"}]})";

  const auto comparison = compare(options,
                                  "metric,algorithm,value\nloss,rls,1\nloss,rls+m,1\nloss,adam,2\nloss of "
                                  "variants,rls,2\nloss of variants,rls+m,1\n",
                                  records);

  EXPECT_EQ(texts(comparison), (Texts{"agrees", "agrees", "agrees", "disagrees", "disagrees"}));
}

// In each setting the spread over runs hides the order. It cancels in the mean of a run over the settings.
TEST(PaperClaims, AreJudgedByTheMeansOfRunsOverSettings) {
  std::vector<Record> records;
  const double spread[] = {0.2, -0.15, 0.1, -0.2, 0.05}, noise[] = {1e-3, -1e-3, 2e-3, 0, -2e-3};
  const auto add = [&](const std::string& algorithm, int setting, std::size_t run, double value) {
    add_runs(records, algorithm, {value});
    Record& record = records.back();
    record.repeat = run;
    record.point = {{"/split/labelled", setting}};
    record.key += std::to_string(setting) + std::to_string(run);
  };
  for (std::size_t run = 0; run < 5; ++run) {
    add("above", 2, run, 0.5 + spread[run]);
    add("above", 6, run, 0.9 - spread[run] + noise[run]);
    add("below", 2, run, 0.45 - spread[run]);
    add("below", 6, run, 0.85 + spread[run] - noise[run]);
  }
  const PaperComparison comparison = judged(
      R"({"case": "set", "metric": "m", "point": {"/split/labelled": "{labelled}"}, "mean_over": ["/split/labelled"],
          "rules": [{"match": {"algorithm": "above"}, "rule": "rank"}]})",
      "labelled,algorithm,metric,value\n2,above,m,2\n2,below,m,1\n6,above,m,2\n6,below,m,1\nall,above,m,2\nall,below,m,"
      "1\n",
      records);
  const Texts verdicts = texts(comparison);
  EXPECT_NE(verdicts[0], "agrees");
  EXPECT_NE(verdicts[2], "agrees");
  EXPECT_EQ(verdicts[4], "agrees");
  const auto measured = std::ranges::find(comparison.table.columns, "measured", &Column::name);
  const Cell& all = comparison.table.rows[4][static_cast<std::size_t>(measured - comparison.table.columns.begin())];
  EXPECT_NEAR(*all.value, 0.7, 1e-12);
}

}  // namespace
}  // namespace elmx
