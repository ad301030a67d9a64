#include "data/formats/delimited.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/table/records.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr int kLinesLookedAt = 10;
constexpr std::string_view kSeparators = "\t;,";

/// rows: with the lines that quotes keep together.
std::vector<std::string_view> first_lines(std::string_view text, const std::string& comment, bool rows) {
  std::vector<std::string_view> found;
  for (Lines lines(text); found.size() < kLinesLookedAt && lines.next_content(comment);) {
    if (rows) take_quoted_lines(lines);
    found.push_back(lines.line());
  }
  return found;
}

bool parts(char separator, std::string_view line) { return Fields(separator).split(line).size() > 1; }

bool parts_evenly(char separator, const std::vector<std::string_view>& lines) {
  Fields fields(separator);
  const std::size_t expected = fields.split(lines.front()).size();
  const auto agrees = [&](std::string_view line) { return fields.split(line).size() == expected; };
  return expected > 1 && std::ranges::all_of(lines, agrees);
}

/// The separator that parts all lines evenly.
std::optional<char> even_separator(const std::vector<std::string_view>& lines) {
  for (const char separator : kSeparators) {
    if (!lines.empty() && parts_evenly(separator, lines)) return separator;
  }
  return std::nullopt;
}

char first_separator(const std::vector<std::string_view>& lines) {
  if (lines.empty()) return ' ';
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

bool is_any_number(std::string_view field) {
  return parse_number(field) || parse_number(field, Decimal::comma) || parse_number(field, Decimal::point);
}

/// 0, 1, 2, ... or 1, 2, 3, ...: as programs number columns that have no names.
bool count_columns(const std::vector<std::string_view>& fields) {
  const auto from = [&](double first) {
    for (std::size_t j = 0; j < fields.size(); ++j) {
      if (parse_number(fields[j]) != first + static_cast<double>(j)) return false;
    }
    return true;
  };
  return fields.size() > 2 && (from(0) || from(1));
}

/// What stands in no line of names. An empty field may: that of a column without a name.
bool is_value(std::string_view field) { return is_any_number(field) || (MissingValues().has(field) && !field.empty()); }

bool looks_like_header(char separator, const std::vector<std::string_view>& lines) {
  if (lines.size() < 2) return false;
  Fields first(separator), second(separator);
  const auto& names = first.split(lines[0]);
  const auto& values = second.split(lines[1]);
  if (std::ranges::any_of(names, is_value)) return false;
  for (std::size_t j = 0; j < std::min(names.size(), values.size()); ++j) {
    if (!names[j].empty() && is_any_number(values[j])) return true;
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

/// A delimited file, read from its beginning once for each look at its rows.
class DelimitedFile {
 public:
  DelimitedFile(const Content& content, const DelimitedOptions& text)
      : content_(content), comment_(text.comment), layout_(find_layout(content.bytes, text)) {
    Records records = rows();
    if (!records.next()) throw DataError(content.origin + ": no data; at least one row is expected");
    columns_ = columns_of(records.fields(), layout_.header);
    const bool as_names = !layout_.header && text.header == "auto" && std::ranges::none_of(records.fields(), is_value);
    const std::string first(records.fields().front());
    if (as_names && !records.next()) only_name_ = first;
  }

  const std::vector<RawColumn>& columns() const { return columns_; }
  const std::string& origin() const { return content_.origin; }

  /// The first field where there is one row, which has no number and so may be one of names.
  const std::optional<std::string>& only_name() const { return only_name_; }

  /// f(fields, line) for each row behind the header.
  template <class F>
  void each_row(const F& f) const {
    Records records = rows();
    if (layout_.header) records.next();
    while (records.next()) f(records.fields(), records.line());
  }

 private:
  Records rows() const { return {content_, layout_.separator, comment_}; }

  const Content& content_;
  std::string comment_;
  Layout layout_;
  std::vector<RawColumn> columns_;
  std::optional<std::string> only_name_;
};

void refuse_names_alone(const DelimitedFile& file, const TableOptions& options) {
  const auto names_it = [&] {
    return std::ranges::count(options.known->columns, *file.only_name(), &KnownColumn::name) > 0;
  };
  if (!file.only_name() || (options.known && !names_it())) return;
  throw DataError(file.origin() + ": names of columns and no row below them; at least one row is expected");
}

Inspection inspect(const DelimitedFile& file, const MissingValues& missing_values) {
  Inspection found;
  const std::size_t expected = file.columns().size();
  found.columns.resize(expected);
  file.each_row([&](const std::vector<std::string_view>& fields, std::size_t line) {
    const bool closed = fields.size() == expected + 1 && fields.back().empty();
    if (fields.size() != expected && !closed) {
      if (found.ragged++ > 0) return;
      found.ragged_line = line;
      found.ragged_fields = fields.size();
      return;
    }
    ++found.rows;
    for (std::size_t j = 0; j < expected; ++j) found.columns[j].add(fields[j], line, missing_values);
  });
  return found;
}

RawTable read_rows(const DelimitedFile& file, std::vector<RawColumn> columns, const TableOptions& options) {
  TableBuilder builder(file.origin(), std::move(columns), missing_of(options), options.label_strip,
                       options.missing_values);
  file.each_row([&](const std::vector<std::string_view>& fields, std::size_t line) { builder.add_row(fields, line); });
  return builder.finish();
}

/// Whether the first row has a text that no other row of the column has, and all others there stand more than once.
bool first_stands_alone(const RawColumn& column) {
  if (column.kind != Kind::category || column.values.empty() || std::isnan(column.values.front())) return false;
  if (is_any_number(column.categories.front())) return false;
  std::vector<std::size_t> count(column.categories.size(), 0);  // in order of appearance
  for (const double value : column.values) {
    if (!std::isnan(value)) ++count[static_cast<std::size_t>(value)];
  }
  return count.size() > 1 && count.front() == 1 && std::ranges::count(count, std::size_t{1}) == 1;
}

void set_decimal(std::vector<RawColumn>& columns, const DelimitedOptions& text) {
  if (!text.decimal) return;
  for (RawColumn& column : columns) column.decimal = decimal_named(*text.decimal);
}

}  // namespace

Layout find_layout(std::string_view text, const DelimitedOptions& options) {
  std::vector<std::string_view> lines = first_lines(text, options.comment, false);
  Layout layout;
  if (options.separator != "auto") {
    layout.separator = told_separator(options.separator);
    if (!lines.empty() && !parts_evenly(layout.separator, lines)) lines = first_lines(text, options.comment, true);
  } else if (const auto of_lines = even_separator(lines)) {
    layout.separator = *of_lines;
  } else {
    const std::vector<std::string_view> rows = first_lines(text, options.comment, true);
    const auto of_rows = even_separator(rows);
    layout.separator = of_rows ? *of_rows : first_separator(lines);
    if (of_rows) lines = rows;
  }
  layout.header = options.header == "auto" ? looks_like_header(layout.separator, lines) : options.header == "yes";
  return layout;
}

std::string note_on_first_line(std::string_view text, const DelimitedOptions& options, const RawTable& table) {
  const Layout layout = find_layout(text, options);
  Lines lines(text);
  if (layout.header || options.header != "auto" || !lines.next_content(options.comment)) return "";
  Fields fields(layout.separator);
  const auto& first = fields.split(lines.line());
  const bool seems_names = std::ranges::none_of(first, is_value) || count_columns(first) ||
                           std::ranges::any_of(table.columns, first_stands_alone);
  if (!seems_names) return "";
  return fmt::format("the first line (\"{}\", ...) is read as a row; \"header\": \"yes\" takes it for names",
                     printable(first.front(), 40));
}

DelimitedColumns inspect_delimited(const Content& content, const TableOptions& options, const DelimitedOptions& text) {
  const DelimitedFile file(content, text);
  refuse_names_alone(file, options);
  DelimitedColumns all{file.columns(), inspect(file, options.missing_values)};
  set_decimal(all.columns, text);
  return all;
}

RawTable read_delimited(const Content& content, const TableOptions& options, const DelimitedOptions& text) {
  const DelimitedFile file(content, text);
  if (options.known) refuse_names_alone(file, options);
  std::vector<RawColumn> columns = file.columns();
  set_decimal(columns, text);
  assign_roles(columns, options);
  try {
    return read_rows(file, columns, options);
  } catch (const DataError&) {
    // Not all is as it should be: a look at the whole file says what is wrong, or how it can be read.
  }
  std::vector<std::string> notes = settle(columns, inspect(file, options.missing_values), options, content.origin);
  RawTable table = read_rows(file, std::move(columns), options);
  table.notes = std::move(notes);
  return table;
}

}  // namespace elmx
