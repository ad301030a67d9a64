#include "data/values/dates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};

/// The front of a text, taken piece by piece.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(char c) { return take_any({&c, 1}); }

  bool take_any(std::string_view characters) {
    if (rest_.empty() || characters.find(peek()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Takes one to `most` digits; `digits` = their number.
  std::optional<int> number(int most, int& digits) {
    const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    digits = static_cast<int>(count);
    if (digits == 0 || digits > most) return std::nullopt;
    int value = 0;
    std::from_chars(rest_.data(), rest_.data() + count, value);
    rest_.remove_prefix(count);
    return value;
  }

  /// The month whose name or first three letters come next.
  std::optional<int> month() {
    const auto letters = static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_letter) - rest_.begin());
    const std::string_view word = rest_.substr(0, letters);
    for (std::size_t k = 0; k < kMonths.size() && letters >= 3; ++k) {
      if ((letters != 3 && letters != kMonths[k].size()) || !begins_with_word(kMonths[k], word)) continue;
      rest_.remove_prefix(letters);
      return static_cast<int>(k + 1);
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

/// digits: number of digits of the year. Two digits are a year from 1969 to 2068, as in POSIX.
std::optional<Moment> day_of(int year, int digits, int month, int day, bool certain) {
  if (digits == 2) year += year < 69 ? 2000 : 1900;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return Moment{.days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()),
                .certain = certain,
                .short_year = digits == 2};
}

/// Returns the Monday of an ISO week: week 1 has January 4. The Thursday of the last week is in its year.
std::optional<Moment> week_of(int year, int week) {
  using namespace std::chrono;
  const sys_days fourth = std::chrono::year(year) / January / 4;
  const sys_days monday = fourth - (weekday(fourth) - Monday) + weeks(week - 1);
  if (week < 1 || year_month_day(monday + days(3)).year() != std::chrono::year(year)) return std::nullopt;
  return Moment{.days = static_cast<double>(monday.time_since_epoch().count())};
}

/// Parses "2024-03", "2024/03", "Mar 2024", "March-2024", "2024Q1", "2024-Q1", "2024 Q1", "2024-W09" as the
/// first day of the period. Years before 1800 and after 2199, as in 4711-03, are likely codes.
std::optional<Moment> parse_period(Scanner scan) {
  int digits = 0, digits_of_month = 0;
  std::optional<int> week;
  bool as_number = false;
  std::optional<int> month = scan.month();
  if (month && !scan.take_any(" -")) return std::nullopt;
  const auto year = scan.number(4, digits);
  if (!month) {
    as_number = scan.take_any("-/");
    if (!as_number) scan.take(' ');
    if (scan.take_any("Qq")) {
      as_number = false;
      if (const auto quarter = scan.number(1, digits_of_month)) month = 3 * *quarter - 2;
    } else if (scan.take('W')) {
      as_number = false;
      month = week = scan.number(2, digits_of_month);
      if (digits_of_month != 2) return std::nullopt;
    } else if (as_number) {
      month = scan.number(2, digits_of_month);
      if (digits_of_month != 2) return std::nullopt;
    }
  }
  if (!year || digits != 4 || !month || !scan.at_end() || *year < 1800 || *year > 2199) return std::nullopt;
  auto moment = week ? week_of(*year, *week) : day_of(*year, digits, *month, 1, true);
  if (!moment) return std::nullopt;
  moment->is_period = true;
  moment->is_season = as_number && *month == (*year + 1) % 100;
  return moment;
}

using Order = std::optional<DateOrder>;

/// Parses "31.3.2024", "3/31/24", with the year last; without an order, the values distinguish day and month.
std::optional<Moment> year_last(int a, int b, int year, int digits, char mark, const Order& order) {
  if (digits != 4 && (digits != 2 || mark == '-')) return std::nullopt;
  if (order && mark != '.')
    return *order == DateOrder::day_first ? day_of(year, digits, b, a, true) : day_of(year, digits, a, b, true);
  if (digits == 4 && mark == '.') return day_of(year, digits, b, a, true);
  const bool certain = digits == 4 && (a > 12 || b > 12 || a == b);
  const auto day_first = day_of(year, digits, b, a, certain);
  return day_first ? day_first : day_of(year, digits, a, b, certain);
}

/// Parses "31 Mar 2024" from behind the day, or "Mar 31, 2024".
std::optional<Moment> with_name(Scanner& scan, std::optional<int> day) {
  const char mark = day ? scan.peek() : ' ';
  if (day && !scan.take_any(" -")) return std::nullopt;
  const auto month = scan.month();
  int digits = 0;
  if (!month) return std::nullopt;
  if (!day) {
    if (!scan.take(' ') || !(day = scan.number(2, digits))) return std::nullopt;
    scan.take(',');
  }
  if (!scan.take(mark)) return std::nullopt;
  const auto year = scan.number(4, digits);
  if (!year || (digits != 4 && digits != 2)) return std::nullopt;
  return day_of(*year, digits, *month, *day, digits == 4);
}

std::optional<Moment> parse_day(Scanner& scan, const Order& order) {
  if (is_letter(scan.peek())) return with_name(scan, std::nullopt);
  int digits = 0, digits_b = 0, digits_c = 0;
  const auto a = scan.number(4, digits);
  if (!a) return std::nullopt;
  const char mark = scan.peek();
  Scanner named = scan;
  if (digits <= 2 && (mark == ' ' || mark == '-')) {
    if (const auto moment = with_name(named, a)) {
      scan = named;
      return moment;
    }
  }
  if (!scan.take_any("-/.")) return std::nullopt;
  const auto b = scan.number(2, digits_b);
  if (!b || !scan.take(mark)) return std::nullopt;
  const auto c = scan.number(4, digits_c);
  if (!c) return std::nullopt;
  if (digits == 4) return digits_c <= 2 ? day_of(*a, digits, *b, *c, true) : std::nullopt;
  return digits <= 2 ? year_last(*a, *b, *c, digits_c, mark, order) : std::nullopt;
}

/// The fraction of a day that has gone at "12:30", "12:30:05.25", "1:30 PM"; an offset changes it.
std::optional<double> parse_time(Scanner& scan) {
  int digits = 0;
  const auto hours = scan.number(2, digits);
  if (!hours || *hours > 24 || !scan.take(':')) return std::nullopt;
  const auto minutes = scan.number(2, digits);
  if (!minutes || *minutes > 59 || digits != 2) return std::nullopt;
  double seconds = 3600.0 * *hours + 60.0 * *minutes;
  if (scan.take(':')) {
    const auto whole = scan.number(2, digits);
    if (!whole || *whole > 60 || digits != 2) return std::nullopt;
    seconds += *whole;
    if (scan.take_any(".,")) {
      const auto fraction = scan.number(9, digits);
      if (!fraction) return std::nullopt;
      double unit = 1;
      for (int i = 0; i < digits; ++i) unit /= 10;
      seconds += unit * *fraction;
    }
  }
  Scanner half = scan;
  half.take(' ');
  const bool afternoon = half.peek() == 'P' || half.peek() == 'p';
  if (half.take_any("APap") && half.take_any("Mm")) {
    scan = half;
    if (*hours < 1 || *hours > 12) return std::nullopt;
    seconds += 3600.0 * ((afternoon ? 12 : 0) - (*hours == 12 ? 12 : 0));
  }
  if (scan.take('Z')) return seconds / 86400;
  if (const char sign = scan.peek(); scan.take_any("+-")) {
    const auto offset = scan.number(4, digits);
    if (!offset || (digits != 2 && digits != 4)) return std::nullopt;
    double ahead = digits == 4 ? 3600.0 * (*offset / 100) + 60.0 * (*offset % 100) : 3600.0 * *offset;
    if (digits == 2 && scan.take(':')) {
      const auto more = scan.number(2, digits);
      if (!more) return std::nullopt;
      ahead += 60.0 * *more;
    }
    seconds -= sign == '+' ? ahead : -ahead;
  }
  return seconds / 86400;
}

}  // namespace

std::optional<Moment> parse_moment(std::string_view text, Order order) {
  Scanner alone(text);
  if (const auto time = parse_time(alone); time && alone.at_end()) return Moment{*time, false, false, true};
  if (const auto period = parse_period(Scanner(text))) return period;
  Scanner scan(text);
  auto moment = parse_day(scan, order);
  if (!moment || scan.at_end()) return moment;
  if (!scan.take_any(" T")) return std::nullopt;
  const auto time = parse_time(scan);
  if (!time || !scan.at_end()) return std::nullopt;
  moment->days += *time;
  moment->has_time = true;
  return moment;
}

std::string day_text(double days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(static_cast<long>(std::floor(days))))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string moment_text(double days, bool with_day, bool with_time) {
  const long minutes = std::min(static_cast<long>(std::floor((days - std::floor(days)) * 1440 + 1e-6)), 1439L);
  const std::string time = with_time ? fmt::format("{:02}:{:02}", minutes / 60, minutes % 60) : "";
  return (with_day ? day_text(days) : "") + (with_day && with_time ? " " : "") + time;
}

double part_of(double days, DatePart part) {
  if (std::isnan(days) || part == DatePart::days) return days;
  const double day = std::floor(days);
  if (part == DatePart::hour) return std::round((days - day) * 86400) / 3600;
  const std::chrono::sys_days date{std::chrono::days(static_cast<long>(day))};
  if (part == DatePart::month) return static_cast<unsigned>(std::chrono::year_month_day(date).month());
  if (part == DatePart::day_of_month) return static_cast<unsigned>(std::chrono::year_month_day(date).day());
  return std::chrono::weekday(date).iso_encoding();
}

}  // namespace elmx
