#include "data/csv/csv.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/files/sha256.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/content/text_in_utf8.hpp"
#include "data/csv/fields.hpp"
#include "data/values/text.hpp"

namespace elmx {

/// Counts of rows, and of rows that cannot be used.
struct RowCounts {
  std::size_t rows = 0;
  std::size_t ragged = 0, ragged_line = 0, ragged_fields = 0;
  std::size_t empty = 0, empty_line = 0;
  std::vector<std::size_t> gaps = {};  // empty rows, each by the number of rows before it

  void add(const RowCounts& other) {
    for (const std::size_t gap : other.gaps) gaps.push_back(rows + gap);
    if (ragged == 0) {
      ragged_line = other.ragged_line;
      ragged_fields = other.ragged_fields;
    }
    if (empty == 0) empty_line = other.empty_line;
    rows += other.rows;
    ragged += other.ragged;
    empty += other.empty;
  }
};

namespace {

constexpr std::size_t kSample = std::size_t(1) << 20;
constexpr std::size_t kWindow = std::size_t(4) << 20;  // of text, for each thread
constexpr std::size_t kPart = std::size_t(1) << 20;    // that a thread takes at once
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Splits text into rows and puts their fields into blocks of columns.
class RowParser {
 public:
  RowParser(const Dialect& dialect, const std::vector<ColumnTexts>& columns, bool keeps_empty_rows)
      : dialect_(dialect),
        expected_(columns.size()),
        in_row_(expected_ + (dialect.closed ? 1 : 0)),
        keeps_empty_rows_(keeps_empty_rows || expected_ == 1) {
    for (const ColumnTexts& column : columns) blocks.push_back(column.block());
  }

  /// Parses whole rows. first_line: number of the first line. Returns the number of the line behind them.
  std::size_t parse(std::string_view text, std::size_t first_line) {
    if (text.find('"') == std::string_view::npos && dialect_.separator != ' ') return parse_plain(text, first_line);
    RowScanner scanner(text, dialect_.separator, dialect_.line_end, in_row_, first_line);
    while (scanner.next()) {
      const std::string_view content = trimmed(scanner.row());
      if (content.empty())
        blank_line(scanner.line());
      else if (!is_comment(content))
        add_row(scanner.fields(), scanner.line());
    }
    return scanner.next_line();
  }

  std::vector<ColumnBlock> blocks;
  RowCounts counts;

 private:
  bool is_comment(std::string_view content) const {
    return !dialect_.comment.empty() && content.starts_with(dialect_.comment);
  }

  /// Parses text without quotes, where every line is a row.
  std::size_t parse_plain(std::string_view text, std::size_t line) {
    std::vector<std::string_view> fields;
    for (; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find(dialect_.line_end), text.size());
      std::string_view row = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      fields.clear();
      while (true) {
        const void* found = std::memchr(row.data(), dialect_.separator, row.size());
        const std::size_t width =
            found ? static_cast<std::size_t>(static_cast<const char*>(found) - row.data()) : row.size();
        fields.push_back(trimmed(row.substr(0, width)));
        if (!found) break;
        row.remove_prefix(width + 1);
      }
      if (fields.size() == 1 && fields.front().empty())
        blank_line(line);
      else if (!is_comment(fields.front()))
        add_row(fields, line);
    }
    return line;
  }

  void blank_line(std::size_t line) {
    if (expected_ == 1) empty_row(line);
  }

  /// Rows without a value are left out at the end of a file, and elsewhere too unless each row counts.
  void empty_row(std::size_t line) {
    if (pending_++ == 0) pending_line_ = line;
  }

  void add_pending() {
    if (pending_ == 0) return;
    if (keeps_empty_rows_) {
      for (std::size_t i = 0; i < pending_; ++i) {
        for (ColumnBlock& block : blocks) block.add("", pending_line_ + i);
      }
      counts.rows += pending_;
    } else {
      counts.add(left_over());
    }
    pending_ = 0;
  }

  void add_row(const std::vector<std::string_view>& fields, std::size_t line) {
    const std::size_t count = fields.size();
    if (std::ranges::all_of(fields, &std::string_view::empty)) return empty_row(line);
    const bool closed = count == expected_ + 1 && fields.back().empty();
    if (count != expected_ && !closed) {
      if (counts.ragged++ == 0) {
        counts.ragged_line = line;
        counts.ragged_fields = count;
      }
      return;
    }
    add_pending();
    for (std::size_t j = 0; j < expected_; ++j) blocks[j].add(fields[j], line);
    ++counts.rows;
  }

 public:
  /// Begins with the rows that the window before left over.
  void wait_with(const RowCounts& rows) {
    pending_ = rows.empty;
    pending_line_ = rows.empty_line;
  }

  /// Rows without a value that no other row followed.
  RowCounts left_over() const {
    return {.empty = pending_, .empty_line = pending_line_, .gaps = std::vector<std::size_t>(pending_, 0)};
  }

 private:
  const Dialect& dialect_;
  std::size_t expected_, in_row_;
  bool keeps_empty_rows_;
  std::size_t pending_ = 0, pending_line_ = 0;
};

/// The bytes of a content in consecutive windows, in memory or from a file.
class Windows {
 public:
  explicit Windows(const Content& content) : content_(content) {}

  std::size_t size() const { return content_.file ? content_.file->size() : content_.bytes.size(); }

  /// Bytes from `begin` on; those of the last window that are wanted again are kept.
  std::string_view load(std::size_t begin, std::size_t count) {
    count = std::min(count, size() - begin);
    if (!content_.file) return std::string_view(content_.bytes).substr(begin, count);
    const std::size_t kept = begin < end_ ? end_ - begin : 0;
    std::memmove(buffer_.data(), buffer_.data() + buffer_.size() - kept, kept);
    buffer_.resize(count);
    content_.file->read(begin + kept, count - kept, buffer_.data() + kept);
    fresh_ = std::string_view(buffer_).substr(kept);
    end_ = begin + count;
    return buffer_;
  }

  /// Bytes of the last window that were in none before.
  std::string_view fresh() const { return content_.file ? fresh_ : std::string_view(); }

 private:
  const Content& content_;
  std::string buffer_;
  std::string_view fresh_;
  std::size_t end_ = 0;
};

/// The text up to its last line end.
std::string_view last_whole_line(std::string_view text) { return text.substr(0, text.find_last_of("\n\r") + 1); }

/// Ends of consecutive parts of `text`, each of whole rows and of at least `least` bytes. last: the text ends
/// here.
std::vector<std::size_t> part_ends(std::string_view text, std::size_t least, bool last, const Dialect& dialect,
                                   std::size_t fields) {
  std::vector<std::size_t> ends;
  const std::size_t whole = last ? text.size() : text.rfind(dialect.line_end) + 1;
  if (text.find('"') == std::string_view::npos) {
    for (std::size_t begin = 0; begin < whole;) {
      const std::size_t end = begin + least < whole ? text.find(dialect.line_end, begin + least) : text.npos;
      ends.push_back(begin = end < whole ? end + 1 : whole);
    }
    return ends;
  }
  RowScanner scanner(text.substr(0, whole), dialect.separator, dialect.line_end, fields, 1);
  std::size_t begin = 0, end = 0;
  while (scanner.next()) {
    if (scanner.reached_end() && !last) break;
    end = whole - scanner.rest().size();
    if (end - begin < least) continue;
    ends.push_back(begin = end);
  }
  if (end > begin) ends.push_back(end);
  return ends;
}

/// The first exception of a parallel region, which none may leave.
class KeptError {
 public:
  template <class F>
  void keep(const F& f) noexcept {
    try {
      f();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

void add_to_table(std::vector<RowParser>& parsers, TextTable& table, RowCounts& counts) {
  const auto columns = static_cast<long>(table.texts.size());
  KeptError error;
#pragma omp parallel for schedule(dynamic, 1)
  for (long c = 0; c < columns; ++c) {
    error.keep([&] {
      const auto j = static_cast<std::size_t>(c);
      for (RowParser& parser : parsers) table.texts[j].append(std::move(parser.blocks[j]));
    });
  }
  error.rethrow();
  for (std::size_t p = 0; p < parsers.size(); ++p) {
    counts.add(parsers[p].counts);
    if (p + 1 < parsers.size()) counts.add(parsers[p].left_over());
  }
}

std::vector<ColumnTexts> texts_for(const std::vector<RawColumn>& columns) {
  std::vector<ColumnTexts> texts;
  for (const RawColumn& column : columns)
    texts.emplace_back(column.keeps_texts(), column.role == Role::dropped, column.spelling);
  return texts;
}

std::size_t count_lines(std::string_view text, char line_end) {
  return static_cast<std::size_t>(std::ranges::count(text, line_end));
}

}  // namespace

CsvFile::CsvFile(Content content, const CsvOptions& options, const TableOptions& table)
    : content_(std::move(content)), options_(options), keeps_empty_rows_(table.known != nullptr) {
  if (content_.file && !is_utf8(last_whole_line(content_.file->head(kSample)))) {
    content_.bytes = content_.file->head(content_.file->size());
    content_.sha256 = elmx::sha256(content_.bytes);
    content_.file.reset();
  }
  if (!content_.file) encoding_ = make_utf8(content_);
  HeaderHints hints{table.target, {}};
  for (const auto* list : {&table.drop, &table.nominal})
    hints.names.insert(hints.names.end(), list->begin(), list->end());
  if (!table.split.name.empty()) hints.names.push_back(table.split.name);
  if (table.known) {
    for (const KnownColumn& column : table.known->columns) {
      if (column.role == "input") hints.known.push_back(column.name);
    }
  }
  Windows windows(content_);
  std::string_view sample = windows.load(0, std::min(kSample, windows.size()));
  if (sample.size() < windows.size()) {
    const std::size_t end = sample.find_last_of("\n\r");
    if (end == std::string_view::npos)
      throw DataError(fmt::format("{}: no line end in its first {}", content_.origin,
                                  show_bytes(static_cast<double>(sample.size()))));
    sample = sample.substr(0, end + 1);
  }
  if (sample.starts_with(kByteOrderMark)) sample.remove_prefix(kByteOrderMark.size());
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
    Spelling spelling{'.', ',', "", ""};
    if (options_.decimal == "comma") spelling = {',', '.', "", ""};
    if (options_.thousands)
      spelling.thousands = *options_.thousands == "blank"        ? ' '
                           : *options_.thousands == "apostrophe" ? '\''
                           : *options_.thousands == "none"       ? '\0'
                           : *options_.thousands == "comma"      ? ','
                                                                 : '.';
    columns[j].spelling = spelling;
    columns[j].spelling_is_known = true;
  }
  return columns;
}

/// Bytes in front of the first row: a byte order mark, lines above the table, the names. `line` becomes that
/// of the row.
std::size_t CsvFile::bytes_above(std::string_view text, std::size_t& line) const {
  std::size_t skipped = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::size_t i = 0; i < dialect_.lines_above; ++i, ++line)
    skipped = std::min(text.find(dialect_.line_end, skipped), text.size() - 1) + 1;
  if (!dialect_.header) return skipped;
  RowScanner scanner(text.substr(skipped), dialect_.separator, dialect_.line_end, 0, line);
  while (scanner.next()) {
    const std::string_view content = trimmed(scanner.row());
    if (!content.empty() && (dialect_.comment.empty() || !content.starts_with(dialect_.comment))) break;
  }
  line = scanner.next_line();
  return text.size() - scanner.rest().size();
}

TextTable CsvFile::read(std::vector<RawColumn> columns) {
  std::vector<ColumnTexts> texts = texts_for(columns);
  TextTable table = pass(std::move(columns), std::move(texts), nullptr);
  content_.bytes = std::string();
  return table;
}

TextTable CsvFile::summarise(std::vector<RawColumn> columns) {
  std::vector<ColumnTexts> texts = texts_for(columns);
  return pass(std::move(columns), std::move(texts), [](TextTable& window) {
    for (ColumnTexts& column : window.texts) column.forget_rows();
  });
}

void CsvFile::read_windows(const std::vector<RawColumn>& columns, const std::vector<ColumnTexts>& summary,
                           const std::function<void(TextTable)>& visit) {
  std::vector<ColumnTexts> empty;
  for (const ColumnTexts& column : summary) empty.push_back(column.without_rows());
  pass(columns, empty, [&](TextTable& window) {
    TextTable rows = std::move(window);
    window.origin = rows.origin;
    window.columns = columns;
    window.texts = empty;
    if (rows.rows > 0) visit(std::move(rows));
  });
}

TextTable CsvFile::pass(std::vector<RawColumn> columns, std::vector<ColumnTexts> texts,
                        const std::function<void(TextTable&)>& after_window) {
  TextTable table;
  table.origin = content_.origin;
  table.texts = std::move(texts);
  table.columns = std::move(columns);
  const std::size_t column_count = table.columns.size(), fields = column_count + (dialect_.closed ? 1 : 0);
  const std::size_t threads = std::max(1, omp_get_max_threads()), at_once = threads * kWindow;
  // Where empty rows count, rows stay in one part: they count only if another row follows.
  const bool in_parts = !keeps_empty_rows_ && column_count > 1;

  Windows windows(content_);
  Sha256 sum;
  RowCounts counts, waiting;               // waiting: empty rows at the end of the last window
  std::size_t line = 1, wanted = kSample;  // the first rows show which columns are numbers
  for (std::size_t begin = 0; begin < windows.size();) {
    const std::string_view text = windows.load(begin, wanted), fresh = windows.fresh();
    const bool last = begin + text.size() == windows.size();
    std::size_t first_of_window = line;
    const std::size_t skipped = begin == 0 ? bytes_above(text, first_of_window) : 0;
    const std::string_view rows = text.substr(skipped);
    const std::size_t least = in_parts ? std::min(kPart, rows.size() / threads + 1) : rows.size();
    const std::vector<std::size_t> ends = part_ends(rows, least, last, dialect_, fields);
    if (ends.empty() && !last) {  // a row longer than the window
      wanted *= 2;
      refuse_beyond_memory(content_.origin, "a row", static_cast<double>(wanted));
      sum.add(fresh.data(), fresh.size());
      continue;
    }
    line = first_of_window;
    std::vector<RowParser> parsers(ends.size(), RowParser(dialect_, table.texts, keeps_empty_rows_));
    if (!parsers.empty()) parsers.front().wait_with(waiting);
    std::vector<std::string_view> parts;
    std::vector<std::size_t> first_lines;
    for (std::size_t p = 0; p < ends.size(); ++p) {
      const std::size_t from = p == 0 ? 0 : ends[p - 1];
      parts.push_back(rows.substr(from, ends[p] - from));
      first_lines.push_back(line);
      line += count_lines(parts.back(), dialect_.line_end);
    }
    KeptError error;
#pragma omp parallel for schedule(dynamic, 1)
    for (long k = -1; k < static_cast<long>(ends.size()); ++k) {
      error.keep([&] {
        const auto p = static_cast<std::size_t>(k);
        if (k < 0)
          sum.add(fresh.data(), fresh.size());
        else
          parsers[p].parse(parts[p], first_lines[p]);
      });
    }
    error.rethrow();
    const std::size_t rows_before = counts.rows;
    add_to_table(parsers, table, counts);
    if (!parsers.empty()) waiting = parsers.back().left_over();
    if (in_parts || last) counts.add(std::exchange(waiting, {}));
    begin += skipped + (ends.empty() ? rows.size() : ends.back());
    if (after_window) {
      table.rows = counts.rows - rows_before;
      after_window(table);
    } else if (!last && counts.rows > 0 && begin < at_once) {
      const double share = static_cast<double>(windows.size()) / static_cast<double>(begin);
      const auto likely = static_cast<std::size_t>(1.02 * share * static_cast<double>(counts.rows));
      refuse_beyond_memory(content_.origin, "its table (elmx data convert makes an array that is read in blocks)",
                           8.0 * static_cast<double>(likely * column_count));
      for (ColumnTexts& column : table.texts) column.reserve(likely);
    }
    wanted = at_once;
  }
  if (content_.file) content_.sha256 = sum.digits();
  if (counts.ragged > 0)
    throw DataError(fmt::format("{}:{}: expected {}, found {}{}", content_.origin, counts.ragged_line,
                                counted(column_count, "field"), counts.ragged_fields,
                                counts.ragged > 1 ? fmt::format(" ({} more such rows)", counts.ragged - 1) : ""));
  table.rows = counts.rows;
  table.gaps = counts.gaps;
  report(counts, table.report);
  return table;
}

void CsvFile::report(const RowCounts& counts, ReadReport& report) const {
  report.name = content_.origin;
  report.text =
      fmt::format("{}{}", dialect_.names.size() == 1 ? "one column" : separator_name(dialect_.separator) + "-separated",
                  encoding_.empty() ? "" : ", read as " + encoding_);
  report.dialect["separator"] = separator_name(dialect_.separator);
  report.dialect["header"] = dialect_.header ? "yes" : "no";
  if (!dialect_.comment.empty()) report.dialect["comment"] = dialect_.comment;
  if (dialect_.lines_above > 0) report.dialect["lines_above"] = dialect_.lines_above;
  report.header =
      fmt::format("{}: {}", dialect_.header ? "names in the first row" : "no names in the first row", dialect_.why);
  if (dialect_.is_uncertain)
    report.notes.push_back(dialect_.header ? "the first row may be values: \"header\": \"no\" reads it as such"
                                           : "the first row may be names: \"header\": \"yes\" reads it as such");
  if (dialect_.lines_above > 0) report.rows_left_out.push_back({"lines above the table", dialect_.lines_above, 1});
  if (counts.empty > 0) report.rows_left_out.push_back({"every field is empty", counts.empty, counts.empty_line});
}

}  // namespace elmx
