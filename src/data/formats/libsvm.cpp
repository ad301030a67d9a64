#include "data/formats/libsvm.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/table/text.hpp"

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
  Entry entry{};
  const auto [end, error] = std::from_chars(field.data(), field.data() + colon, entry.index);
  const auto value = parse_number(field.substr(colon + 1));
  if (error != std::errc() || end != field.data() + colon || !value || !std::isfinite(*value)) return std::nullopt;
  entry.value = *value;
  return entry;
}

/// The features of a sparse file as columns that are filled up with zeros when a later row needs them.
class SparseColumns {
 public:
  /// Puts one row's entries (fields from the second on).
  void add_row(const std::vector<std::string_view>& fields, const std::string& origin, std::size_t line) {
    std::size_t last = 0;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const auto entry = parse_entry(fields[i]);
      if (!entry || entry->index <= last || entry->index > kHighestIndex) {
        throw DataError(fmt::format(
            "{}\"{}\"; index:value is expected, with a finite value and indices that ascend from {} to at most {}",
            place(origin, line, i + 1), fields[i], last + 1, kHighestIndex));
      }
      last = entry->index;
      if (last > columns_.size()) columns_.resize(last);
      columns_[last - 1].resize(rows_, 0.0);
      columns_[last - 1].push_back(entry->value);
    }
    ++rows_;
  }

  /// Throws ConfigError where the dense table is beyond the memory.
  void move_to(RawTable& table, const std::string& origin) {
    refuse_beyond_memory(
        origin, fmt::format("a dense table of {} and {}", counted(rows_, "row"), counted(columns_.size(), "column")),
        8.0 * static_cast<double>(rows_) * static_cast<double>(columns_.size()));
    for (std::vector<double>& values : columns_) {
      values.resize(rows_, 0.0);
      RawColumn& column = table.columns.emplace_back();
      column.name = "x" + std::to_string(table.columns.size() - 1);
      column.values = std::move(values);
    }
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::size_t rows_ = 0;
};

}  // namespace

RawTable read_libsvm(const Content& content, const TableOptions& options) {
  if (!options.nominal.empty()) throw ConfigError("/data/nominal: not with LIBSVM files; they hold numbers only");
  if (!options.target.empty() && options.target != std::vector<std::string>{"label"}) {
    throw ConfigError("/data/target: \"" + options.target.front() + "\"; allowed for LIBSVM files: label");
  }
  if (!options.split.name.empty())
    throw ConfigError(options.split.place + ": not with LIBSVM files; it belongs to delimited, arff, keel");
  RawColumn label;
  label.name = "label";
  if (options.task == Task::classification) label.kind = Kind::category;
  label.role = Role::target;
  TableBuilder labels(content.origin, {label}, Missing::refuse, options.label_strip);
  SparseColumns features;

  Lines lines(content.bytes);
  Fields fields(' ');
  while (lines.next_content("#")) {
    const std::string_view line = lines.line().substr(0, lines.line().find('#'));
    const auto& row = split_line(fields, line, content.origin, lines.number());
    if (row.front().find_first_of(":,") != std::string_view::npos) {
      throw DataError(fmt::format("{}\"{}\"; one label is expected before index:value",
                                  place(content.origin, lines.number()), row.front()));
    }
    labels.add_row({row.front()}, lines.number());
    features.add_row(row, content.origin, lines.number());
  }
  RawTable table = labels.finish();
  table.sparse = true;
  features.move_to(table, content.origin);
  assign_roles(table.columns, options, {"label"});
  return table;
}

}  // namespace elmx
