#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "data/table/dataset.hpp"
#include "data/test_files.hpp"

// Tables of 60 rows, each of whose columns is a function of the row.

namespace elmx {
namespace {

using Names = std::vector<std::string>;
using ValueOfRow = std::function<double(int)>;

struct MadeInput {
  std::string name;
  ValueOfRow value;
};

double scattered(int i) { return i * 37 % 101; }  // different whole numbers in no order
double unrelated(int i) { return i * 29 % 71; }

arma::vec made_column(const ValueOfRow& value, int rows) {
  arma::vec column(rows);
  for (int i = 0; i < rows; ++i) column(i) = value(i);
  return column;
}

Dataset made_inputs(const std::vector<MadeInput>& inputs, int rows) {
  Dataset data;
  data.X.set_size(rows, inputs.size());
  for (arma::uword j = 0; j < inputs.size(); ++j) {
    data.inputs.push_back(inputs[j].name);
    data.X.col(j) = made_column(inputs[j].value, rows);
  }
  data.report.columns.resize(inputs.size() + 1);
  return data;
}

Dataset made_regression(const std::vector<MadeInput>& inputs, const ValueOfRow& target = unrelated) {
  Dataset data = made_inputs(inputs, 60);
  data.Y = made_column(target, 60);
  data.columns.resize(1);
  data.columns[0].name = "y";
  data.columns[0].role = "target";
  return data;
}

Dataset made_classes(const std::vector<MadeInput>& inputs, const Names& classes,
                     const std::function<std::size_t(int)>& class_of_row, int rows = 60) {
  Dataset data = made_inputs(inputs, rows);
  data.task = Task::classification;
  data.classes = classes;
  data.labels.set_size(rows);
  for (int i = 0; i < rows; ++i) data.labels(i) = class_of_row(i);
  return data;
}

Names warnings_of(Dataset data) {
  warn_of_unusual_data(data);
  return data.report.warnings;
}

/// The columns that each warning begins with.
Names warned_columns(const Dataset& data) {
  Names columns;
  for (const std::string& warning : warnings_of(data)) columns.push_back(warning.substr(0, warning.find(": ")));
  return columns;
}

Names warned_of_input(const std::string& name, const ValueOfRow& value) {
  return warned_columns(made_regression({{name, value}}));
}

bool names_any(const Names& warnings, const Names& parts) {
  return std::ranges::any_of(warnings, [&](const std::string& warning) { return bool(names_all(warning, parts)); });
}

TEST(UnusualColumns, CodesInTheTargetAreNamed) {
  const Dataset data = made_regression({{"a", scattered}}, [](int i) { return i < 11 ? -999.0 : i * 29 % 70 - 5; });
  EXPECT_EQ(warned_columns(data), Names{"y"});
  EXPECT_TRUE(names_any(warnings_of(data), {"-999", "missing_values"}));
}

TEST(UnusualColumns, NegativeCodesStandApartFromAWideRange) {
  const auto wide = [](int i) { return i * 7919 % 200'000; };
  EXPECT_EQ(warned_of_input("a", [&](int i) { return i < 12 ? -999 : wide(i); }), Names{"a"});
  EXPECT_EQ(warned_of_input("a", [&](int i) { return i < 1 ? -999 : wide(i); }), Names()) << "occurs once";
  EXPECT_EQ(warned_of_input("a", [&](int i) { return i < 12    ? -999
                                                     : i == 12 ? -5
                                                               : wide(i); }), Names())
      << "another value is negative";

  const Names both =
      warnings_of(made_regression({{"a", [&](int i) { return i < 3   ? -999
                                                             : i < 6 ? -9999
                                                                     : wide(i); }}}));
  ASSERT_EQ(both.size(), 2U);
  EXPECT_TRUE(names_all(both[0], {"a: ", "\"-9999\""}));
  EXPECT_TRUE(names_all(both[1], {"a: ", "\"-999\""}));
}

TEST(UnusualColumns, MinusOneIsACodeOnlyFarFromOthers) {
  EXPECT_EQ(warned_of_input("a", [](int i) { return i < 12 ? -1 : scattered(i); }), Names());
  EXPECT_EQ(warned_of_input("a", [](int i) { return i % 2 == 0 ? -1 : 1; }), Names()) << "two values";
  EXPECT_EQ(warned_of_input("a", [](int i) { return i < 12 ? -1 : 500 + scattered(i); }), Names{"a"});
}

/// Warnings of a column whose values from 10 rows on are `others`.
std::size_t warned_codes(const std::vector<double>& codes, const ValueOfRow& others, int rows_of_codes = 10) {
  const auto value = [&](int i) {
    return i < rows_of_codes ? codes[static_cast<std::size_t>(i) % codes.size()] : others(i);
  };
  const Names warnings = warnings_of(made_regression({{"a", value}}));
  for (const double code : codes)
    EXPECT_TRUE(warnings.empty() || names_any(warnings, {fmt::format("\"{}\"", code)})) << code;
  return warnings.size();
}

TEST(UnusualColumns, CodesOfNinesAndEightsAreFarFromOthers) {
  const auto up_to = [](int most) { return [most](int i) { return double(i % (most + 1)); }; };
  const auto income = [](int i) { return 15'000.0 + i * 7919 % 75'000; };
  const auto share = [](int i) { return i * 37 % 101 / 100.0; };
  EXPECT_EQ(warned_codes({99}, up_to(5)), 1U);
  EXPECT_EQ(warned_codes({888}, up_to(80)), 1U);
  EXPECT_EQ(warned_codes({9'999'999}, income), 1U);
  EXPECT_EQ(warned_codes({99'999'999}, income), 1U);
  EXPECT_EQ(warned_codes({99'999}, income), 1U) << "a tenth of the range";
  EXPECT_EQ(warned_codes({9}, share), 1U);
  EXPECT_EQ(warned_codes({99}, share), 1U);
  EXPECT_EQ(warned_codes({998, 999}, up_to(80)), 2U);
  EXPECT_EQ(warned_codes({-98, -99}, up_to(80)), 2U);
  EXPECT_EQ(warned_codes({-99, 999}, up_to(50)), 2U);
  EXPECT_EQ(warned_codes({9}, up_to(4), 3), 1U);
}

TEST(UnusualColumns, LargeValuesOfOrdinaryColumnsAreNoCodes) {
  const auto up_to = [](int most) { return [most](int i) { return double(i % (most + 1)); }; };
  EXPECT_EQ(warned_codes({99}, up_to(98)), 0U) << "percentages";
  EXPECT_EQ(warned_codes({97, 98, 99}, [](int i) { return 95.0 + i % 2; }), 0U);
  EXPECT_EQ(warned_codes({9}, up_to(8)), 0U) << "counts";
  EXPECT_EQ(warned_codes({8, 9}, [](int i) { return 6.0 + i % 2; }), 0U);
  EXPECT_EQ(warned_codes({9}, up_to(5)), 0U) << "no farther than the range";
  EXPECT_EQ(warned_codes({9}, up_to(4), 2), 0U) << "occurs twice";
  EXPECT_EQ(warned_codes({9}, up_to(0)), 0U) << "two values";
  EXPECT_EQ(warned_codes({99}, up_to(5), 1), 0U) << "occurs once";
  EXPECT_EQ(warned_codes({9999}, [](int i) { return 500.0 + i * 7919 % 8500; }), 0U);
  EXPECT_EQ(warned_codes({8, 9}, [](int i) { return 10.0 + i % 2; }), 0U) << "the least values";
}

TEST(UnusualColumns, RangesThatTellTheClassesApart) {
  const auto parity = [](int i) { return i % 2; };
  const auto score = [](int i) { return i % 2 == 0 ? scattered(i) : 200 + unrelated(i); };
  const std::vector<MadeInput> inputs{{"a", scattered}, {"flag", parity}, {"score", score}};
  EXPECT_EQ(warned_columns(made_classes(inputs, {"no", "yes"}, parity)), Names{"flag, score"});

  const auto crossing = [&](int i) { return i == 0 ? 230 : score(i); };
  EXPECT_EQ(warned_columns(made_classes({{"score", crossing}}, {"no", "yes"}, parity)), Names());
  const auto names_score = [](const Names& warnings) { return names_any(warnings, {"score"}); };
  EXPECT_FALSE(names_score(warnings_of(made_classes({{"score", score}}, {"no", "yes"}, parity, 29)))) << "too few rows";
  EXPECT_TRUE(names_score(warnings_of(made_classes({{"score", score}}, {"no", "yes"}, parity, 30))));
  const auto sparse = [&](int i) { return i < 4 ? score(i) : arma::datum::nan; };
  EXPECT_EQ(warned_columns(made_classes({{"score", sparse}}, {"no", "yes"}, parity)), Names()) << "too few values";
}

TEST(UnusualColumns, PerfectPredictionIsSeenDespiteMissingValues) {
  const auto input = [](int i) { return i == 5 ? arma::datum::nan : scattered(i); };
  EXPECT_EQ(warned_columns(made_regression({{"a", input}}, [](int i) { return 3 * scattered(i) + 1; })), Names{"a"});
}

TEST(UnusualColumns, IdentifiersAreKnownBySizeOrName) {
  const auto number = [](int i) { return 1000 + i * 7919 % 100'000; };
  for (const char* name :
       {"id", "CustomerID", "order_no", "No", "EmployeeNumber", "kunden_nr", "Phone", "key", "index"})
    EXPECT_EQ(warned_of_input(name, number), Names{name});
  EXPECT_EQ(warned_of_input("amount", number), Names());
  EXPECT_EQ(warned_of_input("id", [&](int i) { return number(i % 50); }), Names()) << "some are equal";
  EXPECT_EQ(warned_of_input("id", [&](int i) { return number(i) + 0.5; }), Names()) << "no whole numbers";
  EXPECT_EQ(warned_of_input("a", [&](int i) { return 1e9 + number(i); }), Names{"a"});
  EXPECT_EQ(warned_of_input("id", [&](int i) { return i == 5 ? arma::datum::nan : number(i); }), Names{"id"});
}

TEST(UnusualColumns, EqualStepsFromRowToRowAreAnIndex) {
  EXPECT_EQ(warned_of_input("a", [](int i) { return 1000 + i; }), Names{"a"});
  EXPECT_EQ(warned_of_input("a", [](int i) { return 5000 + 3 * i; }), Names{"a"});
  EXPECT_EQ(warned_of_input("a", [](int i) { return 5 + i + (i > 30 ? 1 : 0); }), Names()) << "one step is larger";
  EXPECT_EQ(warned_of_input("a", [](int i) { return 1000 + i * 37 % 61; }), Names()) << "in no order";
  EXPECT_EQ(warned_of_input("a", [](int i) { return 1000 + 0.5 * i; }), Names()) << "no whole numbers";
}

TEST(UnusualColumns, WholeNumbersThatLoseDigitsAreNamed) {
  const auto large = [](int i) { return 0x1p53 + 2 * (i * 5 % 7); };
  EXPECT_EQ(warned_of_input("a", large), Names{"a"});
  EXPECT_EQ(warned_columns(made_regression({{"a", scattered}}, large)), Names{"y"});
  EXPECT_EQ(warned_of_input("a", [&](int i) { return large(i) - 0x1p52; }), Names());
}

TEST(UnusualColumns, TimeOrderIsSeenInDatesAndStamps) {
  const std::vector<std::pair<const char*, ValueOfRow>> ordered{
      {"equal dates", [](int i) { return 19'000 + i / 2; }},
      {"missing dates", [](int i) { return i % 10 == 3 ? arma::datum::nan : 19'000 + i; }},
      {"newest first", [](int i) { return 19'059 - i; }}};
  for (const auto& [what, days] : ordered) {
    const Dataset data = made_regression({{"when:days", days}});
    const auto order = time_order_of(data);
    ASSERT_TRUE(order) << what;
    EXPECT_EQ(order->column, "when") << what;
    EXPECT_EQ(order->newest_first, what == std::string("newest first")) << what;
    EXPECT_EQ(order->complete, what != std::string("missing dates")) << what;
    EXPECT_EQ(warned_columns(data), Names()) << what << ": advice depends on the split";
  }
  EXPECT_FALSE(time_order_of(made_regression({{"when:days", [](int i) { return 19'000 + scattered(i); }}})));
}

TEST(UnusualColumns, SecondsSince1970AreNoIdentifier) {
  const auto seconds = [](int i) { return 1.7e9 + 3600 * i; };
  for (const double unit : {1.0, 1000.0}) {
    const Dataset data = made_regression({{"Timestamp", [&](int i) { return unit * seconds(i); }}});
    EXPECT_TRUE(time_order_of(data));
    EXPECT_EQ(warned_columns(data), Names());
  }
  const ValueOfRow unordered = [&](int i) { return seconds(i * 37 % 101); };
  EXPECT_EQ(warned_of_input("Timestamp", unordered), Names());
  EXPECT_FALSE(time_order_of(made_regression({{"Timestamp", unordered}})));
  EXPECT_FALSE(time_order_of(made_regression({{"account", seconds}})));
}

TEST(UnusualColumns, RareClassesAreNamedInOneLine) {
  const Names classes{"lone", "rare", "scarce", "a", "b"};
  const auto class_of_row = [](int i) -> std::size_t { return i == 0 ? 0 : i < 8 ? 1 : i < 17 ? 2 : 3 + i % 2; };
  const Names warnings = warnings_of(made_classes({{"x", scattered}}, classes, class_of_row));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_TRUE(names_all(warnings[0], {"\"lone\"", "1 row"}));
  EXPECT_TRUE(names_all(warnings[1], {"\"rare\"", "7 rows", "\"scarce\"", "9 rows"}));

  const Names many{"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10"};
  const Names lines = warnings_of(made_classes({{"x", scattered}}, many, [](int i) { return i % 10; }));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(names_all(lines[0], {"\"c1\"", "\"c2\"", "\"c3\"", "7 more"}));
  EXPECT_EQ(
      warnings_of(made_classes({{"x", scattered}}, Names(many.begin(), many.begin() + 6), [](int i) { return i % 6; })),
      Names())
      << "ten rows of each class";
}

TEST(UnusualColumns, ColumnsWithOneFaultShareALine) {
  std::vector<MadeInput> inputs;
  for (int j = 0; j < 60; ++j)
    inputs.push_back({"c" + std::to_string(j), [j](int i) { return i < 2 + j % 5 ? -999 : scattered(i + j); }});
  EXPECT_EQ(warned_columns(made_regression(inputs)), Names{"c0, c1, c2 and 57 more"});
}

TEST(UnusualColumns, PartsOfADateAreOneColumn) {
  const auto where_left = [](const ValueOfRow& value) {
    return [value](int i) { return i % 2 == 0 ? value(i) : arma::datum::nan; };
  };
  const Dataset data = made_classes({{"left:days", where_left(scattered)},
                                     {"left:month", where_left([](int i) { return 1 + i % 12; })},
                                     {"left:weekday", where_left([](int i) { return 1 + i % 7; })}},
                                    {"no", "yes"}, [](int i) { return i % 2; });
  EXPECT_EQ(std::ranges::count(warned_columns(data), "left"), 1);
}

}  // namespace
}  // namespace elmx
