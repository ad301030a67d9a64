#include <gtest/gtest.h>

#include "base/error.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// Four folds of one algorithm on data of a content, tested on the parts of a split.
struct Run {
  std::string algorithm = "panel", data = "content", split = "seed 1", name = "d.csv";
  std::vector<arma::uword> nodes = {20};
  std::map<std::string, Json> point = {};
  std::string experiment_case = {};
};

std::vector<Record> records_of(const Run& run) {
  std::vector<Record> records;
  for (arma::uword fold = 0; fold < 4; ++fold) {
    Record record = one_step_record(run.experiment_case, run.algorithm, fold, run.nodes[0],
                                    {{"test_rmse", 1 + 0.1 * static_cast<double>(fold)}});
    record.dataset = run.name;
    record.point = run.point;
    record.steps.resize(run.nodes.size(), record.steps[0]);
    for (std::size_t i = 0; i < run.nodes.size(); ++i) record.steps[i].nodes = run.nodes[i];
    record.samples = {run.data, "train", run.split + std::to_string(fold)};
    records.push_back(record);
  }
  return records;
}

std::vector<Record> operator+(std::vector<Record> a, const std::vector<Record>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Pairs of trials in all rows of the first table.
double pairs(const std::vector<Table>& tables) {
  const auto& columns = tables.at(0).columns;
  const auto at = std::ranges::find(columns, "pairs", &Column::name) - columns.begin();
  double sum = 0;
  for (const auto& row : tables[0].rows) sum += *row[static_cast<std::size_t>(at)].value;
  return sum;
}

std::string refusal(const Frame& a, const Frame& b) {
  return thrown<ConfigError>([&] { compare_records(a, b); });
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool remarks(const Table& table, const std::string& line) { return std::ranges::count(table.remarks, line) == 1; }

// Of two points the first failed in every trial, so that the point is one value only: that of the other.
TEST(Pairing, APointThatFailedEverywhereIsNotInTheWayOfAnother) {
  std::vector<Record> runs[2];
  for (std::size_t side : {0, 1}) {
    for (const double ridge : {0, 1}) {
      for (Record record : records_of({.point = {{"/model/ridge", ridge}}})) {
        record.key += std::to_string(ridge);
        if (ridge == 0) record.status = TrialStatus::numeric("not_positive_definite");
        if (ridge == 0) record.steps.clear();
        if (ridge == 0) record.samples = {};
        runs[side].push_back(record);
      }
    }
  }
  EXPECT_EQ(pairs(compare_records(runs[0], runs[1])), 4);
}

TEST(Pairing, WhatHasOneValueASideMayDifferAndIsNamed) {
  const auto tables =
      compare_records(records_of({.name = "a.csv"}), records_of({.algorithm = "dec", .name = "b.csv", .nodes = {7}}));

  EXPECT_EQ(pairs(tables), 4);
  EXPECT_TRUE(
      remarks(tables[0], "A: dataset a.csv, nodes 20, algorithm panel; B: dataset b.csv, nodes 7, algorithm dec"))
      << tables[0].remarks.back();
}

TEST(Pairing, WhatHasSeveralValuesMustAgree) {
  const auto tables =
      compare_records(records_of({.nodes = {20, 100}}), records_of({.algorithm = "dec", .nodes = {20, 50, 100}}));

  EXPECT_EQ(pairs(tables), 8);
  EXPECT_EQ(tables[0].remarks.at(0), "8 pairs of steps; without a partner: 0 of A, 4 of B");
}

TEST(Pairing, SeveralValuesOfWhichNoneIsCommonAreRefusedByName) {
  const auto a = records_of({.nodes = {20, 100}}), b = records_of({.nodes = {200}});
  const std::string line = refusal(a, b);
  EXPECT_TRUE(says(line, "nodes: A has 20, 100, B has 200")) << line;
  EXPECT_TRUE(says(line, "--where \"nodes=100,200\"")) << line;

  CompareOptions as_told;
  as_told.where = predicate_of({"nodes=100,200"});
  EXPECT_EQ(pairs(compare_records(a, b, as_told)), 4);
}

TEST(Pairing, OfSeveralFieldsTheOneThatKeepsSidesApartIsNamed) {
  const auto a = records_of({.nodes = {20, 100}, .point = {{"/model/ridge", 0.1}}}) +
                 records_of({.nodes = {20, 100}, .point = {{"/model/ridge", 1}}});
  const auto b = records_of({.nodes = {20, 100}, .point = {{"/model/ridge", 3}}}) +
                 records_of({.nodes = {20, 100}, .point = {{"/model/ridge", 5}}});
  const std::string line = refusal(a, b);

  EXPECT_TRUE(says(line, "ridge: A has 0.1, 1, B has 3, 5")) << line;
  EXPECT_FALSE(says(line, "nodes: ")) << line;
}

TEST(Pairing, OtherContentOrOtherSplitsMakeNoPairsWhateverTheirNames) {
  EXPECT_TRUE(says(refusal(records_of({}), records_of({.data = "other"})), "its contents differ"));
  EXPECT_TRUE(says(refusal(records_of({}), records_of({.split = "seed 2"})), "the splits differ"));

  RunDescription one, two;
  for (const auto& [run, seed] : {std::pair(&one, 1), std::pair(&two, 2)}) {
    run->resolved = {{{"case", ""},
                      {"point", Json::object()},
                      {"options", {{"seed", seed}, {"split", {{"kind", "k_fold"}, {"folds", seed + 3}}}}}}};
  }
  EXPECT_TRUE(says(refusal({records_of({}), one}, {records_of({.split = "seed 2"}), two}),
                   "(seed 1 and 2, split.folds 4 and 5)"));
}

TEST(Pairing, ChosenSettingsOfAThatBLacksAreAFootnote) {
  SelectOptions select;
  select.by = "loo_mse";
  select.over = {"/model/ridge"};
  const auto side = [&](double best) {
    std::vector<Record> all;
    for (const double ridge : {0.1, 1.0}) {
      for (Record record : records_of({.point = {{"/model/ridge", ridge}}})) {
        record.key += std::to_string(ridge);
        record.steps[0].metrics["loo_mse"] = std::abs(ridge - best);
        all.push_back(record);
      }
    }
    return Frame(all, {.select = {{"", select}}});
  };
  CompareOptions options;
  options.where = predicate_of({"chosen=by loo_mse"});

  const Table table = compare_records(side(0.1), side(1), options).at(0);

  ASSERT_EQ(table.footnotes.size(), 1u);
  EXPECT_NE(table.footnotes[0].find("ridge 0.1"), std::string::npos) << table.footnotes[0];
  EXPECT_TRUE(compare_records(side(1), side(1), options).at(0).footnotes.empty());
}

TEST(Pairing, OptionsThatDifferAreNamedBesideTheFields) {
  RunDescription one, two;
  const auto resolved = [](double ridge, const std::string& inputs, arma::uword nodes) {
    return Json{{{"case", ""},
                 {"point", Json::object()},
                 {"options",
                  {{"name", inputs},
                   {"preprocess", {{"inputs", inputs}}},
                   {"model", {{"family", "elm"}, {"ridge", ridge}, {"nodes", {{"stop", nodes}}}}}}}}};
  };
  one.resolved = resolved(0.1, "none", 20);
  two.resolved = resolved(1, "byte", 50);
  const auto tables = compare_records({records_of({}), one}, {records_of({.nodes = {50}}), two});

  EXPECT_TRUE(remarks(tables[0], "A: nodes 20; B: nodes 50"));
  EXPECT_TRUE(says(tables[0].remarks.back(), " model.ridge 0.1 and 1.0, preprocess.inputs \"none\" and \"byte\"."))
      << tables[0].remarks.back();
}

TEST(Pairing, FoldsWithTheSameTestPartArePairedOthersAreLeftOut) {
  auto b = records_of({});
  b[1].samples.test = "another part";
  b[3].samples.train = "fewer samples";

  EXPECT_EQ(pairs(compare_records(records_of({}), b)), 3);
}

TEST(Pairing, NoFoldInCommonIsSaid) {
  auto a = records_of({}), b = records_of({});
  a.resize(2);
  b.erase(b.begin(), b.begin() + 2);

  EXPECT_TRUE(says(refusal(a, b), "no repeat and fold in common"));
}

TEST(Pairing, DataSetsThatMakeNoPairsAreNamedBesideThoseThatDo) {
  const auto a =
      records_of({}) + records_of({.data = "yacht", .name = "yacht"}) + records_of({.data = "x", .name = "x"});
  const auto b = records_of({}) + records_of({.data = "yacht", .split = "seed 2", .name = "yacht"});
  const auto tables = compare_records(a, b);

  EXPECT_EQ(pairs(tables), 4);
  EXPECT_TRUE(std::ranges::any_of(tables[0].remarks, [](const std::string& line) {
    return line.starts_with("yacht: no pairs of A and B: the splits differ");
  }));
  EXPECT_TRUE(remarks(tables[0], "x: no pairs of A and B: only A has trials of it"));
}

TEST(Pairing, EachDataSetHasItsOwnCases) {
  std::vector<Record> all;
  for (const std::string set : {"airfoil", "yacht"}) {
    all = all + records_of({.data = set, .name = set, .experiment_case = set + " elm"}) +
          records_of({.algorithm = "dec", .data = set, .name = set, .nodes = {5}, .experiment_case = set + " dec"});
  }

  EXPECT_EQ(pairs(compare_by(all, condition_of("algorithm=panel,dec", "--by"))), 8);
}

TEST(Pairing, RecordsOfAnEarlierElmxArePairedByTheirNamesAndThatIsSaid) {
  auto a = records_of({});
  for (Record& record : a) record.samples = {};
  const auto tables = compare_records(a, records_of({.data = "anything"}));

  EXPECT_EQ(pairs(tables), 4);
  EXPECT_TRUE(says(tables[0].remarks.back(), "an earlier elmx"));
}

TEST(Pairing, AnImportedMethodIsComparedWithOneRowOfAnother) {
  auto own = records_of({.algorithm = "forest", .nodes = {0}});
  for (Record& record : own) record.family = kImported;
  const auto all = records_of({.nodes = {20, 100}}) + own;
  const std::string line =
      thrown<ConfigError>([&] { compare_by(all, condition_of("algorithm=panel,forest", "--by")); });
  EXPECT_TRUE(says(line, "nodes: panel has 20, 100, forest has -")) << line;

  CompareOptions options;
  options.where = predicate_of({"nodes=100,-"});
  EXPECT_EQ(pairs(compare_by(all, condition_of("algorithm=panel,forest", "--by"), options)), 4);
}

}  // namespace
}  // namespace elmx
