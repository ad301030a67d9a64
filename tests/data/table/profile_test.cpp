#include <gtest/gtest.h>

#include "data/table/infer.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

ColumnProfile profile(const Names& values) {
  ColumnTexts texts;
  ColumnBlock block;
  texts.begin(block);
  for (std::size_t i = 0; i < values.size(); ++i) block.add(values[i], i + 1);
  texts.append(block);
  return profile_of({}, texts, MissingValues::usual(), true);
}

ColumnType type_of_values(const Names& values) { return profile(values).type; }

Names numbered_texts(const std::string& begin, int count, int period = 1000) {
  Names values;
  for (int i = 0; i < count; ++i) values.push_back(begin + std::to_string(i % period + 1));
  return values;
}

TEST(ColumnTypes, AreFoundFromAllValues) {
  EXPECT_EQ(type_of_values({"1", "2.5", "NA", "-1e3"}), ColumnType::number);
  EXPECT_EQ(type_of_values({"1,5", "2", "1.234,5"}), ColumnType::number);
  EXPECT_EQ(type_of_values({"1", "2", "x", "4"}), ColumnType::number) << "most are";
  EXPECT_EQ(type_of_values({"a", "b", "a", "b", "a", "a"}), ColumnType::category);
  EXPECT_EQ(type_of_values({"kg", "kg", "kg"}), ColumnType::constant);
  EXPECT_EQ(type_of_values({"0", "0"}), ColumnType::constant);
  EXPECT_EQ(type_of_values({"", "NA"}), ColumnType::empty);
  EXPECT_EQ(type_of_values({"2024-01-01", "2024-01-02", "?"}), ColumnType::date);
  EXPECT_EQ(type_of_values(numbered_texts("r", 12)), ColumnType::identifier);
  EXPECT_EQ(type_of_values(numbered_texts("r", 40, 25)), ColumnType::identifier) << "most rows have their own";
  EXPECT_EQ(type_of_values(numbered_texts("r", 100, 25)), ColumnType::category);
  EXPECT_EQ(type_of_values(numbered_texts("", 12)), ColumnType::identifier) << "row numbers";
  EXPECT_EQ(type_of_values(numbered_texts("", 9)), ColumnType::number) << "too few to tell";
}

TEST(ColumnTypes, MonthsAreDatesAndSeasonsAreNot) {
  EXPECT_EQ(type_of_values({"2024-01", "2024-02", "2024-02", "NA"}), ColumnType::date);
  EXPECT_EQ(profile({"2023-01", "2024-05"}).parts, (std::vector{DatePart::days, DatePart::month}));
  EXPECT_EQ(type_of_values({"2005-06", "2006-07", "2006-07"}), ColumnType::category);
  EXPECT_EQ(type_of_values({"2010-11", "2011-12", "2012-13"}), ColumnType::category);
  EXPECT_EQ(type_of_values({"2024-01", "2024-02", "x"}), ColumnType::category);
}

TEST(ColumnTypes, PeriodicPartsNeedAFullPeriod) {
  using enum DatePart;
  EXPECT_EQ(profile({"2024-03-01", "2024-03-05"}).parts, (std::vector{days}));
  EXPECT_EQ(profile({"2024-03-01", "2024-03-31"}).parts, (std::vector{days, weekday}));
  EXPECT_EQ(profile({"2024-01-01", "2024-12-30"}).parts, (std::vector{days, day_of_month, weekday}));
  EXPECT_EQ(profile({"2024-01-01", "2024-12-31"}).parts, (std::vector{days, month, weekday}));
  EXPECT_EQ(profile({"2023-01", "2023-12"}).parts, (std::vector{days}));
}

TEST(Profile, CountsEveryValueOnce) {
  const ColumnProfile p = profile({"1", "x", "", "NA", "2", "1", "?", "<3"});
  EXPECT_EQ(p.values + p.missing, 8U);
  EXPECT_EQ(p.missing, 3U);
  EXPECT_EQ(p.numbers.count, 4U);
  EXPECT_EQ(p.bounds, 1U);
  ASSERT_EQ(p.others.size(), 1U);
  EXPECT_EQ(p.others[0].line, 2U);
  EXPECT_EQ(p.numbers.min, 1);
  EXPECT_EQ(p.numbers.max, 3);
}

TEST(Profile, SeesCodes) {
  EXPECT_TRUE(profile({"02138", "10001"}).leading_zeros);
  EXPECT_FALSE(profile({"0.5", "0"}).leading_zeros);
  EXPECT_TRUE(profile({"1.1", "1.10"}).many_spellings);
}

TEST(Profile, TakesAUnitThatAllValuesHave) {
  EXPECT_TRUE(profile({"12 kg", "3 kg"}).all_numbers());
  EXPECT_FALSE(profile({"12 kg", "3 m"}).all_numbers());
  EXPECT_FALSE(profile({"12 kg", "3"}).all_numbers());
  EXPECT_FALSE(profile({"r12", "r13"}).all_numbers());
}

}  // namespace
}  // namespace elmx
