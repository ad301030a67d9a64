#include "data/table/text_file.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

}  // namespace

std::vector<ColumnTexts> empty_texts(const std::vector<RawColumn>& columns) {
  std::vector<ColumnTexts> texts;
  for (const RawColumn& column : columns)
    texts.emplace_back(column.keeps_texts(), column.role == Role::dropped,
                       column.spelling_is_known ? column.spelling : std::nullopt);
  return texts;
}

TextRows::TextRows(TextTable& table) : table_(table), blocks_(table.columns.size()) {
  table.texts = empty_texts(table.columns);
}

void TextRows::add(const std::vector<std::string_view>& fields, std::size_t line) {
  const std::size_t expected = table_.columns.size();
  if (fields.size() != expected && !(fields.size() == expected + 1 && fields.back().empty()))
    throw DataError(
        fmt::format("{}:{}: expected {}, found {}", table_.origin, line, counted(expected, "field"), fields.size()));
  for (std::size_t j = 0; j < expected; ++j) {
    if (pending_ == 0) table_.texts[j].begin(blocks_[j]);
    blocks_[j].add(fields[j], line);
  }
  ++table_.rows;
  if (++pending_ == kRowsAtOnce) finish();
}

void TextRows::finish() {
  for (std::size_t j = 0; pending_ > 0 && j < blocks_.size(); ++j) table_.texts[j].append(blocks_[j]);
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
