#include "data/inspect/spelling.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kGroup = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t leading_digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

/// Moves "1,234" or "1234" from the front of `text` to `number`, without its separators. False: its groups are wrong.
bool take_whole_part(std::string_view& text, char thousands, std::string& number) {
  const std::size_t first = leading_digits(text);
  number += text.substr(0, first);
  const bool may_group = first >= 1 && first <= kGroup && text.front() != '0';
  text.remove_prefix(first);
  while (text.starts_with(thousands)) {
    if (!may_group || leading_digits(text.substr(1)) != kGroup) return false;
    number += text.substr(1, kGroup);
    text.remove_prefix(1 + kGroup);
  }
  return true;
}

}  // namespace

std::optional<double> parse_number(std::string_view text, Decimal decimal) {
  if (decimal == Decimal::plain) return parse_number(text);
  const char mark = decimal == Decimal::comma ? ',' : '.', thousands = decimal == Decimal::comma ? '.' : ',';
  std::string number;
  if (text.starts_with('-') || text.starts_with('+')) {
    number = text.front() == '-' ? "-" : "";
    text.remove_prefix(1);
  }
  if (text.empty() || !(is_digit(text.front()) || text.front() == mark)) return std::nullopt;
  if (!take_whole_part(text, thousands, number)) return std::nullopt;
  if (text.starts_with(mark)) {
    number += '.';
    text.remove_prefix(1);
  }
  if (text.find_first_of(".,") != std::string_view::npos) return std::nullopt;
  return parse_number(number + std::string(text));
}

std::string to_string(Decimal decimal) {
  return decimal == Decimal::plain ? "plain" : decimal == Decimal::point ? "point" : "comma";
}

Decimal decimal_named(std::string_view name) {
  if (name == "plain") return Decimal::plain;
  expects(name == "point" || name == "comma", "decimal_named: plain, point or comma");
  return name == "point" ? Decimal::point : Decimal::comma;
}

MissingValues::MissingValues(std::vector<std::string> spellings) : spellings_(std::move(spellings)) {
  for (const std::string& spelling : spellings_) longest_ = std::max(longest_, spelling.size());
}

MissingValues MissingValues::usual() {
  return MissingValues(
      {"?", "<null>", "NA", "N/A", "#N/A", "n/a", "<NA>", "nan", "NaN", "NAN", "null", "NULL", "None"});
}

bool MissingValues::has(std::string_view field) const {
  if (field.empty()) return true;
  return field.size() <= longest_ && std::ranges::find(spellings_, field) != spellings_.end();
}

}  // namespace elmx
