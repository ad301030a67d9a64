#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "records.hpp"
#include "report/paper.hpp"

// The tables in data/paper against records that were made from them: every cell must find its number.

namespace elmx {
namespace {

Published table_named(const std::string& file) {
  return read_published(std::filesystem::path(ELMX_SOURCE_DIR) / "data/paper" / file);
}

double value_of(const PublishedRow& row) {
  return std::stod(row.at("value"));
}

PaperComparison compare(const char* json, const Published& published, const std::vector<Record>& records,
                        const SymbolicCells& symbols = {}) {
  PaperOptions options;
  read_options(parse_json(json, "test"), "/paper", options);
  return compare_with_paper(options, published, records, symbols);
}

/// Every row of the published table is a cell that agrees.
void expect_all_agree(const PaperComparison& comparison, const Published& published) {
  EXPECT_EQ(comparison.agree, published.rows.size());
  EXPECT_EQ(comparison.table.rows.size(), published.rows.size());
}

TEST(PublishedTables, FlopsOfTheAlgorithms) {
  const Published published = table_named("elm_table1_flops.csv");
  SymbolicCells symbols;
  for (const PublishedRow& row : published.rows) symbols[{row.at("algorithm"), row.at("step")}] = row.at("flops");
  const char* options = R"({"case": "", "metric": "{step}", "value": "flops", "rules": [{"rule": "same_text"}]})";

  expect_all_agree(compare(options, published, {}, symbols), published);
  symbols[{"alg1", "updating_output_weights"}] = "2MKl";
  EXPECT_EQ(compare(options, published, {}, symbols).disagree, 1u);
}

TEST(PublishedTables, RegressionErrors) {
  const Published published = table_named("elm_table2_regression_errors.csv");
  std::vector<Record> records;
  for (const PublishedRow& row : published.rows) {
    const bool all = row.at("algorithm") == "all";
    const std::string metric = all ? "test_mse" : row.at("metric");
    records.push_back(one_step_record(row.at("dataset") + " " + row.at("activation"),
                                      all ? "standard" : row.at("algorithm"), records.size(),
                                      std::stoull(row.at("nodes")), {{metric, value_of(row)}}));
  }
  const char* options =
      R"({"case": "{dataset} {activation}", "metric_names": {"testing_mse": "test_mse"},
          "rules": [{"metrics": ["testing_mse"], "rule": "relative", "tolerance": 1e-9}, {"rule": "at_most_times", "factor": 1.001}]})";

  expect_all_agree(compare(options, published, records), published);
  for (Record& record : records) {
    for (auto& [name, value] : record.steps[0].metrics) value *= 1.1;
  }
  EXPECT_EQ(compare(options, published, records).disagree, published.rows.size());
}

TEST(PublishedTables, SpeedUps) {
  const Published published = table_named("elm_table3_speedups.csv");
  std::vector<Record> records;
  for (const PublishedRow& row : published.rows) {
    const std::string name = row.at("dataset") + " " + row.at("activation");
    records.push_back(one_step_record(name, row.at("algorithm"), 0, std::stoull(row.at("nodes")), {}));
    records.back().steps[0].step = {1 / value_of(row), 0, 1};
    records.push_back(one_step_record(name, "existing", 0, std::stoull(row.at("nodes")), {}));
    records.back().steps[0].step = {1, 0, 1};
  }

  expect_all_agree(compare(R"({"case": "{dataset} {activation}",
                               "metric_names": {"training_time_speedup_over_existing": "step_speedup"},
                               "rules": [{"rule": "order"}]})",
                           published, records),
                   published);
}

TEST(PublishedTables, ClassificationMeansAndDeviationsAtTheLargestSize) {
  const Published published = table_named("elm_table4_classification.csv");
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> cells;  // (case, metric) -> (mean, sd)
  for (const PublishedRow& row : published.rows) {
    auto& cell =
        cells[{row.at("dataset") + " " + row.at("activation"), lower_case(row.at("split") + "_" + row.at("metric"))}];
    (row.at("statistic") == "mean" ? cell.first : cell.second) = value_of(row);
  }
  std::vector<Record> records;
  for (const auto& [key, cell] : cells) {
    // The sample standard deviation of mean - x and mean + x is sqrt(2) x.
    const double x = cell.second / std::sqrt(2.0);
    records.push_back(one_step_record(key.first, "alg2", 2 * records.size(), 500, {{key.second, cell.first - x}}));
    records.push_back(one_step_record(key.first, "alg2", 2 * records.size(), 500, {{key.second, cell.first + x}}));
    records.back().steps.insert(records.back().steps.begin(), {3, Status::ok, {{key.second, 0.1}}, {}, 0});
  }

  expect_all_agree(compare(R"({"case": "{dataset} {activation}", "metric": "{split}_{metric}", "algorithm": "alg2",
                               "rules": [{"rule": "absolute", "tolerance": 1e-9}]})",
                           published, records),
                   published);
}

TEST(PublishedTables, MnistPercentAndRatiosInOneTable) {
  const Published published = table_named("elm_table5_mnist.csv");
  std::vector<Record> records;
  for (const PublishedRow& row : published.rows) {
    if (row.at("unit") == "percent") {
      records.push_back(
          one_step_record(row.at("activation"), row.at("algorithm"), 0, 2200, {{"test_acc", value_of(row) / 100}}));
      records.back().steps[0].step = {1, 0, 1};
    }
  }
  for (const PublishedRow& row : published.rows) {
    for (Record& record : records) {
      const bool same = record.experiment_case == row.at("activation") && record.algorithm == row.at("algorithm");
      if (same && row.at("unit") == "ratio") record.steps[0].step.mean = 1 / value_of(row);
    }
  }

  expect_all_agree(compare(R"({"case": "{activation}", "nodes": "2200",
                               "metric_names": {"testing_accuracy": "test_acc", "training_time_speedup_over_existing": "step_speedup"},
                               "rules": [{"match": {"unit": "percent"}, "rule": "absolute", "tolerance": 1e-9, "scale": 0.01},
                                         {"rule": "relative", "tolerance": 1e-9}]})",
                           published, records),
                   published);
}

}  // namespace
}  // namespace elmx
