#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "published/judged.hpp"
#include "published/paper.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

/// Accuracies of A and B at lambda = 1e-1, and of A at 1e-3; C has only published numbers.
struct BesidePaper : testing::Test {
  BesidePaper() {
    read_options(parse_json(R"({
      "case": "a", "metric": "test_acc", "point": {"/model/ridge": "{lambda}"}, "plot_against": "lambda",
      "where": {"algorithm": ["A", "B"]}, "rules": [{"rule": "absolute", "scale": 0.01}]})",
                            "test"),
                 "/paper", options);
    for (const auto& [algorithm, ridge, accuracy] :
         std::vector<std::tuple<std::string, double, double>>{{"A", 0.1, 0.9}, {"A", 1e-3, 0.94}, {"B", 0.1, 0.92}}) {
      records.push_back(one_step_record("a", algorithm, 0, 3, {{"test_acc", accuracy}}));
      records.back().point["/model/ridge"] = ridge;
      records.back().key += std::to_string(ridge);
    }
    records = in_runs(records, 3, 1e-3);
  }
  Table table() const { return compare_with_paper(options, published, records).table; }

  PaperOptions options;
  Published published = parse_published(
      "lambda,algorithm,value\n1e-1,C,90\n1e-1,A,91\n1e-1,B,92\n1e-3,A,93\n1e-3,C,94\n1e-3,B,95\n", "test");
  std::vector<Record> records;
};

const CurvePoint& point_at(const Plot& plot, const std::string& curve, double x) {
  const auto found = std::ranges::find(plot.curves, curve, &Curve::name);
  return *std::ranges::find(found->points, x, &CurvePoint::x);
}

TEST_F(BesidePaper, DrawnNumbersAreThoseOfTheTable) {
  const Table rows = table();

  const std::optional<Plot> plot = plot_with_paper(options, published, rows);

  ASSERT_TRUE(plot);
  ASSERT_EQ(rows.rows.size(), 4u);
  std::size_t measured = 0;
  for (const std::vector<Cell>& row : rows.rows) {
    const auto cell = [&](const char* name) -> const Cell& {
      return row[static_cast<std::size_t>(std::ranges::find(rows.columns, name, &Column::name) - rows.columns.begin())];
    };
    const double x = std::stod(cell("lambda").text);
    const std::string algorithm = cell("algorithm").text;
    EXPECT_EQ(std::optional(point_at(*plot, algorithm + ", published", x).mean), cell("published").value);
    if (!cell("measured").value) continue;
    ++measured;
    const CurvePoint& point = point_at(*plot, algorithm + ", measured", x);
    for (const auto& [name, value] : {std::pair("measured", point.mean), {"low", point.low}, {"high", point.high}})
      EXPECT_EQ(std::isfinite(value) ? std::optional(value) : std::nullopt, cell(name).value) << name;
  }
  EXPECT_EQ(measured, 3u);
}

TEST_F(BesidePaper, AlgorithmsThatAreLeftOutArePublishedAlone) {
  const std::optional<Plot> plot = plot_with_paper(options, published, table());

  ASSERT_TRUE(plot);
  EXPECT_DOUBLE_EQ(point_at(*plot, "C, published", 0.1).mean, 0.90);
  EXPECT_DOUBLE_EQ(point_at(*plot, "C, published", 1e-3).mean, 0.94);
  EXPECT_EQ(std::ranges::count(plot->curves, "C, measured", &Curve::name), 0);
}

TEST_F(BesidePaper, CurvesGoByIncreasingX) {
  const std::optional<Plot> plot = plot_with_paper(options, published, table());

  ASSERT_TRUE(plot);
  EXPECT_TRUE(plot->x.log);
  ASSERT_EQ(plot->curves.size(), 5u);
  for (const Curve& curve : plot->curves) {
    ASSERT_EQ(curve.points.size(), curve.name == "B, measured" ? 1u : 2u) << curve.name;
    EXPECT_TRUE(std::ranges::is_sorted(curve.points, {}, &CurvePoint::x)) << curve.name;
  }
}

TEST_F(BesidePaper, IsDrawnOnlyIfAskedFor) {
  options.plot_against = "";

  EXPECT_FALSE(plot_with_paper(options, published, table()));
}

TEST_F(BesidePaper, AColumnWithoutNumbersIsRefused) {
  for (const char* column : {"algorithm", "lamda"}) {
    options.plot_against = column;
    EXPECT_THROW(plot_with_paper(options, published, table()), ConfigError) << column;
  }
}

TEST_F(BesidePaper, SeveralMetricsAreRefused) {
  options.metric = "test_{metric}";
  published = parse_published("lambda,metric,algorithm,value\n1e-1,acc,A,91\n1e-1,mcc,A,91\n", "test");

  EXPECT_THROW(plot_with_paper(options, published, table()), ConfigError);
}

}  // namespace
}  // namespace elmx
