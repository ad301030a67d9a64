#include "data/table/load_table.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/table/assemble.hpp"

namespace elmx {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

/// read_part(file, sha256): the table of one file, and the checksum of its content.
template <class ReadPart>
Dataset load_parts(const Source& source, const ReadPart& read_part) {
  RawTable table;
  arma::uword train_rows = source.train_rows;
  std::vector<std::string> checksums;
  for (const SourceFile& file : source.parts()) {
    RawTable part = read_part(file, checksums.emplace_back());
    refuse_other_content(file, checksums.back(), source);
    if (checksums.size() == 1) {
      table = std::move(part);
    } else {
      train_rows = table.rows;
      table.append(std::move(part), file.path.string());
    }
  }
  Dataset data = assemble(std::move(table), source.table, train_rows, source.name);
  data.sha256 = std::move(checksums);
  return data;
}

/// Facts about the first file of a set that the second one needs.
std::shared_ptr<const std::vector<RawColumn>> without_values(const std::vector<RawColumn>& columns) {
  std::vector<RawColumn> described;
  for (const RawColumn& column : columns)
    described.push_back({.name = column.name,
                         .role = column.role,
                         .kind = column.kind,
                         .categories = {},
                         .values = {},
                         .parts = column.parts,
                         .spelling = column.spelling,
                         .order = column.order});
  return std::make_shared<const std::vector<RawColumn>>(std::move(described));
}

}  // namespace

std::vector<ColumnTexts> empty_texts(const std::vector<RawColumn>& columns) {
  std::vector<ColumnTexts> texts;
  for (const RawColumn& column : columns)
    texts.emplace_back(column.kind == Kind::category, column.role == Role::dropped,
                       column.spelling_is_known ? column.spelling : std::nullopt);
  return texts;
}

TextRows::TextRows(TextTable& table) : table_(table), blocks_(table.columns.size()) {
  table.texts = empty_texts(table.columns);
}

void TextRows::add(const std::vector<std::string_view>& fields, std::size_t line) {
  const std::size_t expected = table_.columns.size();
  if (fields.size() != expected && !(fields.size() == expected + 1 && fields.back().empty()))
    throw DataError(fmt::format("{}:{}", table_.origin, line),
                    fmt::format("expected {}, found {}", counted(expected, "field"), fields.size()));
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

Dataset load_table(const Source& source, const TableReader& read) {
  return load_parts(source, [&](const SourceFile& file, std::string& sha256) {
    Content content = read_verified(file, source);
    sha256 = content.sha256;
    make_utf8(content);
    return read(content, source.table);
  });
}

Dataset load_text(const Source& source, const TextFileOpener& open) {
  TableOptions options = source.table;
  return load_parts(source, [&](const SourceFile& file, std::string& sha256) {
    const std::unique_ptr<TextFile> text = open(open_file(file, source), options);
    RawTable table = read_text_file(*text, options);
    sha256 = text->sha256();
    if (!options.known) options.first_file = without_values(table.columns);
    return table;
  });
}

}  // namespace elmx
