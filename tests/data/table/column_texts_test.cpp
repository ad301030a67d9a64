#include "data/table/column_texts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace elmx {
namespace {

using Names = std::vector<std::string>;

/// The texts in blocks of `rows`.
ColumnTexts in_blocks(const Names& texts, std::size_t rows, bool labels) {
  ColumnTexts column(labels);
  for (std::size_t begin = 0; begin < texts.size(); begin += rows) {
    ColumnBlock block;
    column.begin(block);
    for (std::size_t i = begin; i < std::min(texts.size(), begin + rows); ++i) block.add(texts[i], i + 1);
    column.append(block);
  }
  return column;
}

/// Numbers, and -1000 - k for the distinct text k that is none.
std::vector<double> values_in(ColumnTexts column) {
  std::vector<double> value;
  for (std::size_t k = 0; k < column.distinct().size(); ++k) {
    const std::string& text = column.distinct()[k].text;
    value.push_back(finite_number(text, column.spelling())
                        .value_or(text.empty() ? NAN : -1000.0 - std::stod("0" + text.substr(1))));
  }
  return std::move(column).values_of(value);
}

/// Many numbers, with empty fields and texts "t0", "t1", ... among them; the last one is new.
Names numbers_with_texts(std::size_t count) {
  Names texts;
  for (std::size_t i = 0; i < count; ++i)
    texts.push_back(i % 97 == 5 ? "" : i % 101 == 7 ? "t" + std::to_string(i % 3) : std::to_string(i) + ".25");
  texts.back() = "t9";
  return texts;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << i;
}

TEST(ColumnTexts, CountsDistinctTextsInOrder) {
  const ColumnTexts column = in_blocks({"b", "a", "b", "", "b", "c"}, 2, true);
  ASSERT_EQ(column.distinct().size(), 4U);
  EXPECT_EQ(column.distinct()[0].text, "b");
  EXPECT_EQ(column.distinct()[0].count, 3U);
  EXPECT_EQ(column.distinct()[1].line, 2U);
  EXPECT_EQ(column.distinct()[3].line, 6U);
  EXPECT_EQ(column.rows(), 6U);
}

TEST(ColumnTexts, StoresManyNumbersWithoutLoss) {
  const Names texts = numbers_with_texts(3 * ColumnTexts::kMostDistinct);
  const std::vector<double> expected = values_in(in_blocks(texts, texts.size(), true));
  EXPECT_EQ(expected.back(), -1009);
  for (const std::size_t rows : {texts.size(), std::size_t(1000), std::size_t(4097), std::size_t(37)}) {
    ColumnTexts column = in_blocks(texts, rows, false);
    EXPECT_TRUE(column.stores_numbers()) << rows;
    EXPECT_EQ(column.rows(), texts.size());
    expect_same(values_in(std::move(column)), expected);
  }
}

TEST(ColumnTexts, CountsAllRowsOfNumbersAndTexts) {
  const Names texts = numbers_with_texts(3 * ColumnTexts::kMostDistinct);
  for (const std::size_t rows : {texts.size(), std::size_t(1000)}) {
    const ColumnTexts column = in_blocks(texts, rows, false);
    std::size_t count = column.range().count;
    for (const DistinctText& text : column.distinct()) count += text.count;
    EXPECT_EQ(count, texts.size());
    EXPECT_EQ(column.range().min, 0.25);
  }
}

TEST(ColumnTexts, KeepsTheLineOfALateText) {
  const Names texts = numbers_with_texts(3 * ColumnTexts::kMostDistinct);
  for (const std::size_t rows : {texts.size(), std::size_t(1000)}) {
    const ColumnTexts column = in_blocks(texts, rows, false);
    const auto late = std::ranges::find(column.distinct(), "t9", &DistinctText::text);
    ASSERT_NE(late, column.distinct().end());
    EXPECT_EQ(late->line, texts.size());
  }
}

TEST(ColumnTexts, NeverStoresLabelsAsNumbers) {
  EXPECT_FALSE(in_blocks(numbers_with_texts(3 * ColumnTexts::kMostDistinct), 1000, true).stores_numbers());
}

TEST(ColumnTexts, NeverStoresTextsAsNumbers) {
  Names texts;
  for (std::size_t i = 0; i < 3 * ColumnTexts::kMostDistinct; ++i) texts.push_back("x" + std::to_string(i));
  const ColumnTexts column = in_blocks(texts, 1000, false);
  EXPECT_FALSE(column.stores_numbers());
  EXPECT_EQ(column.distinct().size(), texts.size());
}

/// "1.000", "1.001", ...: with a decimal point or a thousands mark.
Names ambiguous_numbers(const std::string& mark) {
  Names texts;
  for (std::size_t i = 0; i < 3 * ColumnTexts::kMostDistinct; ++i)
    texts.push_back(std::to_string(1 + i / 1000) + mark + std::to_string(1000 + i % 1000).substr(1));
  return texts;
}

TEST(ColumnTexts, NeverStoresNumbersThatReadTwoWays) {
  for (const char* mark : {".", ","}) {
    Names texts = ambiguous_numbers(mark);
    EXPECT_FALSE(in_blocks(texts, 1000, false).stores_numbers()) << mark;
    texts[7] = std::string("12") + mark + "5";
    EXPECT_TRUE(in_blocks(texts, 1000, false).stores_numbers()) << "12.5 has one reading";
  }
}

TEST(ColumnTexts, StoresWholeNumbersUntilMarksAreKnown) {
  Names texts;
  for (std::size_t i = 0; i < 2 * ColumnTexts::kMostDistinct; ++i) texts.push_back(std::to_string(i));
  texts.push_back("1.234");
  const ColumnTexts few = in_blocks(texts, 1000, false);
  EXPECT_TRUE(few.stores_whole_only());
  ASSERT_EQ(few.distinct().size(), 1U);
  EXPECT_EQ(few.distinct()[0].text, "1.234");

  for (std::size_t i = 0; i < 3 * ColumnTexts::kMostDistinct; ++i) texts.push_back(std::to_string(i) + ",5");
  const ColumnTexts many = in_blocks(texts, 1000, false);
  EXPECT_TRUE(many.stores_numbers() && !many.stores_whole_only());
  EXPECT_EQ(many.spelling().decimal, ',');
  EXPECT_EQ(many.rows(), texts.size());
}

TEST(ColumnTexts, SeesNumbersThatCountRows) {
  Names texts;
  for (std::size_t i = 0; i < 3 * ColumnTexts::kMostDistinct; ++i) texts.push_back(std::to_string(i + 1));
  EXPECT_TRUE(in_blocks(texts, 1000, false).counts_up());
  std::swap(texts[5], texts[6]);
  EXPECT_FALSE(in_blocks(texts, 1000, false).counts_up());
}

TEST(BestSpelling, WeighsTextsByTheirCount) {
  EXPECT_EQ(best_spelling({{"1,5", 3, 1}, {"1.5", 2, 2}}).spelling.decimal, ',');
  EXPECT_EQ(best_spelling({{"1,5", 2, 1}, {"1.5", 3, 2}}).spelling.decimal, '.');
  EXPECT_TRUE(best_spelling({{"1", 1, 1}}).spelling.is_plain());
  EXPECT_EQ(best_spelling({{"x", 1, 1}}).numbers, 0U);
}

}  // namespace
}  // namespace elmx
