#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/csv/fields.hpp"
#include "data/formats/text_formats.hpp"
#include "data/table/infer.hpp"
#include "data/table/source.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kHighestIndex = 1'000'000;  // a table is dense: more is a damaged file

struct Entry {
  std::size_t index;
  double value;
};

std::optional<Entry> parse_entry(std::string_view field) {
  const std::size_t colon = field.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto index = parse_digits(field.substr(0, colon));
  const auto value = parse_number(field.substr(colon + 1));
  if (!index || !value || !std::isfinite(*value)) return std::nullopt;
  return Entry{*index, *value};
}

/// The place of the first entry in a row: behind the label and, if there is one, the query.
std::size_t first_entry(const std::vector<std::string_view>& row) {
  return row.size() > 1 && row[1].starts_with("qid:") ? 2 : 1;
}

/// The features of a sparse file as columns that are filled up with zeros when a later row needs them.
class SparseColumns {
 public:
  /// Adds the entries of one row. place: its file and line.
  void add_row(const std::vector<std::string_view>& fields, const std::string& place) {
    std::size_t next = 0;
    for (std::size_t i = first_entry(fields); i < fields.size(); ++i) {
      const auto entry = parse_entry(fields[i]);
      if (!entry || entry->index < next || entry->index > kHighestIndex) {
        throw DataError(place,
                        fmt::format("field {}: expected index:value with a finite value and an index from {} to {}, in "
                                    "ascending order, found \"{}\"",
                                    i + 1, next, kHighestIndex, printable(fields[i], 40)));
      }
      next = entry->index + 1;
      if (next > columns_.size()) columns_.resize(next);
      columns_[entry->index].resize(rows_, 0.0);
      columns_[entry->index].push_back(entry->value);
    }
    ++rows_;
  }

  /// Throws ConfigError if the dense table does not fit into memory.
  void move_to(RawTable& table, const std::string& origin) {
    refuse_beyond_memory(
        origin, fmt::format("a dense table of {} and {}", counted(rows_, "row"), counted(columns_.size(), "column")),
        8.0 * static_cast<double>(rows_) * static_cast<double>(columns_.size()));
    for (std::size_t index = 0; index < columns_.size(); ++index) {
      if (index == 0 && columns_[0].empty()) continue;  // indices from 1
      columns_[index].resize(rows_, 0.0);
      RawColumn& column = table.columns.emplace_back();
      column.name = "x" + std::to_string(index);
      column.values = std::move(columns_[index]);
    }
  }

 private:
  std::vector<std::vector<double>> columns_;  // by index
  std::size_t rows_ = 0;
};

}  // namespace

RawTable read_libsvm(const Content& content, const TableOptions& options) {
  if (!options.nominal.empty())
    throw ConfigError("/data/nominal", "does not apply to LIBSVM files, which have numbers only");
  if (!options.target.empty() && options.target != std::vector<std::string>{"label"})
    throw ConfigError("/data/target", fmt::format("expected \"label\", the target of LIBSVM files, found \"{}\"",
                                                  options.target.front()));
  if (!options.split.name.empty())
    throw ConfigError(options.split.place, "does not apply to LIBSVM files; use delimited, arff or keel");
  RawTable table;
  table.origin = content.origin;
  table.sha256 = content.sha256;
  table.columns = unnamed_columns(1);
  table.columns.front().name = "label";
  TableOptions of_labels = options;
  of_labels.known = nullptr;
  of_labels.first_file = nullptr;
  of_labels.target = {"label"};
  of_labels.drop.clear();
  of_labels.missing_values = {{}, {}};
  assign_roles(table.columns, of_labels);
  TextRows rows(table);
  SparseColumns features;
  bool has_queries = false;

  Lines lines(content.bytes);
  RowSplitter splitter(' ');
  while (lines.next_content("#")) {
    const std::string_view line = lines.line().substr(0, lines.line().find('#'));
    const std::string place = fmt::format("{}:{}", content.origin, lines.number());
    const auto& row = splitter.split(line);
    if (row.front().find_first_of(":,") != std::string_view::npos)
      throw DataError(place,
                      fmt::format("expected one label before index:value, found \"{}\"", printable(row.front(), 40)));
    rows.add({row.front()}, lines.number());
    has_queries = has_queries || first_entry(row) == 2;
    features.add_row(row, place);
  }
  rows.finish();
  infer_columns(table, of_labels);
  table.sparse = true;
  if (has_queries)
    table.report.warnings.push_back(
        "the query numbers (qid) are ignored: rows of one query can be in both the training and the test part (in a "
        "CSV file, a column of query numbers can be split.group)");
  features.move_to(table, content.origin);
  const RawColumn label = table.columns.front();
  assign_roles(table.columns, options, {"label"});
  table.columns.front().kind = label.kind;
  return table;
}

bool looks_like_libsvm(std::string_view text) {
  Lines lines(text);
  RowSplitter splitter(' ');
  std::size_t entries = 0;
  for (int i = 0; i < 5 && lines.next_content("#"); ++i) {
    const auto& row = splitter.split(lines.line().substr(0, lines.line().find('#')));
    if (row.empty() || !parse_number(row.front())) return false;
    for (std::size_t k = first_entry(row); k < row.size(); ++k, ++entries) {
      if (!parse_entry(row[k])) return false;
    }
  }
  return entries > 0;
}

}  // namespace elmx
