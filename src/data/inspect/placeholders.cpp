#include "data/inspect/placeholders.hpp"

#include <algorithm>
#include <array>

#include "data/inspect/spelling.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFew = 5;
constexpr std::size_t kLongestUnit = 8;  // bytes

constexpr std::array<std::string_view, 22> kWords{
    "na",        "nan",   "nd",      "ka",           "nv",      "nil",       "none",
    "null",      "nul",   "missing", "void",         "unknown", "unk",       "missed",
    "unbekannt", "fehlt", "leer",    "keine angabe", "no data", "not known", "not available",
    "tbd"};
constexpr std::array<std::string_view, 5> kCurrencies{"US$", "$", "€", "£", "¥"};

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

/// A byte of a character beyond ASCII counts as one of a letter.
bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_number(std::string_view text) {
  return parse_number(text, Decimal::point).has_value() || parse_number(text, Decimal::comma).has_value();
}

}  // namespace

void FewTexts::add(std::string_view text) {
  if (more_ || std::ranges::find(texts_, text) != texts_.end()) return;
  more_ = texts_.size() == kFew;
  if (!more_) texts_.emplace_back(text);
}

bool is_placeholder(std::string_view text) {
  if (std::ranges::any_of(text, is_ascii_digit)) return false;
  if (std::ranges::none_of(text, is_of_word)) return true;
  std::string word, letters;
  for (const char c : text) {
    if (is_of_word(c) || c == ' ') word += lower_case(c);
    if (is_of_word(c)) letters += lower_case(c);
  }
  return std::ranges::find(kWords, word) != kWords.end() || std::ranges::find(kWords, letters) != kWords.end();
}

bool is_number_with_unit(std::string_view text) {
  const std::string_view whole = text;
  const auto currency =
      std::ranges::find_if(kCurrencies, [&](std::string_view sign) { return text.starts_with(sign); });
  if (currency != kCurrencies.end()) text.remove_prefix(currency->size());
  const std::size_t end = text.find_last_of("0123456789");
  if (end == std::string_view::npos || text.size() - end - 1 > kLongestUnit) return false;
  text = text.substr(0, end + 1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text.size() < whole.size() && is_number(text);
}

}  // namespace elmx
