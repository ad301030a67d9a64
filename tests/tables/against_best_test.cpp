#include "tables/against_best.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/records.hpp"
#include "table_formats/markdown.hpp"
#include "tables/tables_of_records.hpp"

namespace elmx {
namespace {

/// Trials of one algorithm with these test errors, one a fold.
void append(std::vector<Record>& records, const std::string& algorithm, const std::vector<double>& errors,
            const std::string& metric = "test_rmse") {
  for (std::size_t fold = 0; fold < errors.size(); ++fold)
    records.push_back(
        one_step_record("", algorithm, fold, 10, {{metric, errors[fold]}, {"test_r2", 1 - errors[fold]}}));
}

Table judged(const std::vector<Record>& records, std::function<double(const RecordRow&)> ratio = {}) {
  RecordTableOptions options;
  options.against_best = true;
  options.test_over_train = std::move(ratio);
  return tables_of_records(records, options).front();
}

/// "algorithm: text*", * where its number is marked.
std::map<std::string, std::string> verdicts(const Table& table, const std::string& metric = "test_rmse") {
  const auto column = [&](const std::string& name) {
    const auto found = std::ranges::find(table.columns, name, &Column::name);
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  std::map<std::string, std::string> texts;
  for (const auto& row : table.rows) {
    const std::string text =
        column("against_best") < row.size() ? plain_text(row[column("against_best")]) : "no column";
    texts[plain_text(row[column("algorithm")])] = text + (row[column(metric)].best ? "*" : "");
  }
  return texts;
}

double five_folds(const RecordRow&) { return 0.25; }

const std::vector<double> kGood = {0.10, 0.11, 0.12, 0.13, 0.14};
const std::vector<double> kBad = {0.20, 0.212, 0.219, 0.23, 0.242};
const std::vector<double> kNear = {0.12, 0.10, 0.13, 0.12, 0.15};

TEST(AgainstBest, SaysWhatIsWorseAndWhatMayBeChance) {
  std::vector<Record> records;
  append(records, "bad", kBad);
  append(records, "good", kGood);
  append(records, "near", kNear);
  append(records, "twin", kGood);

  const auto texts = verdicts(judged(records, five_folds));

  EXPECT_EQ(texts.at("good"), "best*");
  EXPECT_EQ(texts.at("twin"), "best*");
  EXPECT_EQ(texts.at("bad"), "worse, p < 0.001");
  EXPECT_EQ(texts.at("near").substr(0, 2), "p ");
  EXPECT_GT(std::stod(texts.at("near").substr(2)), 0.05);
}

// By hand: differences 1, 2, 3 (x 0.1) have mean 2, sd 1; t = 2 / sqrt(1 / 3 + 1 / 4) = 2.6186 with 2 degrees of freedom,
// p = 1 - t / sqrt(2 + t^2) = 0.1201.
TEST(AgainstBest, PIsThatOfTheCorrectedTest) {
  std::vector<Record> records;
  append(records, "good", {0.1, 0.1, 0.1});
  append(records, "other", {0.2, 0.3, 0.4});

  EXPECT_EQ(verdicts(judged(records, five_folds)).at("other"), "p 0.12");
}

TEST(AgainstBest, HolmCountsRowsWithTheSameNumbersOnce) {
  std::vector<Record> records;
  append(records, "good", {0.1, 0.1, 0.1});
  append(records, "other", {0.2, 0.3, 0.4});
  append(records, "other twin", {0.2, 0.3, 0.4});
  EXPECT_EQ(verdicts(judged(records, five_folds)).at("other"), "p 0.12");

  append(records, "third", {0.4, 0.3, 0.2});
  EXPECT_EQ(verdicts(judged(records, five_folds)).at("other"), "p 0.24");
}

TEST(AgainstBest, OfAnUnknownSplitWilcoxonSaysWhatItCannotDecide) {
  std::vector<Record> records;
  append(records, "bad", kBad);
  append(records, "good", kGood);
  const auto unknown = [](const RecordRow&) -> double { throw ConfigError("not told"); };

  EXPECT_EQ(verdicts(judged(records, unknown)).at("bad"), "p ?") << "five folds are too few";
  EXPECT_EQ(verdicts(judged(records)).at("bad"), "p ?");
}

TEST(AgainstBest, AHigherAccuracyIsBetterAndComesFirst) {
  std::vector<Record> records;
  append(records, "bad", kGood, "test_acc");
  append(records, "good", kBad, "test_acc");

  RecordTableOptions options;
  options.against_best = true;
  options.test_over_train = five_folds;
  const std::vector<Table> tables = tables_of_records(records, options);
  const Table& table = *std::ranges::find(tables, "classification", &Table::name);
  const auto texts = verdicts(table, "test_acc");

  EXPECT_EQ(texts.at("good"), "best*");
  EXPECT_EQ(texts.at("bad"), "worse, p < 0.001");
}

TEST(AgainstBest, WhatWasChosenOnTheTestPartIsNoneOfThem) {
  std::vector<Record> records;
  append(records, "honest", kGood);
  for (const double mu : {0.1, 1.0}) {
    for (std::size_t fold = 0; fold < 5; ++fold) {
      Record record = one_step_record("", "grid", fold, 10, {{"test_rmse", 0.001 + 0.001 * static_cast<double>(fold)}});
      record.steps[0].parameters = {{"mu", mu}};
      if (mu == 0.1)
        records.push_back(record);
      else
        records[records.size() - 5 + fold].steps.push_back(record.steps[0]);
    }
  }

  const auto texts = verdicts(judged(records, five_folds));

  EXPECT_EQ(texts.at("honest"), "best*");
  EXPECT_EQ(texts.at("grid").substr(0, 6), "better");
}

TEST(AgainstBest, ASingleTrialIsMarkedButNotTested) {
  std::vector<Record> records;
  append(records, "a", {0.1});
  append(records, "b", {0.2});

  const auto texts = verdicts(judged(records, five_folds));

  EXPECT_EQ(texts.at("a"), "no column*");
  EXPECT_EQ(texts.at("b"), "no column");
}

TEST(AgainstBest, IsNotThereUnlessItIsAskedFor) {
  std::vector<Record> records;
  append(records, "a", kGood);
  append(records, "b", kBad);

  EXPECT_EQ(verdicts(tables_of_records(records).front()).at("a"), "no column");
}

}  // namespace
}  // namespace elmx
