#include "data/csv/csv.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/files/sha256.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/csv/fields.hpp"
#include "data/table/infer.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kSample = std::size_t(1) << 20;
constexpr std::size_t kWindow = std::size_t(4) << 20;  // of text, for each thread
constexpr std::size_t kPart = std::size_t(1) << 20;    // that a thread takes at once
constexpr std::size_t kLongestRow = std::size_t(256) << 20;
constexpr std::size_t kLongestInMessage = 40;

/// Counts of rows, and of rows that cannot be used.
struct RowCounts {
  std::size_t rows = 0;
  std::size_t ragged = 0, ragged_line = 0;
  std::string ragged_row = {};  // the first one, in a message
  std::size_t empty_line = 0;
  std::vector<std::size_t> gaps = {};  // empty rows, each by the number of rows before it

  void leave_out(std::size_t line) {
    if (gaps.empty()) empty_line = line;
    gaps.push_back(rows);
  }

  /// lines_before: lines of the file above the other rows.
  void add(const RowCounts& other, std::size_t lines_before) {
    if (gaps.empty()) empty_line = lines_before + other.empty_line;
    for (const std::size_t gap : other.gaps) gaps.push_back(rows + gap);
    if (ragged == 0) {
      ragged_line = lines_before + other.ragged_line;
      ragged_row = other.ragged_row;
    }
    rows += other.rows;
    ragged += other.ragged;
  }
};

/// Splits whole rows of text, and puts their fields into blocks of columns. Lines count from 1 in each text.
class RowParser {
 public:
  RowParser(const Dialect& dialect, std::size_t columns, bool keeps_empty_rows)
      : blocks(columns),
        dialect_(dialect),
        in_row_(columns + (dialect.closed ? 1 : 0)),
        keeps_empty_rows_(keeps_empty_rows || columns == 1),
        empty_(std::string(" \t\r\v\f") + dialect.separator) {}

  /// Begins the next text. Rows without a value at the end of the last one still wait for a row.
  void begin(const std::vector<ColumnTexts>& columns) {
    for (std::size_t j = 0; j < blocks.size(); ++j) columns[j].begin(blocks[j]);
    counts = {};
    for (std::size_t& line : pending_) line -= lines;  // modulo 2^64, and so is every sum of lines
  }

  /// last: the text ends the file.
  void parse(std::string_view text, bool last) {
    RowScanner scanner(text, dialect_.separator, dialect_.line_end, in_row_, 1);
    while (scanner.next()) {
      const std::string_view row = scanner.row();
      if (row.find_first_not_of(empty_) == std::string_view::npos) {
        if (blocks.size() == 1 || row.find(dialect_.separator) != std::string_view::npos)
          pending_.push_back(scanner.line());
        continue;
      }
      if (!dialect_.comment.empty() && !is_content(row, dialect_.comment)) continue;
      const bool plain = dialect_.separator != ' ' && !scanner.has_quotes();
      if (!plain && std::ranges::all_of(scanner.fields(), &std::string_view::empty)) {
        pending_.push_back(scanner.line());
        continue;
      }
      end_pending(keeps_empty_rows_);
      const std::size_t fields = plain ? add_plain(row, scanner.line()) : add_fields(scanner.fields(), scanner.line());
      if (fields != blocks.size() && counts.ragged++ == 0) {
        counts.ragged_line = scanner.line();
        counts.ragged_row = fmt::format("{} in \"{}\"", fields, printable(row, kLongestInMessage));
      }
      ++counts.rows;
    }
    if (last || !keeps_empty_rows_) end_pending(false);
    lines = scanner.last_line();
  }

  std::vector<ColumnBlock> blocks;
  RowCounts counts;
  std::size_t lines = 0;  ///< of the text

 private:
  /// Rows without a value are left out at the end of a file, and elsewhere too unless each row counts.
  void end_pending(bool keep) {
    for (const std::size_t line : pending_) {
      if (!keep) {
        counts.leave_out(line);
        continue;
      }
      add_fields(std::vector<std::string_view>(blocks.size()), line);
      ++counts.rows;
    }
    pending_.clear();
  }

  /// Adds the fields of a row without quotes. Returns their number, less an empty one behind all columns.
  std::size_t add_plain(std::string_view row, std::size_t line) {
    for (std::size_t j = 0;; ++j) {
      const std::size_t width = j < blocks.size() ? blocks[j].add_front(row, dialect_.separator, line)
                                                  : std::min(row.find(dialect_.separator), row.size());
      const bool last = width == row.size();
      if (last && j == blocks.size() && trimmed(row).empty()) return j;
      if (last) return fill_up(j + 1, line);
      row.remove_prefix(width + 1);
    }
  }

  /// Adds the fields of a row. Returns their number, less an empty one behind all columns.
  std::size_t add_fields(const std::vector<std::string_view>& fields, std::size_t line) {
    for (std::size_t j = 0; j < std::min(fields.size(), blocks.size()); ++j) blocks[j].add(fields[j], line);
    return fields.size() == blocks.size() + 1 && fields.back().empty() ? blocks.size() : fill_up(fields.size(), line);
  }

  /// Fills up a row that is too short; the file will be refused.
  std::size_t fill_up(std::size_t fields, std::size_t line) {
    for (std::size_t j = fields; j < blocks.size(); ++j) blocks[j].add("", line);
    return fields;
  }

  const Dialect& dialect_;
  std::size_t in_row_;
  bool keeps_empty_rows_;
  std::string empty_;                 // characters of a row without a value
  std::vector<std::size_t> pending_;  // lines of rows without a value that no other row has followed yet
};

/// Returns the text up to its last line end.
std::string_view whole_lines(std::string_view text) { return text.substr(0, text.find_last_of("\n\r") + 1); }

/// Cuts `text` into consecutive parts of whole rows with at least `least` bytes. last: the text ends here.
std::vector<std::string_view> parts_of(std::string_view text, std::size_t least, bool last, const Dialect& dialect,
                                       std::size_t fields) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0, end = 0;
  const auto take = [&] {
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end;
  };
  if (!last) text = text.substr(0, text.rfind(dialect.line_end) + 1);
  if (text.find('"') == std::string_view::npos) {
    for (; begin < text.size(); take())
      end = std::min(text.find(dialect.line_end, std::min(begin + least, text.size())), text.size() - 1) + 1;
    return parts;
  }
  RowScanner scanner(text, dialect.separator, dialect.line_end, fields, 1);
  while (scanner.next() && (last || !scanner.reached_end())) {
    end = text.size() - scanner.rest().size();
    if (end - begin >= least) take();
  }
  take();
  return parts;
}

char mark_named(const std::string& name) {
  static const std::map<std::string, char> marks{
      {"point", '.'}, {"comma", ','}, {"blank", ' '}, {"apostrophe", '\''}, {"none", '\0'}};
  return marks.at(name);
}

/// Calls f(k) for k in [0, count) on all threads. At the end, rethrows the exception of the smallest k, if
/// any.
template <class F>
void in_parallel(std::size_t count, const F& f) {
  std::exception_ptr error;
  std::size_t failed = count;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t k = 0; k < count; ++k) {
    try {
      f(k);
    } catch (...) {
#pragma omp critical
      if (k < failed) {
        failed = k;
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

ReadReport report_of(const Dialect& dialect, const std::string& encoding, const RowCounts& counts) {
  ReadReport report;
  report.text =
      fmt::format("{}{}", dialect.names.size() == 1 ? "one column" : separator_name(dialect.separator) + "-separated",
                  encoding.empty() ? "" : ", read as " + encoding);
  report.dialect["separator"] = separator_name(dialect.separator);
  report.dialect["header"] = dialect.header ? "yes" : "no";
  if (!dialect.comment.empty()) report.dialect["comment"] = dialect.comment;
  if (dialect.lines_above > 0) report.dialect["lines_above"] = dialect.lines_above;
  report.header =
      fmt::format("{}: {}", dialect.header ? "names in the first row" : "no names in the first row", dialect.why);
  if (dialect.is_uncertain)
    report.notes.push_back(dialect.header ? "the first row may be values (then set data.header to \"no\")"
                                          : "the first row may be names (then set data.header to \"yes\")");
  if (dialect.row_names)
    report.notes.push_back(fmt::format("the header has {} for {}; the first field of each row is read as its name",
                                       counted(dialect.names.size() - 1, "name"),
                                       counted(dialect.names.size(), "field")));
  if (dialect.units_line > 0) {
    report.rows_left_out.push_back({"units of the columns", 1, dialect.units_line});
    report.notes.push_back(
        fmt::format("line {} is left out as a row of units; if it has the names, set data.lines_above to {}",
                    dialect.units_line, dialect.units_line - 1));
  }
  if (dialect.lines_above > 0) report.rows_left_out.push_back({"lines above the table", dialect.lines_above, 1});
  if (!counts.gaps.empty())
    report.rows_left_out.push_back({"every field is empty", counts.gaps.size(), counts.empty_line});
  return report;
}

}  // namespace

void CsvOptions::fields(FieldVisitor& field) {
  field("separator", separator, "delimited text: the separator of the fields",
        one_of({"auto", "comma", "semicolon", "tab", "pipe", "blank"}));
  field("header", header, "delimited text: whether the first line names the columns", one_of({"auto", "yes", "no"}));
  field("comment", comment, "delimited text: lines that begin with this text are skipped; \"\": no lines");
  field("decimal", decimal,
        "delimited text: the decimal mark of numbers; by default the mark is found from the values of each column",
        one_of({"point", "comma"}));
  field("thousands", thousands,
        "delimited text: the mark between thousands, if \"decimal\" is given (by default the other one of point and "
        "comma)",
        one_of({"point", "comma", "blank", "apostrophe", "none"}));
  field("date_order", date_order, "delimited text: whether the day or the month comes first in dates such as 3/4/2024",
        one_of({"day_first", "month_first"}));
  field("lines_above", lines_above, "delimited text: number of lines to leave out above the names or the first row");
  field("missing_values", missing_values,
        "delimited text, arff, keel: texts that mean a missing value in every column, in addition to an empty field");
}

CsvFile::CsvFile(Content content, const CsvOptions& options, const TableOptions& table)
    : content_(std::move(content)), options_(options), keeps_empty_rows_(table.known != nullptr) {
  if (content_.file && !is_utf8(whole_lines(content_.head(kSample)))) {
    content_.read_into_memory();
    content_.sha256 = sha256(content_.bytes);
  }
  if (!content_.file) encoding_ = make_utf8(content_);
  HeaderHints hints{table.target, {}};
  for (const auto* list : {&table.drop, &table.nominal})
    hints.names.insert(hints.names.end(), list->begin(), list->end());
  if (!table.split.name.empty()) hints.names.push_back(table.split.name);
  if (table.known) {
    for (const KnownColumn& column : table.known->columns) {
      if (column.role == "input") hints.known.push_back(column.name);
      hints.row_names = hints.row_names || column.name == kRowNames;
    }
  }
  std::string sample = content_.head(kSample);
  if (sample.size() < content_.size()) {
    const double bytes = static_cast<double>(sample.size());
    sample.resize(whole_lines(sample).size());
    if (sample.empty())
      throw DataError(
          content_.origin,
          fmt::format("expected the end of a line within the first {}; use a text file with one row per line",
                      show_bytes(bytes)));
  }
  dialect_ = detect_dialect(sample, options_, hints, content_.origin);
}

std::vector<RawColumn> CsvFile::columns() const {
  std::vector<RawColumn> columns(dialect_.names.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j].name = dialect_.names[j];
    if (dialect_.row_names && j == 0) columns[j].role = Role::dropped;
    if (options_.date_order)
      columns[j].order = *options_.date_order == "month_first" ? DateOrder::month_first : DateOrder::day_first;
    if (!options_.decimal) continue;
    Spelling& spelling = columns[j].spelling.emplace();
    spelling.decimal = mark_named(*options_.decimal);
    spelling.thousands = options_.thousands ? mark_named(*options_.thousands) : spelling.decimal == '.' ? ',' : '.';
    columns[j].spelling_is_known = true;
  }
  return columns;
}

RawTable CsvFile::read(std::vector<RawColumn> columns) {
  std::vector<ColumnTexts> texts = empty_texts(columns);
  RawTable table = pass(std::move(columns), std::move(texts), nullptr);
  content_.bytes = std::string();
  return table;
}

RawTable CsvFile::summarise(std::vector<RawColumn> columns) {
  std::vector<ColumnTexts> texts = empty_texts(columns);
  return pass(std::move(columns), std::move(texts), [](RawTable& window) {
    for (ColumnTexts& column : window.texts) column.forget_rows();
  });
}

void CsvFile::read_windows(const std::vector<RawColumn>& columns, const std::vector<ColumnTexts>& empty,
                           const std::function<void(RawTable)>& visit) {
  pass(columns, empty, [&](RawTable& window) {
    RawTable rows = std::move(window);
    window.origin = rows.origin;
    window.columns = columns;
    window.texts = empty;
    if (rows.rows > 0) visit(std::move(rows));
  });
}

RawTable CsvFile::pass(std::vector<RawColumn> columns, std::vector<ColumnTexts> texts,
                       const std::function<void(RawTable&)>& after_window) {
  RawTable table;
  table.origin = content_.origin;
  table.columns = std::move(columns);
  table.texts = std::move(texts);
  const std::size_t column_count = table.columns.size(), fields = column_count + (dialect_.closed ? 1 : 0);
  const std::size_t threads = std::max(1, omp_get_max_threads()), at_once = threads * kWindow;
  // Where empty rows count, rows stay in one part: they count only if another row follows.
  const bool in_parts = !keeps_empty_rows_ && column_count > 1;

  Sha256 sum;
  RowCounts counts;
  std::vector<RowParser> parsers;  // one for each part of a window; they keep their memory
  std::string buffer;              // a window of a file on the disk
  std::size_t lines = dialect_.lines_above_rows;
  std::size_t wanted = kSample;  // the first rows show which columns are numbers
  for (std::size_t begin = 0; begin < content_.size();) {
    const std::size_t count = std::min(wanted, content_.size() - begin),
                      skipped = begin == 0 ? dialect_.bytes_above_rows : 0;
    if (content_.file) {
      buffer.resize(count);
      content_.read(begin, count, buffer.data());
    }
    const std::string_view text = content_.file ? buffer : std::string_view(content_.bytes).substr(begin, count);
    const bool last = begin + count == content_.size();
    const std::size_t least = in_parts ? std::min(kPart, (count - skipped) / threads + 1) : count;
    const std::vector<std::string_view> parts = parts_of(text.substr(skipped), least, last, dialect_, fields);
    if (parts.empty() && !last) {  // a row longer than the window
      if (wanted >= kLongestRow)
        throw DataError(fmt::format("{}:{}", content_.origin, lines + 1),
                        fmt::format("this row has more than {}; use a text file with one row per line",
                                    show_bytes(static_cast<double>(wanted))));
      wanted *= 2;
      refuse_beyond_memory(content_.origin, "a row", static_cast<double>(wanted));
      continue;
    }
    const std::size_t done = last ? count : static_cast<std::size_t>(parts.back().end() - text.begin());
    while (parsers.size() < parts.size()) parsers.emplace_back(dialect_, column_count, keeps_empty_rows_);
    for (std::size_t p = 0; p < parts.size(); ++p) parsers[p].begin(table.texts);
    in_parallel(parts.size() + 1, [&](std::size_t k) {
      if (k > 0)
        parsers[k - 1].parse(parts[k - 1], last);
      else if (content_.file)
        sum.add(text.data(), done);
    });

    const std::size_t rows_before = counts.rows;
    std::vector<std::size_t> lines_before;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      counts.add(parsers[p].counts, lines);
      lines_before.push_back(lines);
      lines += parsers[p].lines;
    }
    in_parallel(column_count, [&](std::size_t j) {
      for (std::size_t p = 0; p < parts.size(); ++p) table.texts[j].append(parsers[p].blocks[j], lines_before[p]);
    });
    begin += done;
    if (after_window) {
      table.rows = counts.rows - rows_before;
      after_window(table);
    } else if (!last && counts.rows > 0 && begin < at_once) {
      const double share = static_cast<double>(content_.size()) / static_cast<double>(begin);
      const auto likely = static_cast<std::size_t>(1.02 * share * static_cast<double>(counts.rows));
      refuse_beyond_memory(content_.origin, "its table (elmx data convert makes an array that is read in blocks)",
                           8.0 * static_cast<double>(likely * column_count));
      for (ColumnTexts& column : table.texts) column.reserve(likely);
    }
    wanted = at_once;
  }
  table.sha256 = content_.file ? sum.digits() : content_.sha256;
  if (counts.ragged > 0)
    throw DataError(fmt::format("{}:{}", content_.origin, counts.ragged_line),
                    fmt::format("expected {}, found {}{}; correct the line or remove it",
                                counted(column_count, "field"), counts.ragged_row,
                                counts.ragged > 1 ? fmt::format(" ({} more such rows)", counts.ragged - 1) : ""));
  table.rows = counts.rows;
  table.gaps = counts.gaps;
  table.report = report_of(dialect_, encoding_, counts);
  table.report.name = content_.origin;
  return table;
}

RawTable read_delimited(Content content, const CsvOptions& options, const TableOptions& table) {
  CsvFile file(std::move(content), options, table);
  std::vector<RawColumn> columns = file.columns();
  assign_roles(columns, table);
  RawTable read = file.read(std::move(columns));
  infer_columns(read, table);
  return read;
}

}  // namespace elmx
