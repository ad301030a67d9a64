#include <gtest/gtest.h>

#include "report/frame/frame.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

using Values = std::vector<double>;

/// A run whose trials were split into five folds; its metrics are in the units of the targets.
RunDescription five_folds() {
  RunDescription run;
  for (const char* name : {"", "one", "two"}) {
    run.resolved.push_back({{"case", name}, {"options", {{"split", {{"kind", "k_fold"}, {"folds", 5}}}}}});
  }
  return run;
}

/// One trial a value, on the same folds whatever the algorithm.
void add_trials(std::vector<Record>& records, const std::string& algorithm, const Values& values,
                const std::string& data = "yacht", const std::string& metric = "test_rmse",
                const std::string& experiment_case = "") {
  for (std::size_t fold = 0; fold < values.size(); ++fold) {
    Record record = one_step_record(experiment_case, algorithm, fold, 20, {{metric, values[fold]}});
    record.key += data;
    record.dataset = data;
    record.samples = {"content of " + data, "train", "test " + data + std::to_string(fold)};
    records.push_back(record);
  }
}

RunSummary summarised(const std::vector<Record>& records, const RunDescription& run = five_folds()) {
  return summary_of_methods(Frame(records, run));
}

void has(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

// Differences 1, ..., 5: mean 3, variance 2.5. Nadeau and Bengio: se^2 = 2.5 (1/5 + 1/4), so that t = 3 / se
// = sqrt(8). With 4 degrees of freedom P(T <= t) = 1/2 + 3/8 u (1 - u^2 / 12), u = t / sqrt(1 + t^2 / 4): u^2
// = 8/3, p = 0.0474. P(T <= 2.7764451) = 0.975: the interval is 3 -+ 2.945.
TEST(RunSummary, NamesTheBestTheDifferenceToTheNextItsIntervalAndItsTest) {
  std::vector<Record> records;
  add_trials(records, "alg2", {11, 12, 13, 14, 15});
  add_trials(records, "panel", {10, 10, 10, 10, 10});

  const RunSummary summary = summarised(records);

  ASSERT_EQ(summary.sentences.size(), 1u);
  has(summary.sentences[0], {"yacht: panel has the lowest test RMSE, 10.00 ± 0 (nodes 20)", "Next is alg2 with 13.00",
                             "3.0 higher (95 % interval 0.055 to 5.9)", "is significant", "p = 0.047"});
  EXPECT_EQ(summary.sentences[0].find("Holm"), std::string::npos) << "one comparison";
  ASSERT_EQ(summary.tables.size(), 1u);
  const Table& table = summary.tables[0];
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(plain_text(table.rows[0][0]), "panel");
  EXPECT_TRUE(table.rows[0][1].best);
  EXPECT_FALSE(table.rows[1][1].best);
  EXPECT_NEAR(*table.rows[1][2].value, 3, 1e-12);
  EXPECT_NEAR(*table.rows[1][3].value, 3 - 2.7764451 * std::sqrt(2.5 * 0.45), 1e-6);
  EXPECT_NEAR(*table.rows[1][4].value, 3 + 2.7764451 * std::sqrt(2.5 * 0.45), 1e-6);
  EXPECT_EQ(plain_text(table.rows[1][6]), "worse");
}

TEST(RunSummary, OfAccuraciesTheHighestIsBest) {
  std::vector<Record> records;
  add_trials(records, "a", {0.5, 0.5, 0.5, 0.5, 0.5}, "d", "test_acc");
  add_trials(records, "b", {0.6, 0.7, 0.8, 0.9, 1.0}, "d", "test_acc");

  const RunSummary summary = summarised(records);

  has(summary.sentences.at(0), {"d: b has the highest test accuracy, 0.8000", "0.30 lower (95 % interval 0.0055 to"});
  EXPECT_GT(*summary.tables.at(0).rows.at(1).at(3).value, 0);
  EXPECT_LT(*summary.tables[0].rows[1][3].value, *summary.tables[0].rows[1][4].value);
}

// Its first fold crashed before its samples were known, or is not there yet.
TEST(RunSummary, AMethodIsInTheContestWithoutItsFirstTrial) {
  for (const bool crashed : {true, false}) {
    std::vector<Record> records;
    add_trials(records, "alg2", {11, 12, 13, 14, 15});
    add_trials(records, "panel", {10, 10, 10, 10, 10});
    if (crashed) {
      records[0].status = TrialStatus::other("crashed (SIGSEGV)");
      records[0].steps.clear();
      records[0].samples = {};
    } else {
      records.erase(records.begin());
    }

    const RunSummary summary = summarised(records);

    ASSERT_EQ(summary.sentences.size(), 1u);
    EXPECT_EQ(summary.sentences[0].find("no other method"), std::string::npos) << summary.sentences[0];
    ASSERT_EQ(summary.tables.size(), 1u);
    EXPECT_EQ(summary.tables[0].rows.size(), 2u);
  }
}

TEST(RunSummary, SeveralComparisonsRaiseP) {
  std::vector<Record> records;
  add_trials(records, "panel", {10, 10, 10, 10, 10});
  add_trials(records, "alg2", {11, 12, 13, 14, 15});
  add_trials(records, "alg3", {9, 15, 9, 20, 19});  // mean 14.4, not significant: the smaller p is doubled

  const RunSummary summary = summarised(records);

  has(summary.sentences.at(0), {"is not significant", "p = 0.095 by Holm over 2 comparisons"});
}

TEST(RunSummary, SaysWhereNothingCanBeTested) {
  std::vector<Record> records;
  add_trials(records, "panel", {10, 11});
  has(summarised(records).sentences.at(0),
      {"yacht: panel has a test RMSE of 10.50 ± 0.71 over 2 trials (nodes 20)", "no other method to test it against"});

  add_trials(records, "alg2", {10, 11});
  has(summarised(records).sentences.at(0), {"panel", "alg2", "have the same test RMSE", "no difference to test"});

  records.clear();
  add_trials(records, "panel", {10});
  add_trials(records, "alg2", {12});
  has(summarised(records).sentences.at(0), {"That is one trial of each, too few to test."});

  records.clear();
  add_trials(records, "panel", {10, 10, 10, 10, 10});
  add_trials(records, "alg2", {11, 12, 13, 14, 15});
  has(summarised(records, {}).sentences.at(0), {"too few to test it", "Wilcoxon's signed-rank test"});

  for (Record& record : records) {
    record.status = TrialStatus::other("not finite");
    record.steps.clear();
  }
  EXPECT_TRUE(summarised(records).sentences.empty());
  EXPECT_TRUE(summarised({}).sentences.empty());
}

TEST(RunSummary, OfSeveralSettingsTheBestOnTheTestPartStandsAndIsCalledOptimistic) {
  std::vector<Record> records;
  add_trials(records, "panel", {10, 11});
  EXPECT_TRUE(summarised(records).tables.at(0).remarks.empty());
  for (Record& record : records) {
    record.steps.push_back(record.steps[0]);
    record.steps[1].nodes = 40;
    record.steps[1].metrics["test_rmse"] -= 3;
  }

  const RunSummary summary = summarised(records);

  has(summary.sentences.at(0), {"7.500", "at the best of 2 settings (nodes 40)"});
  has(summary.tables.at(0).remarks.at(0), {"optimistic"});
}

TEST(RunSummary, AMethodWithFailedTrialsIsNotTheBest) {
  std::vector<Record> records;
  add_trials(records, "a", {1, 1, 9, 1, 1});
  add_trials(records, "b", {2, 2, 8, 2, 3});
  records[2].status = TrialStatus::other("not finite");
  records[2].steps.clear();

  const RunSummary summary = summarised(records);

  has(summary.sentences.at(0), {"yacht: b has the lowest test RMSE of the methods without a failed trial, 3.400",
                                "Next is a with 1.000 ± 0", "1 of 5 trials failed)", "1.2 lower"});
  EXPECT_NE(plain_text(summary.tables.at(0).rows.at(1).at(6)), "worse");
  EXPECT_EQ(summary.tables[0].footnotes.size(), 1u);
}

// 27 of 30 differences favour b, the mean a: Wilcoxon's test looks at the ranks.
TEST(RunSummary, ATestThatFindsTheOtherOneBetterIsNotForTheBest) {
  std::vector<Record> records;
  Values a(30), b(30);
  for (std::size_t i = 0; i < 30; ++i) {
    a[i] = 1 + 0.01 * static_cast<double>(i);
    b[i] = i < 27 ? a[i] - 0.01 - 1e-4 * static_cast<double>(i) : a[i] + 1;
  }
  add_trials(records, "a", a);
  add_trials(records, "b", b);

  const RunSummary summary = summarised(records, {});

  has(summary.sentences.at(0),
      {"yacht: a has the lowest test RMSE", "But trial by trial the test finds b to be better (Wilcoxon's"});
  EXPECT_EQ(summary.sentences[0].find("is significant"), std::string::npos) << summary.sentences[0];
  EXPECT_EQ(plain_text(summary.tables.at(0).rows.at(1).at(6)), "better");
}

TEST(RunSummary, WhatDiffersByRoundingSharesTheFirstPlace) {
  std::vector<Record> records;
  add_trials(records, "a", {0.1 + 0.2, 0.5, 0.7, 0.9, 0.6}, "d", "test_acc");
  add_trials(records, "b", {0.5, 0.3, 0.9, 0.7, 0.6}, "d", "test_acc");
  add_trials(records, "c", {0.2, 0.3, 0.2, 0.1, 0.2}, "d", "test_acc");

  const RunSummary summary = summarised(records);

  has(summary.sentences.at(0),
      {"d: a and b share the highest test accuracy, 0.6000", "a and b: The difference is not"});
  EXPECT_EQ(summary.sentences[0].find("which is"), std::string::npos) << summary.sentences[0];
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(summary.tables.at(0).rows.at(i).at(1).best, i < 2);
}

// Two methods of one mean and one spread, which no trial has in common.
TEST(RunSummary, MethodsAreOneWhereEveryTrialPrintsAlike) {
  std::vector<Record> records;
  add_trials(records, "a", {1, 2, 3, 4, 5});
  add_trials(records, "b", {5, 4, 3, 2, 1});
  has(summarised(records).sentences.at(0), {"a and b share the lowest test RMSE"});

  records.clear();
  add_trials(records, "a", {1, 2, 3, 4, 5});
  add_trials(records, "b", {1, 2, 3, 4, 5 + 1e-9});
  const RunSummary summary = summarised(records);
  has(summary.sentences.at(0), {"a, b have the same test RMSE", "to the digits shown in every trial"});
  ASSERT_EQ(summary.tables.at(0).rows.size(), 2u) << "tables never merge methods";
  EXPECT_EQ(summary.tables[0].rows[0][0].text, "a");
  EXPECT_EQ(summary.tables[0].rows[1][0].text, "b");
}

TEST(RunSummary, TiedMethodsKeepTheirOwnSettings) {
  std::vector<Record> records;
  add_trials(records, "a", {1, 2});
  add_trials(records, "b", {1, 2});
  for (std::size_t i = 0; i < records.size(); ++i) {  // a is best with 20 nodes, b with 40
    records[i].steps.push_back(records[i].steps[0]);
    records[i].steps[1].nodes = 40;
    records[i].steps[i < 2 ? 1 : 0].metrics["test_rmse"] += 3;
  }

  const RunSummary summary = summarised(records);

  const auto& rows = summary.tables.at(0).rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].back().text, "nodes 20");
  EXPECT_EQ(rows[1].back().text, "nodes 40");
}

// Six differences of one sign have p = 2 / 2^6 = 0.031 at the least, and Holm's first step of two takes
// 0.025.
TEST(RunSummary, WhatNoOutcomeCouldDecideIsNotCalledInsignificant) {
  std::vector<Record> records;
  add_trials(records, "a", {1, 2, 3, 4, 5, 6});
  add_trials(records, "b", {2, 3.1, 4.2, 5.3, 6.4, 7.5});
  EXPECT_EQ(plain_text(summarised(records, {}).tables.at(0).rows.at(1).at(6)), "worse") << "one comparison";

  add_trials(records, "c", {3, 4.1, 5.2, 6.3, 7.4, 8.5});
  const RunSummary summary = summarised(records, {});
  has(summary.sentences.at(0), {"The trials are too few to test it", "p <= 0.025 needs at least 7 of them"});
  for (std::size_t i : {1, 2}) EXPECT_EQ(plain_text(summary.tables.at(0).rows.at(i).at(6)), "cannot decide");
}

TEST(RunSummary, RanksLeaveOutADataSetOnWhichAMethodFailed) {
  for (const std::string failing : {"a", "c"}) {
    std::vector<Record> records;
    for (const std::string data : {"d1", "d2", "d3", "d4"}) {
      add_trials(records, "a", {1, 1.1, 1}, data);
      add_trials(records, "b", {2, 2.1, 2.2}, data);
      add_trials(records, "c", {3, 3.1, 3}, data);
    }
    for (Record& record : records) {
      if (record.dataset != "d3" || record.algorithm != failing) continue;
      record.status = TrialStatus::other("not finite");
      record.steps.clear();
    }
    has(summarised(records).sentences.at(0),
        {"Over 3 data sets a has the best mean rank", "Without d3, where not every method has a number."});
  }
}

// "b" has failed once where it has the lower error: it stands behind, and the sentence says so.
TEST(RunSummary, OverDataSetsSaysWhereAMethodStandsBehindForItsFailures) {
  std::vector<Record> records;
  for (const std::string data : {"d1", "d2", "d3"}) {
    add_trials(records, "a", {1, 1.1, 1}, data);
    add_trials(records, "b", data == "d2" ? std::vector<double>{0.5, 0.6, 0.5} : std::vector<double>{2, 2.1, 2.2},
               data);
  }
  const std::string said = "On 1 data set a method with failed trials, which comes last, has the better mean.";
  EXPECT_EQ(summarised(records).sentences.at(1).find(said), std::string::npos) << "none has failed";
  for (Record& record : records) {
    if (record.dataset != "d2" || record.algorithm != "b" || record.fold != 2) continue;
    record.status = TrialStatus::other("not finite");
    record.steps.clear();
  }
  has(summarised(records).sentences.at(1), {"a is best on 3", said});
}

// The values are the same in another order, but their differences sum to -5.6e-17 in floating point.
TEST(RunSummary, EqualMeansDifferByZero) {
  std::vector<Record> records;
  add_trials(records, "a", {0.12, 0.33, 0.72, 0.71, 0.94});
  add_trials(records, "b", {0.12, 0.72, 0.94, 0.33, 0.71});
  const RunSummary summary = summarised(records);
  for (const auto& row : summary.tables.at(0).rows) {
    for (const Cell& cell : row) EXPECT_EQ(plain_text(cell).find("e-"), std::string::npos) << plain_text(cell);
  }
}

TEST(RunSummary, CopiesOfADataSetAreOne) {
  std::vector<Record> records;
  for (const std::string data : {"d1", "d2", "d3"}) {
    add_trials(records, "a", {1, 1.1, 1}, data);
    add_trials(records, "b", {2, 2.1, 2.2}, data);
  }
  for (Record& record : records) record.samples = {"content", "train", "test" + std::to_string(record.fold)};
  has(summarised(records).sentences.at(0), {"the same content"});
}

// Every data set orders three methods alike: p = (3!)^(1 - 3) = 1/36; Nemenyi: 2.343 sqrt(3 * 4 / (6 * 3)) =
// 1.91.
TEST(RunSummary, OverDataSetsRanksTheMethods) {
  std::vector<Record> records;
  for (const double scale : {1.0, 10.0, 100.0}) {
    const std::string data = "d" + std::to_string(static_cast<int>(scale));
    add_trials(records, "c", {3 * scale, 3.1 * scale, 3 * scale}, data);
    add_trials(records, "a", {1 * scale, 1.1 * scale, 1 * scale}, data);
    add_trials(records, "b", {2 * scale, 2.1 * scale, 2.2 * scale}, data);
  }

  const RunSummary summary = summarised(records);

  ASSERT_EQ(summary.sentences.size(), 2u);
  has(summary.sentences[0], {"Over 3 data sets a has the best mean rank in test RMSE, 1.00; then b 2.00, c 3.00",
                             "p = 0.028", "critical difference of 1.91", "these do: \"a\" and \"c\"."});
  has(summary.sentences[1], {"a is best on 3 data sets, significantly on 3"});
  const Table& table = summary.tables.at(0);
  ASSERT_EQ(table.rows.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 1; j < 4; ++j) EXPECT_EQ(table.rows[i][j].best, table.columns[j].heading == "a");
  }
  EXPECT_EQ(plain_text(table.rows[3][0]), "mean rank");
  ASSERT_EQ(summary.further.size(), 1u);
  EXPECT_EQ(summary.further[0].rows.size(), 9u);
}

TEST(RunSummary, OfTwoMethodsOverDataSetsIsWilcoxons) {
  std::vector<Record> records;
  for (int i = 0; i < 6; ++i) {
    add_trials(records, "a", {1.0 + i, 2.0 + i}, "d" + std::to_string(i));
    add_trials(records, "b", {1.5 + 1.1 * i, 2.7 + i}, "d" + std::to_string(i));
  }

  has(summarised(records).sentences.at(0), {"Over 6 data sets a has the best mean rank", "p = 0.031"});  // 2 / 2^6
  std::erase_if(records, [](const Record& record) { return record.dataset == "d5"; });
  has(summarised(records).sentences.at(0), {"cannot decide", "at least 6"});
}

TEST(RunSummary, ComparesCasesOnTheSameSamplesAndNoOthers) {
  std::vector<Record> records;
  add_trials(records, "panel", {1, 2, 3}, "yacht", "test_rmse", "one");
  add_trials(records, "panel", {2, 3, 5}, "yacht", "test_rmse", "two");
  has(summarised(records).sentences.at(0), {"yacht: one has the lowest test RMSE", "Next is two"});

  for (Record& record : records) {
    if (record.experiment_case == "two") record.samples.test += "another";
  }
  std::vector<std::string> sentences = summarised(records).sentences;
  ASSERT_GE(sentences.size(), 2u);
  for (const std::string& sentence : sentences) EXPECT_EQ(sentence.find("Next is"), std::string::npos) << sentence;
}

TEST(RunSummary, WhatWasImportedBesideEachCaseIsOneMethod) {
  std::vector<Record> records;
  for (const std::string experiment_case : {"one", "two"}) {
    add_trials(records, "panel", experiment_case == "one" ? Values{1, 2, 3} : Values{2, 3, 5}, "yacht", "test_rmse",
               experiment_case);
    add_trials(records, "my rule", {4, 4, 6}, "yacht", "test_rmse", experiment_case);
    for (std::size_t i = records.size() - 3; i < records.size(); ++i) records[i].family = kImported;
  }

  const Table table = summarised(records).tables.at(0);

  std::vector<std::string> methods;
  for (const auto& row : table.rows) methods.push_back(row[0].text);
  EXPECT_EQ(methods, (std::vector<std::string>{"one: panel", "two: panel", "my rule"}));
}

TEST(RunSummary, DoesNotCompareErrorsInDifferentUnits) {
  std::vector<Record> records;
  add_trials(records, "panel", {1, 2, 3}, "yacht", "test_rmse", "one");
  add_trials(records, "panel", {2, 3, 5}, "yacht", "test_rmse", "two");
  RunDescription run = five_folds();
  run.targets = {{"two", {{"scale", "zero_one"}, {"units", "scaled"}}}};

  for (const std::string& sentence : summarised(records, run).sentences)
    EXPECT_EQ(sentence.find("Next is"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace elmx
