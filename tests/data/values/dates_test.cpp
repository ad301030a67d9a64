#include "data/values/dates.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

double days(const char* text) {
  const auto moment = parse_moment(text);
  EXPECT_TRUE(moment && moment->certain) << text;
  return moment ? moment->days : -1;
}

TEST(Dates, OfOneDayAreOneMoment) {
  for (const char* text : {"2024-3-1", "2024/03/01", "2024.03.01", "1.3.2024", "01.03.2024", "1 Mar 2024",
                           "1-march-2024", "Mar 1, 2024", "2024-03-01T00:00:00Z", "2024-03-01 00:00"})
    EXPECT_EQ(days(text), days("2024-03-01")) << text;
  EXPECT_EQ(days("2024-03-01"), days("2024-02-28") + 2) << "a leap year";
  EXPECT_EQ(days("1970-01-01"), 0);
  EXPECT_EQ(days("3/31/2024"), days("2024-03-31")) << "there is no month 31";
  EXPECT_EQ(days("31/3/2024"), days("2024-03-31"));
}

TEST(Dates, GrowWithTheTimeOfDay) {
  EXPECT_EQ(days("2024-01-01 12:00"), days("2024-01-01") + 0.5);
  EXPECT_EQ(days("2024-01-01 6:00 PM"), days("2024-01-01T18:00:00.00"));
  EXPECT_EQ(days("2024-01-01T02:00:00+02:00"), days("2024-01-01T00:00:00Z"));
  EXPECT_EQ(parse_moment("12:00 AM")->days, 0);
  EXPECT_LT(parse_moment("23:59:59")->days, 1);
}

TEST(Dates, ThatReadTwoWaysAreNotCertain) {
  for (const char* text : {"3/4/2024", "03-04-2024", "3/4/24", "1.2.99", "12:00 AM", "23:59:59"}) {
    const auto moment = parse_moment(text);
    EXPECT_TRUE(moment && !moment->certain) << text;
  }
}

TEST(Dates, AreNoOtherTexts) {
  for (const char* text :
       {"", "2024", "20240301", "1.5", "2024-13-01", "2024-02-30", "31.4.2024", "1.2.3", "1.2.3.4", "2024-03-01x",
        "2024-03-01 25:00", "march", "Mar 2024", "12:60", "1:2", "a-b-c", "-1-2-3", "2024-03/01", "12345-01-01"})
    EXPECT_FALSE(parse_moment(text)) << text;
}

}  // namespace
}  // namespace elmx
