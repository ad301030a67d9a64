#include "data/table/load_table.hpp"

#include "base/error.hpp"
#include "data/content/text_in_utf8.hpp"
#include "data/table/assemble.hpp"

namespace elmx {
namespace {

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

std::shared_ptr<const std::vector<RawColumn>> without_values(const std::vector<RawColumn>& columns) {
  std::vector<RawColumn> described;
  for (const RawColumn& column : columns)
    described.push_back({.name = column.name,
                         .role = column.role,
                         .kind = column.kind,
                         .declared = column.declared,
                         .categories = column.declared ? column.categories : std::vector<std::string>(),
                         .values = {},
                         .parts = column.parts,
                         .spelling = column.spelling,
                         .order = column.order});
  return std::make_shared<const std::vector<RawColumn>>(std::move(described));
}

}  // namespace

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
