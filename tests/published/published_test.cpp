#include "published/published.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "report/frame/dimensions.hpp"
#include "support/thrown.hpp"

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

}  // namespace
}  // namespace elmx
