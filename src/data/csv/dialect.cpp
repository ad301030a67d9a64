#include "data/csv/dialect.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/csv/fields.hpp"
#include "data/values/dates.hpp"
#include "data/values/spelling.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsLookedAt = 200;
constexpr std::size_t kMostLinesAbove = 30;
constexpr double kNearlyAll = 0.9;
constexpr char kNoSeparator = '\x1f';
constexpr std::array kSeparators{'\t', ';', ',', '|', ' '};

using Row = std::vector<std::string>;

/// A row of the sample as text, and its place.
struct Line {
  std::string_view text;
  std::size_t number = 0;
};

/// How one separator divides the rows.
struct Division {
  char separator = ',';
  std::vector<Row> rows;
  std::size_t fields = 0;  ///< that most rows have
  double even = 0;         ///< share of the rows that have as many
  double numbers = 0;      ///< share of numbers among the fields below the first row
};

char separator_of(const std::string& name) {
  if (name == "comma") return ',';
  if (name == "semicolon") return ';';
  if (name == "pipe") return '|';
  return name == "tab" ? '\t' : ' ';
}

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

std::vector<Row> rows_of(std::string_view text, const std::string& comment, char separator, char line_end) {
  std::vector<Row> rows;
  RowScanner scanner(text, separator, line_end, 0, 1);
  while (rows.size() < kRowsLookedAt && scanner.next()) {
    const std::string_view content = trimmed(scanner.row());
    if (content.empty() || (!comment.empty() && content.starts_with(comment))) continue;
    const auto& fields = scanner.fields();
    rows.emplace_back(fields.begin(), fields.end());
  }
  return rows;
}

Division divide(std::string_view text, const std::string& comment, char separator, char line_end) {
  Division division{separator, rows_of(text, comment, separator, line_end)};
  std::map<std::size_t, std::size_t> times;
  for (const Row& row : division.rows) ++times[row.size()];
  std::size_t most = 0;
  for (const auto& [fields, rows] : times) {
    if (rows >= most) {
      most = rows;
      division.fields = fields;
    }
  }
  if (division.rows.empty()) return division;
  division.even = static_cast<double>(most) / static_cast<double>(division.rows.size());
  std::size_t fields = 0, numbers = 0;
  for (std::size_t i = division.rows.size() > 1 ? 1 : 0; i < division.rows.size(); ++i) {
    for (const std::string& field : division.rows[i]) {
      if (is_missing(field)) continue;
      ++fields;
      numbers += is_number(field);
    }
  }
  division.numbers = fields == 0 ? 0 : static_cast<double>(numbers) / static_cast<double>(fields);
  return division;
}

/// Returns the division by the separator that gives the most numbers, the first of equals. Separators that divide
/// all rows evenly come first, then those that divide nearly all, then those that divide half of the rows. If
/// there is none, the text has one column.
Division best_division(std::string_view text, const std::string& comment, char line_end) {
  std::optional<Division> best;
  for (const double least : {1.0, kNearlyAll, 0.5}) {
    for (const char separator : kSeparators) {
      Division division = divide(text, comment, separator, line_end);
      if (division.fields < 2 || division.even < least) continue;
      if (!best || division.numbers + division.even > best->numbers + best->even + 1e-9) best = std::move(division);
    }
    if (best) return *best;
  }
  for (const char separator : kSeparators) {  // rows of any lengths: the reader names the first that differs
    if (separator == ' ') break;
    Division division = divide(text, comment, separator, line_end);
    if (!division.rows.empty() && division.rows.front().size() > 1) return division;
  }
  return divide(text, comment, ',', line_end);
}

/// The kind that all values of a column have.
enum class Values { none, numbers, dates, texts };

/// The body of the sample by columns, for the decision on the header.
struct Body {
  std::vector<std::vector<std::string>> columns;  // without missing values

  /// A row that repeats the first one is none of the body: files that were put together repeat their names.
  Body(const std::vector<Row>& rows, std::size_t first, std::size_t fields) : columns(fields) {
    for (std::size_t i = first; i < rows.size(); ++i) {
      if (rows[i] == rows[first - 1]) continue;
      for (std::size_t j = 0; j < std::min(fields, rows[i].size()); ++j) {
        if (!is_missing(rows[i][j])) columns[j].push_back(rows[i][j]);
      }
    }
  }
  Values values(std::size_t j) const {
    if (columns[j].empty()) return Values::none;
    if (std::ranges::all_of(columns[j], is_number)) return Values::numbers;
    return std::ranges::all_of(columns[j], is_value) ? Values::dates : Values::texts;
  }
  bool has(std::size_t j, const std::string& text) const { return std::ranges::count(columns[j], text) > 0; }
};

std::optional<double> whole_number(const std::string& text) {
  const auto number = parse_number(text);
  return number && *number == std::floor(*number) && std::abs(*number) < 1e6 ? number : std::nullopt;
}

/// Returns true if the numbers of a first row look like names: consecutive years over values that are none,
/// or the numbers of the columns over a first column that numbers the rows. enough: so many numbers in equal
/// steps look like names too, as in "species, 1, 2, 3".
bool numbers_are_names(const Row& first, const Body& body, std::size_t enough) {
  std::vector<double> numbers;
  std::vector<std::size_t> places;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (!is_value(first[j])) continue;
    const auto number = whole_number(first[j]);
    if (!number) return false;
    numbers.push_back(*number);
    places.push_back(j);
  }
  if (numbers.size() < 2) return false;
  const double step = numbers[1] - numbers[0];
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    if (numbers[k] != numbers[k - 1] + step || step <= 0) return false;
  }
  if (numbers.size() >= enough && (numbers.size() > 2 || step == 1)) return true;
  if (step != 1) return false;
  if (numbers.front() >= 1800 && numbers.back() <= 2100) {
    return std::ranges::none_of(places, [&](std::size_t j) {
      return std::ranges::any_of(body.columns[j], [](const std::string& value) {
        const auto number = parse_number(value);
        return number && *number >= 1800 && *number <= 2100;
      });
    });
  }
  const std::vector<std::string>& index = body.columns.front();
  if ((numbers.front() != 0 && numbers.front() != 1) || index.size() < 2) return false;
  const auto start = whole_number(index.front());
  if (!start || (*start != 0 && *start != 1)) return false;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (whole_number(index[i]) != *start + static_cast<double>(i)) return false;
  }
  return first.front().empty() || (places.size() == first.size() && *start == numbers.front());
}

/// 0, 1, 2, ... or 1, 2, 3, ...: as programs number columns without names.
bool counts_columns(const Row& first) {
  for (std::size_t j = 0; j < first.size(); ++j) {
    const auto number = whole_number(first[j]), start = whole_number(first[0]);
    if (!number || (*start != 0 && *start != 1) || *number != *start + static_cast<double>(j)) return false;
  }
  return first.size() > 2;
}

struct Decision {
  bool header = false;
  std::string why;
  bool is_uncertain = false;
};

/// Names that the first row has. places: a number may be that of a column, and counts as a name only if there
/// are fewer columns.
std::size_t matches(const Row& first, const std::vector<std::string>& names, bool places) {
  const auto is_there = [&](const std::string& name) {
    const auto place = places ? whole_number(name) : std::nullopt;
    const bool may_be_place = place && std::abs(*place) <= static_cast<double>(first.size());
    return !may_be_place && std::ranges::count(first, name) > 0;
  };
  return static_cast<std::size_t>(std::ranges::count_if(names, is_there));
}

Decision decide_header(const Row& first, const Body& body, bool alone, const HeaderHints& hints) {
  if (!hints.known.empty() && 2 * matches(first, hints.known, false) >= hints.known.size())
    return {true, "the first row has the names of the model's columns"};
  if (matches(first, hints.names, true) > 0) return {true, "the first row has a column that is named"};
  if (alone) {
    const bool names = std::ranges::none_of(first, [](const std::string& f) { return is_value(f) || is_missing(f); });
    return {names, names ? "the only row has no number" : "the only row has numbers"};
  }
  if (std::ranges::any_of(first, is_placeholder)) return {false, "the first row has a field that is no name", true};
  std::size_t names_over_values = 0, values_over_values = 0, missing_over_values = 0, news = 0, repeated = 0;
  for (std::size_t j = 0; j < std::min(first.size(), body.columns.size()); ++j) {
    const Values below = body.values(j);
    if (below == Values::numbers || below == Values::dates) {
      const bool date_over_numbers = below == Values::numbers && !is_number(first[j]);
      if (is_missing(first[j]))
        ++missing_over_values;
      else if (is_value(first[j]) && !date_over_numbers)
        ++values_over_values;
      else
        ++names_over_values;
      continue;
    }
    if (first[j].empty() || below == Values::none || is_missing(first[j])) continue;
    if (is_value(first[j]) || body.has(j, first[j]))
      ++repeated;
    else
      ++news;
  }
  if (names_over_values > 0 && values_over_values == 0) return {true, "the first row has names above numbers"};
  if (values_over_values > 0) {
    if (names_over_values > values_over_values) return {true, "the first row has names above numbers", true};
    if (numbers_are_names(first, body, names_over_values > 0 ? 2 : news > 0 && repeated == 0 ? 3 : first.size() + 1))
      return {true, "the first row counts columns or years", true};
    return {false, "the first row has numbers like the rows below it",
            counts_columns(first) || news > 0 || names_over_values > 0};
  }
  if (repeated > 0) return {false, "values of the first row occur below it"};
  if (missing_over_values > 0) return {false, "the first row has missing values above numbers", true};
  if (news == 0) return {false, "nothing tells the first row from the others", true};
  return {true, "the texts of the first row do not occur below it", true};
}

std::string_view first_line(std::string_view text, char line_end) { return text.substr(0, text.find(line_end)); }

/// Names behind a comment sign directly above the first row, as numpy.savetxt writes them.
Row names_in_comment(std::string_view text, const Dialect& dialect, std::size_t fields) {
  std::string_view above;
  RowScanner scanner(text, '\0', dialect.line_end, 0, 1);
  while (scanner.next()) {
    const std::string_view line = trimmed(scanner.row());
    if (line.empty()) continue;
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
  const bool all_below = std::all_of(division.rows.begin() + static_cast<long>(above), division.rows.end(),
                                     [&](const Row& row) { return row.size() == division.fields; });
  return above > 0 && above <= kMostLinesAbove && above < division.rows.size() && all_below ? above : 0;
}

/// Returns true if the last field of every row behind `first` is empty.
bool last_is_empty(const Division& division, std::size_t first) {
  return division.fields > 1 && first < division.rows.size() &&
         std::all_of(division.rows.begin() + static_cast<long>(first), division.rows.end(),
                     [&](const Row& row) { return row.size() < division.fields || row.back().empty(); });
}

/// The reason why the first row is one field shorter than the others.
enum class ShortRow {
  no,         // it is not, or it is a title
  closed,     // the others end with a separator
  row_names,  // the others begin with a name of the row, all different, as R writes them
  wrong,      // it has names, and the others have one field too many
};

ShortRow short_row(const Division& division, const HeaderHints& hints) {
  const std::vector<Row>& rows = division.rows;
  if (rows.size() < 2 || rows.front().size() + 1 != division.fields || division.fields < 3) return ShortRow::no;
  if (last_is_empty(division, 1)) return ShortRow::closed;
  const Decision second = decide_header(rows[1], Body(rows, 2, division.fields), rows.size() == 2, {});
  if (second.header && !second.is_uncertain) return ShortRow::no;
  std::set<std::string> names;
  const bool differ =
      std::all_of(rows.begin() + 1, rows.end(), [&](const Row& row) { return names.insert(row.front()).second; });
  const bool values = std::ranges::any_of(rows.front(), is_value) ||
                      std::all_of(rows.begin() + 1, rows.end(),
                                  [](const Row& row) { return is_number(row.front()) && !whole_number(row.front()); });
  return differ && !values && (hints.known.empty() || hints.row_names) ? ShortRow::row_names : ShortRow::wrong;
}

/// Lines of the text up to the row with this number among those that are neither blank nor a comment.
std::size_t lines_before_row(std::string_view text, const Dialect& dialect, std::size_t row) {
  RowScanner scanner(text, dialect.separator, dialect.line_end, 0, 1);
  for (std::size_t seen = 0; scanner.next();) {
    const std::string_view line = trimmed(scanner.row());
    if (line.empty() || (!dialect.comment.empty() && line.starts_with(dialect.comment))) continue;
    if (seen++ == row) return scanner.line() - 1;
  }
  return 0;
}

std::string_view without_lines(std::string_view text, std::size_t lines, char line_end) {
  for (; lines > 0 && !text.empty(); --lines) text.remove_prefix(std::min(text.find(line_end), text.size() - 1) + 1);
  return text;
}

}  // namespace

std::string separator_name(char separator) {
  switch (separator) {
    case ',':
      return "comma";
    case ';':
      return "semicolon";
    case '\t':
      return "tab";
    case '|':
      return "pipe";
    default:
      return "blank";
  }
}

Dialect detect_dialect(std::string_view sample, const CsvOptions& options, const HeaderHints& hints,
                       const std::string& origin) {
  Dialect dialect;
  if (sample.find('\n') == std::string_view::npos && sample.find('\r') != std::string_view::npos)
    dialect.line_end = '\r';
  std::optional<char> said;  // by Excel's first line
  std::string_view line = first_line(sample, dialect.line_end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  if (begins_with_word(line, "sep=") && line.size() == 5) {
    said = line.back();
    dialect.lines_above = 1;
  }
  // The first line decides on comments, whether or not it is left out: a second reading finds the same.
  const std::string_view beginning = without_lines(sample, dialect.lines_above, dialect.line_end);
  if (options.lines_above) dialect.lines_above = *options.lines_above;
  std::string_view text = without_lines(sample, dialect.lines_above, dialect.line_end);
  dialect.comment = options.comment;
  if (dialect.comment.empty() && trimmed(beginning).starts_with('#')) dialect.comment = "#";

  // One column of a model: decimal commas separate nothing there.
  const std::string only(trimmed(first_line(text, dialect.line_end)));
  if (options.separator == "auto" && std::ranges::count(hints.known, only) > 0) said = kNoSeparator;

  Division division = options.separator != "auto"
                          ? divide(text, dialect.comment, separator_of(options.separator), dialect.line_end)
                      : said ? divide(text, dialect.comment, *said, dialect.line_end)
                             : best_division(text, dialect.comment, dialect.line_end);
  if (division.rows.empty()) throw DataError(origin + ": no data; expected at least one row");
  dialect.separator = division.separator;

  std::size_t above = options.header == "no" ? 0 : rows_above(division);
  const ShortRow is_short = above == 1 ? short_row(division, hints) : ShortRow::no;
  if (is_short == ShortRow::wrong && !options.lines_above)
    throw DataError(
        fmt::format("{}: {} above rows of {}; expected a name for each (\"lines_above\": 1 passes over a title)",
                    origin, counted(division.rows.front().size(), "name"), counted(division.fields, "field")));
  const bool one_short = is_short == ShortRow::closed || is_short == ShortRow::row_names;
  if (options.lines_above && !one_short) above = 0;
  dialect.closed = last_is_empty(division, one_short ? 1 : above);
  if (dialect.closed && !one_short) {
    const std::vector<Row>& rows = division.rows;
    dialect.closed = rows[above].size() < division.fields || rows[above].back().empty();
  }
  const std::size_t fields = division.fields - (dialect.closed ? 1 : 0);
  std::size_t first = 0;
  if (above > 0 && !one_short) {
    dialect.lines_above += lines_before_row(text, dialect, above);
    first = above;
    text = without_lines(sample, dialect.lines_above, dialect.line_end);
  }
  Row names = division.rows[first];
  if (one_short && !dialect.closed) names.insert(names.begin(), std::string(kRowNames));
  names.resize(std::max(fields, std::min(names.size(), fields)));

  const bool alone = first + 1 >= division.rows.size();
  const Row commented =
      dialect.comment.empty() || options.header == "yes" || one_short ? Row() : names_in_comment(text, dialect, fields);
  Decision decision{options.header == "yes", "the config says it"};
  if (!commented.empty()) {
    decision = {false, "the comment above the first row has the names"};
  } else if (options.header == "auto") {
    decision = one_short ? Decision{true, dialect.closed ? "the first row is one field shorter"
                                                         : "the first row is one field shorter: rows have names"}
                         : decide_header(names, Body(division.rows, first + 1, fields), alone, hints);
  }
  if (options.header == "auto" && alone && decision.header && commented.empty())
    throw DataError(origin + ": names of columns and no row below them; expected at least one row");
  // A model whose file had no names counts the columns, and passes over names.
  const bool passes_over = options.header == "no" && !hints.known.empty() && !alone;
  if (passes_over) {
    const Decision found = decide_header(names, Body(division.rows, first + 1, fields), alone, hints);
    if (found.header && !found.is_uncertain)
      decision = {true, "the names in the first row are passed over: the model has none"};
  }
  dialect.header = decision.header;
  dialect.why = decision.why;
  dialect.is_uncertain = decision.is_uncertain;
  dialect.row_names = one_short && !dialect.closed;
  for (std::size_t j = 0; j < fields; ++j) {
    const std::string name = !commented.empty() ? commented[j] : dialect.header && !passes_over ? names[j] : "";
    dialect.names.push_back(name.empty() ? "column" + std::to_string(j + 1) : name);
  }
  return dialect;
}

}  // namespace elmx
