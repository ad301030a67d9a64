#include "data/values/dates.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>

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
        "2024-03-01 25:00", "march", "Mar 24", "12:60", "1:2", "a-b-c", "-1-2-3", "2024-03/01", "12345-01-01"})
    EXPECT_FALSE(parse_moment(text)) << text;
}

TEST(Dates, MonthsBeginWithTheirFirstDay) {
  for (const char* text : {"2024-04", "2024/04", "Apr 2024", "april-2024", "2024Q2", "2024-Q2", "2024 q2"}) {
    EXPECT_EQ(days(text), days("2024-04-01")) << text;
    EXPECT_TRUE(parse_moment(text)->is_period) << text;
  }
  EXPECT_TRUE(parse_moment("2004-05")->is_season);
  EXPECT_FALSE(parse_moment("May 2004")->is_season);
  EXPECT_FALSE(parse_moment("2024-03-01")->is_period);
  for (const char* text : {"2024.03", "2024-3", "2024-13", "2024-00", "1234-03", "2200-03", "2024-03 12:00", "03-2024",
                           "Mar 2024 12:00", "Mar/2024", "2024 03", "2024Q0", "2024Q5", "2024Q12", "Q1 2024", "2024Q"})
    EXPECT_FALSE(parse_moment(text)) << text;
}

TEST(Dates, IsoWeeksBeginWithTheirMonday) {
  for (int day = -60'000; day < 80'000; day += 61) {
    const std::time_t seconds = 86400L * day;
    std::array<char, 20> text{};
    ASSERT_GT(std::strftime(text.data(), text.size(), "%G-W%V", std::gmtime(&seconds)), 0u);
    const auto moment = parse_moment(text.data());
    ASSERT_TRUE(moment && moment->is_period) << text.data();
    EXPECT_EQ(moment->days, day - (part_of(day, DatePart::weekday) - 1)) << text.data();
  }
  for (const char* text : {"2024-W53", "2024-W00", "2024-W9", "2024-W091", "2024-W", "W09-2024", "2024-09W"})
    EXPECT_FALSE(parse_moment(text)) << text;
}

/// "a-b-c" with the mark; numbers below 10 in two digits if `padded`.
std::string joined(int a, int b, int c, const std::string& mark, bool padded = false) {
  const auto text = [&](int number) { return (padded && number < 10 ? "0" : "") + std::to_string(number); };
  return text(a) + mark + text(b) + mark + text(c);
}

TEST(Dates, AreTheDaysOfTheCalendar) {
  using namespace std::chrono;
  for (int day = -30'000; day < 40'000; day += 37) {
    const year_month_day date{sys_days(std::chrono::days(day))};
    const int y = static_cast<int>(date.year());
    const int m = static_cast<int>(static_cast<unsigned>(date.month()));
    const int d = static_cast<int>(static_cast<unsigned>(date.day()));
    for (const std::string& text : {joined(y, m, d, "-", true), joined(y, m, d, "/"), joined(d, m, y, "."),
                                    joined(y, m, d, "-", true) + "T00:00:00Z"}) {
      const auto moment = parse_moment(text);
      ASSERT_TRUE(moment) << text;
      ASSERT_EQ(moment->days, day) << text;
    }
    ASSERT_EQ(parse_moment(joined(d, m, y, "/"), DateOrder::day_first)->days, day);
    ASSERT_EQ(parse_moment(joined(m, d, y, "/"), DateOrder::month_first)->days, day);
    ASSERT_EQ(part_of(day, DatePart::month), m);
    ASSERT_EQ(part_of(day, DatePart::day_of_month), d);
    ASSERT_EQ(part_of(day, DatePart::weekday), weekday(sys_days(date)).iso_encoding());
    ASSERT_EQ(part_of(day + 0.75, DatePart::hour), 18);
    ASSERT_EQ(part_of(day, DatePart::days), day);
  }
}

TEST(Dates, InAnOrderHaveNoOtherReading) {
  EXPECT_FALSE(parse_moment("3/31/2024", DateOrder::day_first));
  EXPECT_FALSE(parse_moment("31/3/2024", DateOrder::month_first));
}

TEST(Dates, YearsOfTwoDigitsAreFrom1969To2068) {
  for (int year = 1969; year <= 2068; ++year) {
    const std::string full = std::to_string(year), digits = full.substr(2);
    for (const std::string begin : {"31/3/", "31.3.", "31-Mar-", "31 Mar ", "Mar 31, "}) {
      const auto moment = parse_moment(begin + digits);
      ASSERT_TRUE(moment && moment->short_year && !moment->certain) << begin << digits;
      EXPECT_EQ(moment->days, days((full + "-03-31").c_str())) << begin << digits;
    }
    EXPECT_EQ(parse_moment("3/31/" + digits + " 12:00", DateOrder::month_first)->days,
              days((full + "-03-31 12:00").c_str()));
    EXPECT_FALSE(parse_moment("31/3/" + full)->short_year);
    EXPECT_EQ(day_text(parse_moment("31/3/" + digits)->days), full + "-03-31");
  }
}

TEST(Dates, PartsOfAMissingMomentAreMissing) {
  for (std::size_t part = 0; part < kDateParts.size(); ++part)
    EXPECT_TRUE(std::isnan(part_of(std::numeric_limits<double>::quiet_NaN(), static_cast<DatePart>(part))));
}

}  // namespace
}  // namespace elmx
