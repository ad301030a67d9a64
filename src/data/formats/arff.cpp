#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/formats/text_formats.hpp"
#include "data/table/infer.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::string_view kComment = "%";
constexpr std::string_view kBlanks = " \t\r";

bool is_quote(char c) { return c == '\'' || c == '"'; }

/// Values one after the other, from the front of a text: quoted, or up to one of the ends.
class Values {
 public:
  /// place: the file and line, for errors.
  Values(std::string_view text, std::string place) : rest_(trimmed(text)), place_(std::move(place)) {}

  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  std::string_view rest() const { return rest_; }

  bool take(char c) {
    if (peek() != c) return false;
    rest_ = trimmed(rest_.substr(1));
    return true;
  }

  std::string next(std::string_view ends) {
    std::string value;
    if (is_quote(peek())) {
      const char quote = peek();
      std::size_t i = 1;
      for (; i < rest_.size(); ++i) {
        const bool escaped = rest_[i] == '\\' && i + 1 < rest_.size();
        const bool doubled = rest_[i] == quote && i + 1 < rest_.size() && rest_[i + 1] == quote;
        if (!escaped && !doubled && rest_[i] == quote) break;
        if (escaped || doubled) ++i;
        value += rest_[i];
      }
      if (i >= rest_.size()) throw DataError(place_, "a quote has no end");
      rest_ = trimmed(rest_.substr(i + 1));
      return value;
    }
    const std::size_t end = std::min(rest_.find_first_of(ends), rest_.size());
    value = trimmed(rest_.substr(0, end));
    rest_ = trimmed(rest_.substr(end));
    return value;
  }

  /// All values up to the end, separated by commas, or by blanks if the text has no comma.
  void all(bool by_blanks, std::vector<std::string>& values) {
    values.clear();
    const std::string_view ends = by_blanks ? " \t" : ",";
    while (true) {
      values.push_back(next(ends));
      if (at_end()) return;
      if (!by_blanks && !take(',')) throw DataError(place_, fmt::format("expected a comma before \"{}\"", rest_));
    }
  }

 private:
  std::string_view rest_;
  std::string place_;
};

std::string place_of(const std::string& origin, std::size_t line) { return fmt::format("{}:{}", origin, line); }

/// Returns what stands behind a keyword such as "@inputs", up to the end of the line.
std::string_view behind_word(std::string_view line) {
  return trimmed(line.substr(std::min(line.find_first_of(kBlanks), line.size())));
}

/// Returns the text up to a comment: "%" outside of quotes at the beginning of a value or behind a blank.
std::string_view without_comment(std::string_view text) {
  if (text.find('%') == std::string_view::npos) return text;
  char before = ' ';
  for (std::size_t i = 0; i < text.size(); before = text[i++]) {
    const char c = text[i];
    const bool begins = before == ' ' || before == '\t' || before == ',' || before == '{';
    if (begins && c == '%') return trimmed(text.substr(0, i));
    if (!is_quote(c) || !(begins || before == c)) continue;  // a doubled quote goes on with the quoted text
    for (++i; i < text.size() && text[i] != c; ++i) i += text[i] == '\\';
    if (i >= text.size()) break;
  }
  return text;
}

/// Returns the order of day and month in dates of a format such as "MM/dd/yyyy" (y: year, M: month, d: day);
/// nothing if the format has none or begins with the year. Throws DataError: dates that cannot be read.
std::optional<DateOrder> order_of_dates(std::string_view format, const std::string& name, const std::string& place) {
  const auto has = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  const bool small_months = !has(format, "M") && !has(format, "L") && format.find_first_of("dD") < format.size();
  std::string letters, order;
  bool literal = false;
  for (const char c : format) {
    literal = literal != (c == '\'');
    const char letter = c == 'Y' ? 'y' : c == 'D' ? 'd' : c == 'L' || (c == 'm' && small_months) ? 'M' : c;
    letters += literal ? ' ' : letter;
    if ((letters.back() == 'y' || letters.back() == 'M' || letters.back() == 'd') && !has(order, {&letter, 1}))
      order += letter;
  }
  const bool two_digits = has(letters, "yy") && !has(letters, "yyy");
  if (order.empty() || order == "y" || (order == "yMd" && !two_digits && !has(letters, "yM"))) return std::nullopt;
  if (order == "dMy") return DateOrder::day_first;
  if (order == "Mdy" && !has(letters, "M.")) return DateOrder::month_first;
  throw DataError(place,
                  fmt::format("attribute \"{}\": dates of the format \"{}\" cannot be read; write them as yyyy-MM-dd, "
                              "dd.MM.yyyy or MM/dd/yyyy and declare that format",
                              name, printable(format, 40)));
}

RawColumn attribute(std::string_view declaration, const std::string& place) {
  Values values(declaration, place);
  RawColumn column;
  column.name = values.next(" \t{");
  if (column.name.empty()) throw DataError(place, "expected @attribute NAME TYPE, found no name");
  column.kind_is_known = true;
  if (values.take('{')) {
    column.kind = Kind::category;
    column.declared = true;
    std::set<std::string> seen;
    while (true) {
      std::string category = values.next(",}");
      if (!seen.insert(category).second)
        throw DataError(place, fmt::format("attribute \"{}\": duplicate category \"{}\"", column.name, category));
      column.categories.push_back(std::move(category));
      if (values.take('}')) return column;
      if (!values.take(',')) throw DataError(place, "expected \"}\" at the end of the categories");
    }
  }
  const std::string_view type = values.rest();
  if (begins_with_word(type, "numeric") || begins_with_word(type, "real") || begins_with_word(type, "integer"))
    return column;
  column.kind_is_known = false;  // its values say it
  if (begins_with_word(type, "string")) return column;
  if (begins_with_word(type, "date")) {
    Values format(without_comment(behind_word(type)), place);
    column.order = order_of_dates(format.next(""), column.name, place);
    return column;
  }
  throw DataError(
      place,
      fmt::format("attribute \"{}\": expected numeric, real, integer, string, date or {{a, b, ...}}, found \"{}\"",
                  column.name, type));
}

/// The values of a sparse row, in the order of the attributes.
void read_sparse(std::string_view row, const std::string& place, const std::vector<RawColumn>& columns,
                 std::vector<std::string>& values) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    values[j] = columns[j].declared ? columns[j].categories.front() : "0";
  std::vector<bool> is_there(columns.size());
  Values entries(row, place);
  entries.take('{');
  while (!entries.take('}')) {
    const std::string index = entries.next(" \t,}");
    const std::size_t j = parse_digits(index).value_or(columns.size());
    if (j >= columns.size())
      throw DataError(place, fmt::format("expected an index from 0 to {} in a sparse row, found \"{}\"",
                                         columns.size() - 1, printable(index, 40)));
    if (is_there[j]) throw DataError(place, fmt::format("duplicate index {} in a sparse row", j));
    is_there[j] = true;
    values[j] = entries.next(",}");
    if (!entries.take(',') && entries.peek() != '}')
      throw DataError(place, "expected \"}\" at the end of a sparse row");
  }
  if (!entries.at_end())
    throw DataError(place, fmt::format("expected the end of the line after a sparse row, found \"{}\"",
                                       printable(entries.rest(), 40)));
}

/// The declarations of a file.
struct ArffHeader {
  std::vector<RawColumn> columns;
  std::vector<std::string> outputs;  ///< KEEL: the default target
};

/// KEEL: drops the columns that are neither inputs nor outputs.
void set_inputs(const std::vector<std::string>& inputs, ArffHeader& header, const std::string& origin) {
  const std::vector<std::string> known = names_of(header.columns);
  for (const std::vector<std::string>* names : {&inputs, &std::as_const(header.outputs)}) {
    for (const std::string& name : *names) {
      if (std::ranges::count(known, name) == 0)
        throw DataError(origin, fmt::format("{}: unknown attribute \"{}\"{}", names == &inputs ? "@inputs" : "@outputs",
                                            name, suggest_name(name, known)));
    }
  }
  for (RawColumn& column : header.columns) {
    const bool used = std::ranges::count(inputs, column.name) + std::ranges::count(header.outputs, column.name) > 0;
    if (!inputs.empty() && !used) column.role = Role::dropped;
  }
}

/// Reads the lines up to "@data".
ArffHeader read_declarations(Lines& lines, const std::string& origin) {
  ArffHeader header;
  std::vector<std::string> inputs;
  while (lines.next_content(kComment)) {
    const std::string_view line = trimmed(lines.line());
    const std::string place = place_of(origin, lines.number());
    if (begins_with_word(line, "@attribute")) {
      header.columns.push_back(attribute(behind_word(line), place));
    } else if (begins_with_word(line, "@input")) {
      Values(without_comment(behind_word(line)), place).all(false, inputs);
    } else if (begins_with_word(line, "@output")) {
      Values(without_comment(behind_word(line)), place).all(false, header.outputs);
    } else if (begins_with_word(line, "@data")) {
      if (header.columns.empty()) throw DataError(place, "expected an @attribute before @data");
      set_inputs(inputs, header, origin);
      return header;
    } else if (!begins_with_word(line, "@relation")) {
      throw DataError(place,
                      fmt::format("expected @relation, @attribute, @inputs, @outputs or a comment (%), found \"{}\"",
                                  printable(line, 40)));
    }
  }
  throw DataError(origin, "expected an ARFF or KEEL file, found no @data line");
}

}  // namespace

RawTable read_arff(Content content, const TableOptions& options) {
  Lines lines(content.bytes);
  const ArffHeader header = read_declarations(lines, content.origin);
  RawTable table;
  table.origin = content.origin;
  table.sha256 = content.sha256;
  table.columns = header.columns;
  assign_roles(table.columns, options, header.outputs);
  // A second file may declare its dates in another order.
  for (std::size_t j = 0; j < header.columns.size(); ++j) {
    if (header.columns[j].order) table.columns[j].order = header.columns[j].order;
  }
  TextRows rows(table);
  std::vector<std::string> values(table.columns.size());
  std::vector<std::string_view> fields;
  while (lines.next_content(kComment)) {
    const std::string_view line = without_comment(trimmed(lines.line()));
    const std::string place = place_of(content.origin, lines.number());
    if (line.starts_with('{')) {
      values.resize(table.columns.size());
      read_sparse(line, place, table.columns, values);
    } else {
      Values(line, place).all(line.find(',') == std::string_view::npos, values);
    }
    fields.assign(values.begin(), values.end());
    rows.add(fields, lines.number());
  }
  rows.finish();
  table.report.name = content.origin;
  table.report.header = "the file declares its columns";
  content.bytes = std::string();
  infer_columns(table, options);
  return table;
}

}  // namespace elmx
