#include "data/table/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/table/table.hpp"

namespace elmx {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Of a number that no double can hold.
bool is_below_one(std::string_view number) {
  const std::size_t exponent = number.find_first_of("eE");
  return exponent == std::string_view::npos ? number.find_first_not_of("-0") == number.find('.')
                                            : number.substr(exponent + 1).starts_with('-');
}

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size())); }

}  // namespace

std::string_view trimmed(std::string_view text) {
  skip_blanks(text);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool begins_with_word(std::string_view text, std::string_view word) {
  const auto equal = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), equal);
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range && is_below_one(text)) return 0;  // 1e-400
  if (error != std::errc()) return std::nullopt;
  return number;
}

Lines::Lines(std::string_view text) : rest_(text) {
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++number_;
  return true;
}

bool Lines::extend() {
  if (rest_.empty()) return false;
  const char* begin = line_.data();
  const bool more = next();
  line_ = {begin, line_.data() + line_.size()};
  return more;
}

bool Lines::next_content(std::string_view comment) {
  while (next()) {
    const std::string_view content = trimmed(line_);
    if (!content.empty() && (comment.empty() || !content.starts_with(comment))) return true;
  }
  return false;
}

const std::vector<std::string_view>& Fields::split(std::string_view line) {
  fields_.clear();
  unquoted_.clear();
  closed_ = true;
  if (separator_ == ' ') {
    split_blanks(line);
  } else {
    split_separated(line);
  }
  return fields_;
}

void Fields::split_blanks(std::string_view line) {
  for (skip_blanks(line); !line.empty(); skip_blanks(line)) {
    if (at_quote(line)) {
      fields_.push_back(take_quoted(line));
    } else {
      const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
      fields_.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }
}

void Fields::split_separated(std::string_view line) {
  for (bool more = true; more;) {
    if (separator_ != '\t') skip_blanks(line);
    const char* begin = line.data();
    std::optional<std::string_view> quoted;
    if (at_quote(line)) quoted = take_quoted(line);
    const std::size_t end = std::min(line.find(separator_), line.size());
    // Text behind the closing quote: the quotes are part of the field.
    if (!trimmed(line.substr(0, end)).empty()) quoted.reset();
    fields_.push_back(quoted ? *quoted : trimmed({begin, line.data() + end}));
    more = end < line.size();
    if (more) line.remove_prefix(end + 1);
  }
}

bool Fields::at_quote(std::string_view rest) const {
  return !rest.empty() && quotes_.find(rest.front()) != std::string_view::npos;
}

std::string_view Fields::take_quoted(std::string_view& rest) {
  const char quote = rest.front();
  std::string& text = unquoted_.emplace_back();
  std::size_t i = 1;
  for (; i < rest.size(); ++i) {
    const bool doubled = rest[i] == quote && i + 1 < rest.size() && rest[i + 1] == quote;
    if (rest[i] == quote && !doubled) break;
    if (doubled) ++i;
    text += rest[i];
  }
  if (i >= rest.size()) closed_ = false;
  rest.remove_prefix(std::min(i + 1, rest.size()));
  return text;
}

const std::vector<std::string_view>& split_line(Fields& fields, std::string_view line, const std::string& origin,
                                                std::size_t number) {
  const std::vector<std::string_view>& found = fields.split(line);
  if (fields.closed()) return found;
  throw DataError(place(origin, number) + "a quote without end; the closing quote is expected in the same line");
}

std::string suggest_name(std::string_view name, const std::vector<std::string>& known) {
  const bool commas =
      std::ranges::any_of(known, [](const std::string& one) { return one.find(',') != std::string::npos; });
  if (known.empty()) return "";
  if (!commas || !nearest(name, known).empty()) return suggest(name, known);
  std::vector<std::string> quoted;
  for (const std::string& one : known) quoted.push_back('"' + one + '"');
  return fmt::format("; allowed: {}", fmt::join(quoted, ", "));
}

}  // namespace elmx
