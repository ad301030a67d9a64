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
  std::string ragged_row = {};
  std::size_t empty = 0, empty_line = 0;
  std::vector<std::size_t> gaps = {};  // empty rows, each by the number of rows before it

  /// lines_before: lines of the file above the other rows.
  void add(const RowCounts& other, std::size_t lines_before) {
    for (const std::size_t gap : other.gaps) gaps.push_back(rows + gap);
    if (ragged == 0) {
      ragged_line = lines_before + other.ragged_line;
      ragged_fields = other.ragged_fields;
      ragged_row = other.ragged_row;
    }
    if (empty == 0) empty_line = lines_before + other.empty_line;
    rows += other.rows;
    ragged += other.ragged;
    empty += other.empty;
  }
};

namespace {

constexpr std::size_t kSample = std::size_t(1) << 20;
constexpr std::size_t kWindow = std::size_t(4) << 20;  // of text, for each thread
constexpr std::size_t kPart = std::size_t(1) << 20;    // that a thread takes at once
constexpr std::size_t kLongestRow = 40;                // in a message
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

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

  void parse(std::string_view text) {
    RowScanner scanner(text, dialect_.separator, dialect_.line_end, in_row_, 1);
    while (scanner.next()) {
      const std::string_view row = scanner.row();
      if (row.find_first_not_of(empty_) == std::string_view::npos) {
        if (blocks.size() == 1 || row.find(dialect_.separator) != std::string_view::npos)
          pending_.push_back(scanner.line());
        continue;
      }
      if (!dialect_.comment.empty() && trimmed(row).starts_with(dialect_.comment)) continue;
      const bool plain = dialect_.separator != ' ' && row.find('"') == std::string_view::npos;
      if (!plain && std::ranges::all_of(scanner.fields(), &std::string_view::empty)) {
        pending_.push_back(scanner.line());
        continue;
      }
      add_pending();
      const std::size_t fields = plain ? add_plain(row, scanner.line()) : add_fields(scanner.fields(), scanner.line());
      if (fields != blocks.size() && counts.ragged++ == 0) {
        counts.ragged_line = scanner.line();
        counts.ragged_fields = fields;
        counts.ragged_row = printable(row, kLongestRow);
      }
      ++counts.rows;
    }
    lines = scanner.next_line() - 1;
  }

  /// Gives up the rows without a value that no other row followed.
  RowCounts take_left_over() {
    RowCounts left;
    left.empty = pending_.size();
    left.empty_line = pending_.empty() ? 0 : pending_.front();
    left.gaps.assign(pending_.size(), 0);
    pending_.clear();
    return left;
  }

  std::vector<ColumnBlock> blocks;
  RowCounts counts;
  std::size_t lines = 0;  ///< of the text

 private:
  /// Rows without a value are left out at the end of a file, and elsewhere too unless each row counts.
  void add_pending() {
    if (!keeps_empty_rows_) return counts.add(take_left_over(), 0);
    for (const std::size_t line : pending_) add_fields(std::vector<std::string_view>(blocks.size()), line);
    counts.rows += pending_.size();
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

/// Consecutive parts of `text`, each of whole rows and of at least `least` bytes. last: the text ends here.
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

/// Runs f(k) for k in [0, count) on all threads.
template <class F>
void in_parallel(std::size_t count, const F& f) {
  KeptError error;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t k = 0; k < count; ++k) error.keep([&] { f(k); });
  error.rethrow();
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
      hints.row_names = hints.row_names || column.name == kRowNames;
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

/// Bytes in front of the first row: a byte order mark, lines above the table, the names. `lines` becomes the
/// number of their lines.
std::size_t CsvFile::bytes_above(std::string_view text, std::size_t& lines) const {
  std::size_t skipped = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  lines = dialect_.lines_above;
  for (std::size_t i = 0; i < dialect_.lines_above; ++i)
    skipped = std::min(text.find(dialect_.line_end, skipped), text.size() - 1) + 1;
  if (!dialect_.header) return skipped;
  RowScanner scanner(text.substr(skipped), dialect_.separator, dialect_.line_end, 0, lines + 1);
  while (scanner.next()) {
    const std::string_view content = trimmed(scanner.row());
    if (!content.empty() && (dialect_.comment.empty() || !content.starts_with(dialect_.comment))) break;
  }
  lines = scanner.next_line() - 1;
  return text.size() - scanner.rest().size();
}

TextTable CsvFile::read(std::vector<RawColumn> columns) {
  std::vector<ColumnTexts> texts = empty_texts(columns);
  TextTable table = pass(std::move(columns), std::move(texts), nullptr);
  content_.bytes = std::string();
  return table;
}

TextTable CsvFile::summarise(std::vector<RawColumn> columns) {
  std::vector<ColumnTexts> texts = empty_texts(columns);
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
  RowCounts counts;
  std::vector<RowParser> parsers;  // one for each part of a window; they keep their memory
  std::size_t lines = 0;           // above the window
  std::size_t wanted = kSample;    // the first rows show which columns are numbers
  for (std::size_t begin = 0; begin < windows.size();) {
    const std::string_view text = windows.load(begin, wanted), fresh = windows.fresh();
    const bool last = begin + text.size() == windows.size();
    const std::size_t skipped = begin == 0 ? bytes_above(text, lines) : 0;
    const std::size_t least = in_parts ? std::min(kPart, (text.size() - skipped) / threads + 1) : text.size();
    const std::vector<std::string_view> parts = parts_of(text.substr(skipped), least, last, dialect_, fields);
    if (parts.empty() && !last) {  // a row longer than the window
      wanted *= 2;
      refuse_beyond_memory(content_.origin, "a row", static_cast<double>(wanted));
      sum.add(fresh.data(), fresh.size());
      continue;
    }
    while (parsers.size() < parts.size()) parsers.emplace_back(dialect_, column_count, keeps_empty_rows_);
    for (std::size_t p = 0; p < parts.size(); ++p) parsers[p].begin(table.texts);
    in_parallel(parts.size() + 1, [&](std::size_t k) {
      if (k == 0)
        sum.add(fresh.data(), fresh.size());
      else
        parsers[k - 1].parse(parts[k - 1]);
    });

    const std::size_t rows_before = counts.rows;
    std::vector<std::size_t> lines_before;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      counts.add(parsers[p].counts, lines);
      if (in_parts || last) counts.add(parsers[p].take_left_over(), lines);
      lines_before.push_back(lines);
      lines += parsers[p].lines;
    }
    in_parallel(column_count, [&](std::size_t j) {
      for (std::size_t p = 0; p < parts.size(); ++p) table.texts[j].append(parsers[p].blocks[j], lines_before[p]);
    });
    begin = parts.empty() ? windows.size() : static_cast<std::size_t>(parts.back().end() - text.begin()) + begin;
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
    throw DataError(fmt::format("{}:{}: expected {}, found {} in \"{}\"{}; mend the line or leave it out",
                                content_.origin, counts.ragged_line, counted(column_count, "field"),
                                counts.ragged_fields, counts.ragged_row,
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
