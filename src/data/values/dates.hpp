#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace elmx {

/// A date, a time of day, or both.
struct Moment {
  double days = 0;  ///< days since 1970-01-01, with the time of day as a fraction
  /// False if day and month may be swapped (3/4/2024), the year has two digits, or there is no day.
  bool certain = true;
  bool has_day = true;      ///< false: only a time of day
  bool has_time = false;    ///< the text has a time of day
  bool short_year = false;  ///< the year has two digits, read as 1969 to 2068
  bool is_period = false;   ///< a month, quarter or week (2024-03, 2024Q1, 2024-W09), whose first day this is
  bool is_season = false;   ///< the month may also be the end of a season (2005-06)
};

/// The order of day and month in "3/4/2024".
enum class DateOrder { day_first, month_first };

/// Parses 2024-03-31, 2024/3/31, 31.3.2024, 3/31/2024, 31-03-2024, 31 Mar 2024, Mar 31, 2024, with or without
/// a time behind a blank or "T" (12:30, 12:30:05.25, with Z, an offset, AM or PM), a time alone, or a month,
/// quarter or ISO week of the years 1800 to 2199 (2024-03, 2024/03, Mar 2024, 2024Q1, 2024-Q1, 2024-W09). All
/// of `text` must match. Without an order, day and month are distinguished by their values, day first if both
/// are possible.
std::optional<Moment> parse_moment(std::string_view text, std::optional<DateOrder> order = std::nullopt);

/// Returns the day of a moment as "2024-03-31".
std::string day_text(double days);

/// Returns "2024-03-31", "2024-03-31 12:30" or "12:30"; seconds are cut off.
std::string moment_text(double days, bool with_day, bool with_time);

/// The numbers that a moment becomes as an input: days since 1970-01-01, month 1 to 12, day of the month 1 to
/// 31, weekday 1 (Monday) to 7, and the hour of the day with its fraction.
enum class DatePart { days, month, day_of_month, weekday, hour };
inline constexpr std::array<std::string_view, 5> kDateParts{"days", "month", "day_of_month", "weekday", "hour"};

/// Returns one part of a moment, given as days since 1970-01-01; NaN stays NaN.
double part_of(double days, DatePart part);

}  // namespace elmx
