#include <gtest/gtest.h>

#include "base/error.hpp"
#include "report/tables/methods.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

using Scores = std::vector<std::vector<double>>;

/// Two folds of the methods a, b, c, ... on data sets d0, d1, ...: a row a data set.
std::vector<Record> records_with(const Scores& scores, const std::string& metric = "test_rmse",
                                 const std::string& prefix = "d") {
  std::vector<Record> records;
  for (std::size_t set = 0; set < scores.size(); ++set) {
    for (std::size_t method = 0; method < scores[set].size(); ++method) {
      for (arma::uword fold = 0; fold < 2; ++fold) {
        const std::string data = prefix + std::to_string(set);
        Record record = one_step_record("", std::string(1, static_cast<char>('a' + method)), fold, 20,
                                        {{metric, scores[set][method]}});
        record.key += data;
        record.dataset = data;
        record.samples = {"content of " + data, "train", "test" + std::to_string(fold)};
        records.push_back(record);
      }
    }
  }
  return records;
}

MethodRanks ranked(const std::vector<Record>& records, int digits = 0) {
  return rank_methods(methods_of(group_records(records)), digits, 0.05);
}

std::vector<double> mean_ranks_of(const MethodRanks& found) {
  return arma::conv_to<std::vector<double>>::from(found.ranks.friedman.ranks);
}

// Ranks (1 2 3), (1 2 3), (1 3 2), (2 1 3): chi2 = 12 4 / (3 4) (1.25^2 + 2^2 + 2.75^2 - 12) = 4.5, F = 3 4.5
// / (8 - 4.5). Nemenyi: 2.343 sqrt(3 4 / (6 4)).
TEST(MethodRanks, AreThoseByHand) {
  const MethodRanks found = ranked(records_with({{1, 2, 3}, {0.1, 0.2, 0.3}, {5, 7, 6}, {2, 1, 9}}));

  EXPECT_EQ(found.methods, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(mean_ranks_of(found), (std::vector<double>{1.25, 2, 2.75}));
  EXPECT_NEAR(found.ranks.friedman.F, 27.0 / 7, 1e-12);
  EXPECT_NEAR(found.ranks.critical_difference, 2.343 * std::sqrt(0.5), 1e-3);
  const Table& methods = found.table;
  ASSERT_EQ(methods.rows.size(), 3u);
  EXPECT_EQ(methods.rows[0][0].text, "a");
  EXPECT_EQ(*methods.rows[0][2].value, 3) << "best on";
  EXPECT_EQ(found.scores.rows.size(), 5u) << "four data sets and the mean ranks";
}

TEST(MethodRanks, EachDataSetIsJudgedByItsOwnMetric) {
  std::vector<Record> records = records_with({{1, 2, 3}, {1, 2, 3}});
  for (const Record& record : records_with({{0.9, 0.8, 0.7}, {0.6, 0.8, 0.7}}, "test_acc", "classes"))
    records.push_back(record);

  EXPECT_EQ(mean_ranks_of(ranked(records)), (std::vector<double>{6.0 / 4, 7.0 / 4, 11.0 / 4}));
}

TEST(MethodRanks, DigitsTieScores) {
  const std::vector<Record> records = records_with({{0.966667, 0.966666}, {0.9, 0.8}}, "test_acc");

  EXPECT_EQ(mean_ranks_of(ranked(records)), (std::vector<double>{1, 2}));
  EXPECT_EQ(mean_ranks_of(ranked(records, 5)), (std::vector<double>{1.25, 1.75}));
}

TEST(MethodRanks, MethodsOfAFieldAreNamedByItsValues) {
  std::vector<Record> records = records_with({{1, 2}, {1, 2}});
  for (Record& record : records) record.experiment_case = record.algorithm == "a" ? "first" : "second";
  const std::vector<RecordRow> rows = group_records(records);
  const Dimensions fields(rows);

  const MethodRanks found = rank_methods(methods_of(rows, &fields.find("case", "--by")), 0, 0.05);

  EXPECT_EQ(found.methods, (std::vector<std::string>{"first", "second"}));
}

TEST(MethodRanks, WhatCannotBeRankedIsRefused) {
  EXPECT_THROW(ranked({}), ConfigError);
  EXPECT_THROW(ranked(records_with({{1, 2}})), ConfigError) << "one data set";
  EXPECT_THROW(ranked(records_with({{1}, {2}})), ConfigError) << "one method";
  EXPECT_THROW(ranked(records_with({{1, 2}, {1, 2, 3}})), ConfigError) << "different methods";
  std::vector<Record> copies = records_with({{1, 2}, {1, 2}});
  for (Record& record : copies) record.samples.data = "one content";
  EXPECT_THROW(ranked(copies), ConfigError);
  std::vector<Record> failed = records_with({{1, 2}, {1, 2}, {1, 2}});
  for (Record& record : failed) {
    if (record.dataset != "d1" || record.algorithm != "a") continue;
    record.status = TrialStatus::other("not finite");
    record.steps.clear();
  }
  EXPECT_THROW(ranked(failed), ConfigError);
}

TEST(MethodRanks, LevelGroupsAreTheLargestWithoutADifference) {
  using Groups = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(level_groups({1, 2, 3}, 1.5), (Groups{{0, 1}, {1, 2}}));
  EXPECT_EQ(level_groups({3, 1, 2}, 5), (Groups{{1, 2, 0}}));
  EXPECT_EQ(level_groups({1, 2}, 1), Groups{}) << "as far apart as the difference";
  EXPECT_EQ(level_groups({1, 1.5, 4, 4.2, 9}, 1), (Groups{{0, 1}, {2, 3}}));
}

}  // namespace
}  // namespace elmx
