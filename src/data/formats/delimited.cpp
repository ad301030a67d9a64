#include "data/formats/delimited.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr int kLinesLookedAt = 10;
constexpr std::string_view kSeparators = "\t;,";

std::vector<std::string_view> first_lines(std::string_view text, const std::string& comment) {
  std::vector<std::string_view> found;
  for (Lines lines(text); found.size() < kLinesLookedAt && lines.next_content(comment);) found.push_back(lines.line());
  return found;
}

bool parts(char separator, std::string_view line) { return Fields(separator).split(line).size() > 1; }

bool parts_evenly(char separator, const std::vector<std::string_view>& lines) {
  Fields fields(separator);
  const std::size_t expected = fields.split(lines.front()).size();
  const auto agrees = [&](std::string_view line) { return fields.split(line).size() == expected; };
  return expected > 1 && std::ranges::all_of(lines, agrees);
}

char find_separator(const std::vector<std::string_view>& lines) {
  if (lines.empty()) return ' ';
  for (const char separator : kSeparators) {
    if (parts_evenly(separator, lines)) return separator;
  }
  for (const char separator : kSeparators) {
    if (parts(separator, lines.front())) return separator;
  }
  return ' ';
}

char told_separator(const std::string& name) {
  if (name == "comma") return ',';
  if (name == "semicolon") return ';';
  return name == "tab" ? '\t' : ' ';
}

/// What stands in no line of names. An empty field may: that of a column without a name.
bool is_value(std::string_view field) {
  return parse_number(field).has_value() || (is_missing(field) && !field.empty());
}

bool looks_like_header(char separator, const std::vector<std::string_view>& lines) {
  if (lines.size() < 2) return false;
  Fields first(separator), second(separator);
  const auto& names = first.split(lines[0]);
  const auto& values = second.split(lines[1]);
  if (std::ranges::any_of(names, is_value)) return false;
  for (std::size_t j = 0; j < std::min(names.size(), values.size()); ++j) {
    if (!names[j].empty() && parse_number(values[j])) return true;
  }
  return false;
}

/// The columns, from the first line: its fields name them (a field that is empty does not), or are only counted.
std::vector<RawColumn> columns_of(std::vector<std::string_view> first, bool header) {
  if (first.size() > 1 && first.back().empty()) first.pop_back();
  std::vector<RawColumn> columns = unnamed_columns(first.size());
  if (header) {
    for (std::size_t j = 0; j < first.size(); ++j) {
      if (!first[j].empty()) columns[j].name = first[j];
    }
  }
  return columns;
}

}  // namespace

Layout find_layout(std::string_view text, const DelimitedOptions& options) {
  const std::vector<std::string_view> lines = first_lines(text, options.comment);
  Layout layout;
  layout.separator = options.separator == "auto" ? find_separator(lines) : told_separator(options.separator);
  layout.header = options.header == "auto" ? looks_like_header(layout.separator, lines) : options.header == "yes";
  return layout;
}

RawTable read_delimited(const Content& content, const TableOptions& options, const DelimitedOptions& text) {
  const Layout layout = find_layout(content.bytes, text);
  Lines lines(content.bytes);
  Fields fields(layout.separator);
  if (!lines.next_content(text.comment)) {
    throw DataError(content.origin + ": no data; at least one row is expected");
  }
  const auto row = [&]() -> const auto& { return split_line(fields, lines.line(), content.origin, lines.number()); };
  std::vector<RawColumn> columns = columns_of(row(), layout.header);
  assign_roles(columns, options);

  const Missing missing = options.missing == "refuse" ? Missing::refuse : Missing::keep;
  TableBuilder builder(content.origin, std::move(columns), missing, options.label_strip);
  if (!layout.header) builder.add_row(row(), lines.number());
  while (lines.next_content(text.comment)) builder.add_row(row(), lines.number());
  return builder.finish();
}

}  // namespace elmx
