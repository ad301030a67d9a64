#include "published/published.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "published/paper.hpp"
#include "report/frame/dimensions.hpp"
#include "support/configs.hpp"
#include "support/paths.hpp"
#include "support/thrown.hpp"

// The ratios of Tables I and II of the RLS paper.

namespace elmx {
namespace {

TEST(Published, RowsAreReadByColumn) {
  const Published table = parse_published("dataset,value\r\n\"a, \"\"b\"\"\",4.8e-2\nc,16lK", "t.csv");

  EXPECT_EQ(table.columns, (std::vector<std::string>{"dataset", "value"}));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].at("dataset"), "a, \"b\"");
  EXPECT_EQ(table.rows[1].at("value"), "16lK");
}

TEST(Published, DamageIsRefusedWithItsLine) {
  const auto place = [](const char* text) { return place_thrown<DataError>([&] { parse_published(text, "t.csv"); }); };
  EXPECT_EQ(place("a,b\n1,2\n3\n"), "t.csv:3");
  EXPECT_EQ(place("a,b\n1,\"2\n"), "t.csv:2");
  EXPECT_EQ(place("a,b\n"), "t.csv");
  EXPECT_EQ(place(""), "t.csv");
}

TEST(Published, PatternsAreFilledInFromColumns) {
  const PublishedRow row = {{"dataset", "MAGIC"}, {"activation", "Sine"}};

  EXPECT_EQ(fill_in("{dataset} {activation}", row, "/paper/case"), "MAGIC Sine");
  EXPECT_EQ(fill_in("plain", row, "/paper/case"), "plain");
  EXPECT_THROW(fill_in("{data}", row, "/paper/case"), ConfigError);
}

TEST(Published, RowsMatchByTextWithoutCaseOrByNumberOrByList) {
  const PublishedRow row = {{"dataset", "MAGIC"}, {"nodes", "500"}, {"lambda", "1e-8"}};

  EXPECT_TRUE(matches(Json::parse(R"({"dataset": "magic", "nodes": 500})"), row, ""));
  EXPECT_TRUE(matches(Json::parse(R"({"nodes": [100, 500], "lambda": 0.00000001})"), row, ""));
  EXPECT_FALSE(matches(Json::parse(R"({"dataset": "magic", "nodes": 100})"), row, ""));
  EXPECT_TRUE(matches(Json::object(), row, ""));
  EXPECT_THROW(matches(Json::parse(R"({"datasets": "magic"})"), row, ""), ConfigError);
}

TEST(Published, ANumberIsTheWholeText) {
  EXPECT_EQ(number_in("4.8e-2"), 4.8e-2);
  EXPECT_FALSE(number_in("16lK"));
  EXPECT_FALSE(number_in("NA"));
  EXPECT_FALSE(number_in(""));
}

TEST(DataSizes, AreThoseOfTheDataAndOfItsSplit) {
  Json config = small_config();
  config["split"] = {{"kind", "one_holdout"}, {"test_samples", 13}};
  config.erase("model");

  const std::vector<Record> records = sizes_of_data(make_plan(config, "no data directory"));

  ASSERT_EQ(records.size(), 2u);
  for (const Record& record : records) {
    const double features = record.dataset == "friedman1" ? 10 : 2;
    EXPECT_EQ(record.algorithm, "standard");
    EXPECT_EQ(record.steps.at(0).metrics,
              (std::map<std::string, double>{{"features", features}, {"train_samples", 47}, {"test_samples", 13}}));
  }
  EXPECT_EQ(records[0].experiment_case, records[0].dataset == "friedman1" ? "regression" : "classification");
}

double number(const PublishedRow& row, const char* column) { return std::stod(row.at(column)); }

/// Returns the ratio of the row by the formulas of Section V-A.
double ratio(const PublishedRow& row) {
  const double inputs = number(row, "inputs"), outputs = number(row, "outputs"), M = number(row, "batch");
  const bool time = row.at("metric") == "time_ratio";
  const double steps = row.at("steps").empty() ? 1 : number(row, "steps");
  if (row.at("layer") == "FC") return time ? 1 + inputs / (M * steps) : 1 + inputs / outputs;
  if (row.at("layer") == "CONV") {
    const double C = inputs * number(row, "kernel_rows") * number(row, "kernel_columns");
    return time ? 1 + C / (M * number(row, "output_rows") * number(row, "output_columns")) : 1 + C / outputs;
  }
  const double squares = inputs * inputs + outputs * outputs, sum = inputs + outputs;
  if (time) return 1 + squares / (sum * M * steps);
  return 1 + squares / ((row.at("layer") == "LSTM" ? 4 : 1) * sum * outputs);
}

TEST(RlsTables, HaveTheRatiosOfTheirFormulas) {
  for (const char* file : {"rls_table1.csv", "rls_table2.csv"}) {
    const Published table = read_published(source_dir() / "data/paper", {file});
    EXPECT_EQ(table.rows.size(), 15u);
    for (const PublishedRow& row : table.rows)
      EXPECT_NEAR(number(row, "value"), ratio(row), 1e-14 * ratio(row)) << Json(row);
  }
}

}  // namespace

}  // namespace elmx
