#include "data/table/text_file.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

}  // namespace

TextRows::TextRows(TextTable& table) : table_(table) {
  table.texts.clear();
  for (const RawColumn& column : table.columns)
    table.texts.emplace_back(column.keeps_texts(), column.role == Role::dropped, column.spelling);
}

void TextRows::add(const std::vector<std::string_view>& fields, std::size_t line) {
  const std::size_t expected = table_.columns.size();
  if (fields.size() != expected && !(fields.size() == expected + 1 && fields.back().empty()))
    throw DataError(
        fmt::format("{}:{}: expected {}, found {}", table_.origin, line, counted(expected, "field"), fields.size()));
  if (blocks_.empty()) {
    for (const ColumnTexts& column : table_.texts) blocks_.push_back(column.block());
  }
  for (std::size_t j = 0; j < expected; ++j) blocks_[j].add(fields[j], line);
  ++table_.rows;
  if (++pending_ == kRowsAtOnce) finish();
}

void TextRows::finish() {
  for (std::size_t j = 0; j < blocks_.size(); ++j) table_.texts[j].append(std::move(blocks_[j]));
  blocks_.clear();
  pending_ = 0;
  refuse_beyond_memory(table_.origin, "its table",
                       8.0 * static_cast<double>(kRowsAtOnce) * static_cast<double>(table_.columns.size()));
}

RawTable read_text_file(TextFile& file, const TableOptions& options) {
  std::vector<RawColumn> columns = file.columns();
  assign_roles(columns, options, file.own_target());
  TextTable table = file.read(std::move(columns));
  return decide_columns(table, options);
}

}  // namespace elmx
