#include "data/csv/dialect.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/csv/fields.hpp"
#include "data/values/dates.hpp"
#include "data/values/spelling.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsLookedAt = 200;
constexpr double kNearlyAll = 0.9;
constexpr char kNoSeparator = '\x1f';

struct Separator {
  char character;
  const char* name;
};
constexpr std::array kSeparators{Separator{'\t', "tab"}, Separator{';', "semicolon"}, Separator{',', "comma"},
                                 Separator{'|', "pipe"}, Separator{' ', "blank"}};

using Row = std::vector<std::string>;

/// The division of the rows by one separator.
struct Division {
  char separator = ',';
  std::vector<Row> rows = {};
  std::size_t fields = 0;  ///< the most frequent number of fields in a row
  bool quoted = true;      ///< every row below the first begins with a quote
  double even = 0;         ///< share of the rows with this number of fields
  double numbers = 0;      ///< share of numbers among the fields below the first row
};

bool is_number(const std::string& text) {
  const auto reads = [&](const Spelling& spelling) { return parse_number(text, spelling).has_value(); };
  return std::ranges::any_of(spellings(), reads);
}

bool is_missing(const std::string& text) {
  static const MissingValues usual = MissingValues::usual();
  return usual.is_always(text) || usual.is_word(text);
}

/// Returns true for a number, a bound or a date, which are rarely names of columns.
bool is_value(const std::string& text) {
  return is_number(text) || parse_moment(text).has_value() || parse_bound(text, {}).has_value();
}

/// Returns true for a text such as "-" or "--", which is no name.
bool is_placeholder(const std::string& text) {
  return !text.empty() && std::ranges::none_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) > 127;
  });
}

Division divide(std::string_view text, const Dialect& dialect, char separator) {
  Division division{separator};
  std::map<std::size_t, std::size_t> times;
  RowScanner scanner(text, separator, dialect.line_end, 0, 1);
  while (division.rows.size() < kRowsLookedAt && scanner.next_content(dialect.comment)) {
    const auto& fields = scanner.fields();
    division.quoted = division.quoted && (division.rows.empty() || trimmed(scanner.row()).starts_with('"'));
    division.rows.emplace_back(fields.begin(), fields.end());
    ++times[fields.size()];
  }
  if (division.rows.empty()) return division;
  // the larger number of fields on ties
  const auto most =
      std::max_element(times.rbegin(), times.rend(), [](const auto& a, const auto& b) { return a.second < b.second; });
  division.fields = most->first;
  division.even = static_cast<double>(most->second) / static_cast<double>(division.rows.size());
  std::size_t fields = 0, numbers = 0;
  for (std::size_t i = division.rows.size() > 1 ? 1 : 0; i < division.rows.size(); ++i) {
    for (const std::string& field : division.rows[i]) {
      if (is_missing(field)) continue;
      ++fields;
      numbers += is_number(field);
    }
  }
  if (fields > 0) division.numbers = static_cast<double>(numbers) / static_cast<double>(fields);
  return division;
}

/// Returns the division by the separator that gives the most numbers, the first on ties. Separators that
/// divide all rows evenly have priority, then separators for nearly all rows, then for half of the rows.
/// Without any, the text has one column.
Division best_division(std::string_view text, const Dialect& dialect) {
  std::vector<Division> divisions;
  for (const Separator& separator : kSeparators) divisions.push_back(divide(text, dialect, separator.character));
  for (const double least : {1.0, kNearlyAll, 0.5}) {
    const Division* best = nullptr;
    for (const Division& division : divisions) {
      if (division.fields < 2 || division.even < least) continue;
      if (best == nullptr || division.numbers + division.even > best->numbers + best->even + 1e-9) best = &division;
    }
    if (best != nullptr) return *best;
  }
  // Rows of any lengths: the reader names the first that differs.
  const auto divides = [](const Division& division) {
    return division.separator != ' ' && !division.rows.empty() && division.rows.front().size() > 1;
  };
  const auto found = std::ranges::find_if(divisions, divides);
  return found == divisions.end() ? divide(text, dialect, ',') : *found;
}

/// The columns below the first row, without missing values.
using Columns = std::vector<std::vector<std::string>>;

/// The columns of the rows from `first` on. A row that repeats the one before them is left out: files that
/// were put together repeat their names.
Columns columns_of(const std::vector<Row>& rows, std::size_t first, std::size_t fields) {
  Columns columns(fields);
  for (std::size_t i = first; i < rows.size(); ++i) {
    if (rows[i] == rows[first - 1]) continue;
    for (std::size_t j = 0; j < std::min(fields, rows[i].size()); ++j) {
      if (!is_missing(rows[i][j])) columns[j].push_back(rows[i][j]);
    }
  }
  return columns;
}

std::optional<double> whole_number(const std::string& text) {
  const auto number = parse_number(text);
  return number && *number == std::floor(*number) && std::abs(*number) < 1e6 ? number : std::nullopt;
}

/// Returns true for 0, 1, 2, ... or 1, 2, 3, ...
bool counts_up(const std::vector<std::string>& texts) {
  return count_up(texts.size(), [&](std::size_t i) { return parse_number(texts[i]); });
}

/// Returns true if the numbers of a first row look like names: consecutive years over values that are not
/// years, or column numbers over a first column that numbers the rows. At least `enough` numbers in equal
/// steps look like names too, as in "species, 1, 2, 3".
bool numbers_are_names(const Row& first, const Columns& below, std::size_t enough) {
  const auto is_year = [](double number) { return number >= 1800 && number <= 2100; };
  std::vector<double> numbers;
  bool years_below = false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (!is_value(first[j])) continue;
    const auto number = whole_number(first[j]);
    if (!number) return false;
    numbers.push_back(*number);
    years_below = years_below || std::ranges::any_of(below[j], [&](const std::string& value) {
                    return is_year(parse_number(value).value_or(0));
                  });
  }
  if (numbers.size() < 2) return false;
  const double step = numbers[1] - numbers[0];
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    if (numbers[k] != numbers[k - 1] + step || step <= 0) return false;
  }
  if (numbers.size() >= enough && (numbers.size() > 2 || step == 1)) return true;
  if (step != 1) return false;
  if (is_year(numbers.front()) && is_year(numbers.back())) return !years_below;
  const std::vector<std::string>& index = below.front();
  if ((numbers.front() != 0 && numbers.front() != 1) || index.size() < 2 || !counts_up(index)) return false;
  return first.front().empty() || (numbers.size() == first.size() && whole_number(index.front()) == numbers.front());
}

/// Returns how many of the names the first row has. places: a number may be a column number, and counts as a
/// name only if there are fewer columns.
std::size_t matches(const Row& first, const std::vector<std::string>& names, bool places) {
  const auto is_there = [&](const std::string& name) {
    const auto place = places ? whole_number(name) : std::nullopt;
    const bool may_be_place = place && std::abs(*place) <= static_cast<double>(first.size());
    return !may_be_place && std::ranges::count(first, name) > 0;
  };
  return static_cast<std::size_t>(std::ranges::count_if(names, is_there));
}

HeaderDecision decide_header(const Row& first, const Columns& below, bool alone, const HeaderHints& hints) {
  if (!hints.known.empty() && 2 * matches(first, hints.known, false) >= hints.known.size())
    return {true, "the first row has the names of the model's columns"};
  if (matches(first, hints.names, true) > 0) return {true, "the first row has a column that is named"};
  if (alone) {
    const bool names = std::ranges::none_of(first, [](const std::string& f) { return is_value(f) || is_missing(f); });
    return {names, names ? "the only row has no number" : "the only row has numbers"};
  }
  if (std::ranges::any_of(first, is_placeholder))
    return {false, "the first row has a field that cannot be a name", true};
  std::size_t names_over_values = 0, values_over_values = 0, missing_over_values = 0, news = 0, repeated = 0;
  for (std::size_t j = 0; j < std::min(first.size(), below.size()); ++j) {
    if (!below[j].empty() && std::ranges::all_of(below[j], is_value)) {
      const bool date_over_numbers = !is_number(first[j]) && std::ranges::all_of(below[j], is_number);
      if (is_missing(first[j]))
        ++missing_over_values;
      else if (is_value(first[j]) && !date_over_numbers)
        ++values_over_values;
      else
        ++names_over_values;
    } else if (below[j].empty() || is_missing(first[j])) {
      continue;
    } else if (is_value(first[j]) || std::ranges::count(below[j], first[j]) > 0) {
      ++repeated;
    } else {
      ++news;
    }
  }
  if (names_over_values > 0 && values_over_values == 0) return {true, "the first row has names above numbers"};
  if (values_over_values > 0) {
    if (names_over_values > values_over_values) return {true, "the first row has names above numbers", true};
    if (numbers_are_names(first, below, names_over_values > 0 ? 2 : news > 0 && repeated == 0 ? 3 : first.size() + 1))
      return {true, "the first row counts columns or years", true};
    return {false, "the first row has numbers like the rows below it",
            (first.size() > 2 && counts_up(first)) || news > 0 || names_over_values > 0};
  }
  if (repeated > 0) return {false, "values of the first row occur below it"};
  if (missing_over_values > 0) return {false, "the first row has missing values above numbers", true};
  if (news == 0) return {false, "nothing tells the first row from the others", true};
  return {true, "the texts of the first row do not occur below it", true};
}

/// Returns true if the row below the names has units of the columns, such as "kg, m/s, -": words above
/// numbers, in at least two columns or alone, no number above numbers, and no text that occurs below.
bool are_units(const Row& row, const Columns& below) {
  std::size_t above_numbers = 0, others = 0;
  for (std::size_t j = 0; j < std::min(row.size(), below.size()); ++j) {
    const bool above = !below[j].empty() && std::ranges::all_of(below[j], is_value);
    if ((above && is_value(row[j])) || std::ranges::count(below[j], row[j]) > 0) return false;
    if (is_missing(row[j]) || is_placeholder(row[j])) continue;
    ++(above ? above_numbers : others);
  }
  return above_numbers > 1 || (above_numbers == 1 && others == 0);
}

/// Names behind a comment sign directly above the first row, as numpy.savetxt writes them.
Row names_in_comment(std::string_view text, const Dialect& dialect, std::size_t fields) {
  std::string_view above;
  for (Lines lines(text, dialect.line_end, 1); lines.next_content("");) {
    const std::string_view line = trimmed(lines.line());
    if (!line.starts_with(dialect.comment)) break;
    above = line.substr(dialect.comment.size());
  }
  RowSplitter splitter(dialect.separator);
  const auto& names = splitter.split(trimmed(above));
  const bool fits = names.size() == fields && std::ranges::none_of(names, [](std::string_view name) {
                      return name.empty() || is_value(std::string(name));
                    });
  return fits ? Row(names.begin(), names.end()) : Row();
}

/// Returns true if a row above the names has fewer fields than the others, or is filled up with empty fields
/// to as many, as a spreadsheet does. A row of several numbers is no title.
bool is_title(const Row& row, std::size_t fields) {
  const bool padded = fields > 2 && std::all_of(row.begin() + 1, row.end(), [](const auto& f) { return f.empty(); });
  if (padded) return !is_value(row.front());
  return row.size() < fields && (row.size() < 2 || !std::ranges::all_of(row, is_value));
}

/// Rows at the top that are titles.
std::size_t rows_above(const Division& division) {
  std::size_t above = 0;
  while (above < division.rows.size() && is_title(division.rows[above], division.fields)) ++above;
  const bool all_below = std::ranges::all_of(std::span(division.rows).subspan(above),
                                             [&](const Row& row) { return row.size() == division.fields; });
  return above < division.rows.size() && all_below ? above : 0;
}

/// Returns true if the last field of every row behind `first` is empty.
bool last_is_empty(const Division& division, std::size_t first) {
  return division.fields > 1 && first < division.rows.size() &&
         std::ranges::all_of(std::span(division.rows).subspan(first),
                             [&](const Row& row) { return row.size() < division.fields || row.back().empty(); });
}

/// The reason why the first row is one field shorter than the others.
enum class ShortRow {
  no,         // it is not, or it is a title
  closed,     // the others end with a separator
  row_names,  // the others begin with a name of the row, all different, as R writes them
  wrong,      // it has names, and the others have one field too many
};

/// Returns true if the first fields of the rows below the names look like names of rows, and not like a part
/// of a value such as 1,653: they are quoted, they are no numbers, or they count from 1.
bool look_like_names(const Division& division, const std::vector<std::string>& first_fields) {
  if (division.separator == ' ' || division.separator == '\t' || division.quoted) return true;
  return std::ranges::none_of(first_fields, is_number) || (first_fields.front() == "1" && counts_up(first_fields));
}

ShortRow short_row(const Division& division, const HeaderHints& hints) {
  const std::vector<Row>& rows = division.rows;
  if (rows.size() < 2 || rows.front().size() + 1 != division.fields || division.fields < 3) return ShortRow::no;
  if (last_is_empty(division, 1)) return ShortRow::closed;
  const HeaderDecision second = decide_header(rows[1], columns_of(rows, 2, division.fields), rows.size() == 2, {});
  if (second.header && !second.is_uncertain) return ShortRow::no;
  std::vector<std::string> names;
  for (const Row& row : std::span(rows).subspan(1)) names.push_back(row.front());
  const bool differ = std::set(names.begin(), names.end()).size() == names.size();
  const bool values =
      std::ranges::any_of(rows.front(), is_value) ||
      std::ranges::all_of(names, [](const std::string& name) { return is_number(name) && !whole_number(name); });
  const bool expected = hints.known.empty() ? look_like_names(division, names) : hints.row_names;
  return differ && !values && expected ? ShortRow::row_names : ShortRow::wrong;
}

std::string_view without_lines(std::string_view text, std::size_t count, char line_end) {
  Lines lines(text, line_end, 1);
  while (lines.number() < count && lines.next()) {
  }
  return lines.rest();
}

/// The separator that Excel's first line says: "sep=;". A character that separates nothing else is no
/// separator.
std::optional<char> explicit_separator(std::string_view text, char line_end) {
  Lines lines(text, line_end, 1);
  lines.next();
  std::string_view line = lines.line();
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  const bool is_explicit = line.size() == 5 && begins_with_word(line, "sep=") &&
                           std::ranges::count(kSeparators, line.back(), &Separator::character) > 0;
  return is_explicit ? std::optional(line.back()) : std::nullopt;
}

/// Returns true if a model, whose columns are `known`, was trained on a file without a header, and the first
/// row does not have the numbered names that such columns get.
bool has_no_header(const std::vector<std::string>& known, const Row& first) {
  const auto is_numbered = [](const std::string& name) {
    return name.starts_with("column") && whole_number(name.substr(6));
  };
  return !known.empty() && std::ranges::all_of(known, is_numbered) && matches(first, known, false) == 0;
}

}  // namespace

std::string separator_name(char separator) {
  const auto found = std::ranges::find(kSeparators, separator, &Separator::character);
  return found == kSeparators.end() ? "blank" : found->name;
}

Dialect detect_dialect(std::string_view sample, const CsvOptions& options, const HeaderHints& hints,
                       const std::string& origin) {
  std::string_view text = sample;
  while (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Dialect dialect;
  if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) dialect.line_end = '\r';
  std::optional<char> separator = explicit_separator(text, dialect.line_end);
  // The first line decides on comments, whether or not it is left out: a second reading finds the same.
  const std::string_view beginning = without_lines(text, separator ? 1 : 0, dialect.line_end);
  dialect.comment = options.comment.empty() && trimmed(beginning).starts_with('#') ? "#" : options.comment;
  dialect.lines_above = options.lines_above.value_or(separator ? 1 : 0);
  const std::string_view all = text;
  text = without_lines(all, dialect.lines_above, dialect.line_end);

  const auto named = std::ranges::find(kSeparators, options.separator, &Separator::name);
  if (named != kSeparators.end()) separator = named->character;
  // One column of a model: decimal commas separate nothing there.
  const std::string only(trimmed(text.substr(0, text.find(dialect.line_end))));
  if (options.separator == "auto" && std::ranges::count(hints.known, only) > 0) separator = kNoSeparator;
  const Division division = separator ? divide(text, dialect, *separator) : best_division(text, dialect);
  const std::vector<Row>& rows = division.rows;
  if (rows.empty()) throw DataError(origin, "the file has no data; expected at least one row");
  dialect.separator = division.separator;

  const std::string header =
      options.header == "auto" && has_no_header(hints.known, rows.front()) ? "no" : options.header;
  std::size_t first = header == "no" ? 0 : rows_above(division);
  const ShortRow is_short = first == 1 ? short_row(division, hints) : ShortRow::no;
  const auto scan_rows = [&] {
    return RowScanner(text, dialect.separator, dialect.line_end, 0, dialect.lines_above + 1);
  };
  if (is_short == ShortRow::wrong && !options.lines_above) {
    RowScanner top = scan_rows();
    top.next_content(dialect.comment);
    throw DataError(fmt::format("{}:{}", origin, top.line()),
                    fmt::format("expected a name for each of {}, found {}; put fields that contain the separator in "
                                "quotes, or add a name for the first field (if the line is a title, set "
                                "data.lines_above to {})",
                                counted(division.fields, "field"), rows.front().size(), top.last_line()));
  }
  dialect.row_names = is_short == ShortRow::row_names;
  const bool one_short = is_short == ShortRow::closed || dialect.row_names;
  if (options.lines_above || one_short) first = 0;
  dialect.closed = last_is_empty(division, one_short ? 1 : first);
  const std::size_t fields = division.fields - (dialect.closed ? 1 : 0);
  if (first > 0) {  // rows above the table are titles
    RowScanner titles = scan_rows();
    for (std::size_t row = 0; row <= first; ++row) titles.next_content(dialect.comment);
    dialect.lines_above = titles.line() - 1;
    text = without_lines(all, dialect.lines_above, dialect.line_end);
  }
  Row names = rows[first];
  if (dialect.row_names) names.insert(names.begin(), std::string(kRowNames));
  names.resize(fields);

  const bool alone = first + 1 >= rows.size();
  const bool units = header != "no" && first + 3 < rows.size() && rows[first + 1] != rows[first] &&
                     are_units(rows[first + 1], columns_of(rows, first + 2, fields));
  const auto decide = [&] {
    return decide_header(names, columns_of(rows, first + (units ? 2 : 1), fields), alone, hints);
  };
  const Row commented =
      dialect.comment.empty() || header == "yes" || one_short ? Row() : names_in_comment(text, dialect, fields);
  HeaderDecision& decision = dialect;
  decision = {header == "yes", "stated by the config"};
  if (!commented.empty())
    decision = {false, "the comment above the first row has the names"};
  else if (header == "auto" && one_short)
    decision = {true, dialect.closed ? "the first row is one field shorter"
                                     : "the first row is one field shorter: rows have names"};
  else if (header == "auto")
    decision = decide();
  if (header == "auto" && alone && decision.header && commented.empty())
    throw DataError(origin, "expected at least one row below the names of the columns");
  // A model whose file had no names counts the columns, and passes over names.
  const bool passes_over = header == "no" && !hints.known.empty() && !alone;
  const HeaderDecision found = passes_over ? decide() : HeaderDecision();
  if (found.header && !found.is_uncertain)
    decision = {true, "the names in the first row are ignored: the model has none"};
  for (std::size_t j = 0; j < fields; ++j) {
    const std::string name = !commented.empty() ? commented[j] : dialect.header && !passes_over ? names[j] : "";
    dialect.names.push_back(name.empty() ? "column" + std::to_string(j + 1) : name);
  }
  RowScanner scanner = scan_rows();
  if (dialect.header) scanner.next_content(dialect.comment);
  if (dialect.header && units) {
    scanner.next_content(dialect.comment);
    dialect.units_line = scanner.line();
  }
  dialect.bytes_above_rows = sample.size() - scanner.rest().size();
  dialect.lines_above_rows = scanner.last_line();
  return dialect;
}

}  // namespace elmx
