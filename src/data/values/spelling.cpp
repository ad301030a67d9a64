#include "data/values/spelling.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kGroup = 3;
constexpr std::size_t kLongestUnit = 8;  // bytes
constexpr std::array<std::string_view, 5> kSpaces{"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x87", " "};
// the last is an en dash
constexpr std::array<std::string_view, 3> kMinus{"-", "\xE2\x88\x92", "\xE2\x80\x93"};
constexpr std::array<std::string_view, 6> kBounds{"<=", ">=", "<", ">", "\xE2\x89\xA4", "\xE2\x89\xA5"};
constexpr std::string_view kRightQuote = "\xE2\x80\x99";

constexpr std::array<std::string_view, 21> kCurrencies{"$",   "€",   "£",   "¥",   "₹",   "US$", "USD",
                                                       "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "SEK",
                                                       "NOK", "DKK", "PLN", "CAD", "AUD", "R$",  "Rs"};
constexpr std::array<std::string_view, 30> kUnits{"%",  "‰",  "°",  "°C", "°F",  "K",  "kg", "g",  "mg", "µg",
                                                  "t",  "km", "m",  "cm", "mm",  "µm", "mi", "ft", "in", "l",
                                                  "ml", "s",  "ms", "h",  "min", "V",  "A",  "W",  "kW", "Hz"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A byte of a character beyond ASCII counts as one of a letter.
bool is_of_word(char c) { return is_letter(c) || static_cast<unsigned char>(c) > 127; }

bool take(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

template <std::size_t N>
bool take_any(std::string_view& text, const std::array<std::string_view, N>& fronts) {
  return std::ranges::any_of(fronts, [&](std::string_view front) { return take(text, front); });
}

bool take_thousands(std::string_view& text, char mark) {
  if (mark == ' ') return take_any(text, kSpaces);
  if (mark == '\'' && take(text, kRightQuote)) return true;
  return mark != '\0' && take(text, std::string_view(&mark, 1));
}

void trim_spaces(std::string_view& text) {
  while (take_any(text, kSpaces)) {
  }
  for (bool more = true; more;) {
    more = std::ranges::any_of(kSpaces, [&](std::string_view space) {
      if (!text.ends_with(space)) return false;
      text.remove_suffix(space.size());
      return true;
    });
  }
}

std::size_t leading_digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

/// Moves "1,234" or "1234" from the front of `text` to `number`, without its separators. False: its groups
/// are wrong.
bool take_whole_part(std::string_view& text, char thousands, std::string& number) {
  const std::size_t first = leading_digits(text);
  number += text.substr(0, first);
  const bool may_group = first >= 1 && first <= kGroup && text.front() != '0';
  text.remove_prefix(first);
  int groups = 0;
  for (std::string_view rest = text; take_thousands(rest, thousands); text = rest) {
    if (!may_group || leading_digits(rest) != kGroup) return false;
    if (thousands == '.' && ++groups == 3) return false;  // 192.168.100.100 is an address
    number += rest.substr(0, kGroup);
    rest.remove_prefix(kGroup);
  }
  return true;
}

enum class Sign { none, plus, minus };

/// Takes "-" or "+" before a number, "-" behind it, or parentheses about it.
Sign take_sign(std::string_view& text) {
  if (take_any(text, kMinus)) return Sign::minus;
  if (take(text, "+")) return Sign::plus;
  const bool enclosed = text.size() > 2 && text.front() == '(' && text.back() == ')';
  // "12-" is a code
  const bool behind = text.ends_with('-') && text.find_first_of(".,") != std::string_view::npos;
  if (!enclosed && !behind) return Sign::none;
  if (enclosed) text.remove_prefix(1);
  text.remove_suffix(1);
  return Sign::minus;
}

}  // namespace

const std::array<Spelling, 7>& spellings() {
  static const std::array<Spelling, 7> all{
      {{}, {'.', ','}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}, {',', '\''}}};
  return all;
}

std::string_view without_formula(std::string_view text) {
  const bool is_formula = text.size() >= 3 && text.starts_with("=\"") && text.ends_with('"');
  return is_formula ? text.substr(2, text.size() - 3) : text;
}

std::optional<double> parse_number(std::string_view text, const Spelling& spelling) {
  const bool units = !spelling.before.empty() || !spelling.behind.empty();
  if (spelling.decimal == '.' && (!units || spelling.optional_unit)) {
    if (const auto plain = parse_number(text)) return plain;
  }
  if (text.size() > kLongestNumber) return std::nullopt;
  text = without_formula(text);
  trim_spaces(text);
  Sign sign = take_sign(text);
  if (units) {
    if (text.starts_with(spelling.before) && text.ends_with(spelling.behind)) {
      text.remove_prefix(spelling.before.size());
      text.remove_suffix(spelling.behind.size());
      trim_spaces(text);
      if (sign == Sign::none) sign = take_sign(text);
    } else if (!spelling.optional_unit) {
      return std::nullopt;
    }
  }
  if (text.empty() || !(is_digit(text.front()) || text.front() == spelling.decimal)) return std::nullopt;
  std::string number = sign == Sign::minus ? "-" : "";
  if (!take_whole_part(text, spelling.thousands, number)) return std::nullopt;
  if (take(text, std::string_view(&spelling.decimal, 1))) number += '.';
  if (text.find_first_of(".,") != std::string_view::npos) return std::nullopt;
  return parse_number(number + std::string(text));
}

std::optional<double> parse_bound(std::string_view text, const Spelling& spelling) {
  return take_any(text, kBounds) ? parse_number(trimmed(text), spelling) : std::nullopt;
}

std::optional<Spelling> unit_of(std::string_view text) {
  text = without_formula(text);
  trim_spaces(text);
  take_sign(text);
  const std::size_t first = text.find_first_of("0123456789"), last = text.find_last_of("0123456789");
  if (first == std::string_view::npos) return std::nullopt;
  std::size_t begin = first;
  if (begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == ',')) --begin;
  std::string_view before = text.substr(0, begin), behind = text.substr(last + 1);
  if (before.ends_with('(') && behind.starts_with(')')) {
    before.remove_suffix(1);
    behind.remove_prefix(1);
  }
  for (const std::string_view minus : kMinus) {
    if (before.ends_with(minus)) before.remove_suffix(minus.size());
  }
  trim_spaces(before);
  if (behind.starts_with('.') || behind.starts_with('-')) behind.remove_prefix(1);
  trim_spaces(behind);
  if (before.size() > kLongestUnit || behind.size() > kLongestUnit) return std::nullopt;
  // "c0" and "7b" are codes: letters are a unit if they are known for one, or stand apart from the number.
  const auto is_in = [](const auto& list, std::string_view unit) {
    return std::ranges::find(list, unit) != list.end();
  };
  const bool apart = last + 1 < text.size() && (text[last + 1] == ' ' || behind.data() != text.data() + last + 1);
  const bool words = std::ranges::all_of(behind, [](char c) { return is_of_word(c) || c == ' ' || c == '/'; });
  if (!before.empty() && !is_in(kCurrencies, before)) return std::nullopt;
  if (!behind.empty() && !is_in(kUnits, behind) && !is_in(kCurrencies, behind) && !(apart && words))
    return std::nullopt;
  return Spelling{.before = std::string(before), .behind = std::string(behind)};
}

MissingValues MissingValues::usual() {
  return {{"?", "<null>", "#N/A", "<NA>"}, {"NA", "N/A", "n/a", "nan", "NaN", "NAN", "null", "NULL", "None"}};
}

bool MissingValues::is_always(std::string_view text) const {
  return text.empty() || std::ranges::find(always, text) != always.end();
}

bool MissingValues::is_word(std::string_view text) const { return std::ranges::find(words, text) != words.end(); }

}  // namespace elmx
