#include "data/values/text.hpp"

#include <fmt/format.h>
#include <utf8cpp/utf8.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

/// Replaces each accented Latin letter by a mark: one character, or a letter and combining accents. Sets
/// `combining` if there is one of the latter.
std::u32string with_marks_for_accents(std::string_view text, bool& combining) {
  std::u32string marked;
  for (const char32_t c : utf8::utf8to32(utf8::replace_invalid(text))) {
    const bool combines = c >= 0x300 && c < 0x370;
    if (combines && !marked.empty()) marked.pop_back();
    marked += combines || (c >= 0xC0 && c < 0x280) || (c >= 0x1E00 && c < 0x1F00) ? U'\x01' : c;
    combining = combining || combines;
  }
  return marked;
}

/// Returns true for different names that look the same when they are printed.
bool look_alike(std::string_view a, std::string_view b) {
  bool a_combines = false, b_combines = false;
  const bool same_letters = with_marks_for_accents(a, a_combines) == with_marks_for_accents(b, b_combines);
  return a != b && (printable(a) == printable(b) || (same_letters && a_combines != b_combines));
}

}  // namespace

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size())); }

std::string_view trimmed(std::string_view text) {
  skip_blanks(text);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool begins_with_word(std::string_view text, std::string_view word) {
  const auto equal = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), equal);
}

std::optional<double> take_short_decimal(std::string_view& text) {
  constexpr std::size_t kMostDigits = 15;
  static constexpr std::array<double, kMostDigits + 1> kPowers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* at = text.data();
  const char* const end = at + std::min(text.size(), kMostDigits + 3);
  const bool negative = at < end && *at == '-';
  at += negative;
  std::uint64_t digits = 0;
  const auto take_digits = [&] {
    const char* const first = at;
    for (; at < end && *at >= '0' && *at <= '9'; ++at) digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
    return static_cast<std::size_t>(at - first);
  };
  std::size_t count = take_digits(), behind = 0;
  if (at < end && *at == '.') {
    ++at;
    count += behind = take_digits();
  }
  if (count == 0 || count > kMostDigits) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  const double number = static_cast<double>(digits) / kPowers[behind];
  return negative ? -number : number;
}

std::optional<double> parse_number(std::string_view text) {
  std::string_view rest = text;
  if (const auto number = take_short_decimal(rest); number && rest.empty()) return number;
  if (text.size() > kLongestNumber) return std::nullopt;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range && std::abs(std::strtod(std::string(text).c_str(), nullptr)) < 1)
    return 0;  // 1e-400
  if (error != std::errc()) return std::nullopt;
  return number;
}

std::optional<std::size_t> take_digits(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<std::size_t> parse_digits(std::string_view text) {
  const std::optional<std::size_t> number = take_digits(text);
  return text.empty() ? number : std::nullopt;
}

std::string canonical_label(std::string_view text) {
  constexpr double kMost = 1e15;
  std::string_view digits = text;
  if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
  const bool zeros = digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
  const bool plain = digits.find_first_not_of("0123456789") == std::string_view::npos;
  const bool code = digits.find_first_of("eE") != std::string_view::npos && digits.find('.') == std::string_view::npos;
  if (digits.empty() || zeros || code || (plain && digits.size() == text.size())) return std::string(text);
  const auto number = parse_number(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > kMost) return std::string(text);
  return fmt::format("{:.0f}", *number == 0 ? 0.0 : *number);
}

Lines::Lines(std::string_view text) : rest_(text) {
  while (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find(line_end_);
  line_ = rest_.substr(0, end);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++number_;
  return true;
}

bool Lines::next_content(std::string_view comment) {
  while (next()) {
    if (is_content(line_, comment)) return true;
  }
  return false;
}

bool is_content(std::string_view line, std::string_view comment) {
  line = trimmed(line);
  return !line.empty() && (comment.empty() || !line.starts_with(comment));
}

std::string suggest_name(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  const auto twin = std::ranges::find_if(known, [&](const std::string& other) { return look_alike(name, other); });
  if (twin != known.end())
    return fmt::format(
        " (did you mean \"{}\"? The two look the same but differ in characters such as a line break or combining "
        "accents; copy the name exactly)",
        *twin);
  if (!nearest(name, known).empty()) return suggest(name, known);
  return fmt::format(", expected one of: \"{}\"", fmt::join(known, "\", \""));
}

}  // namespace elmx
