#include <gtest/gtest.h>

#include <filesystem>

#include "published/published.hpp"
#include "support/paths.hpp"

// The ratios of Tables I and II of the RLS paper.

namespace elmx {
namespace {

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
