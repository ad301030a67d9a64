#include "data/table/load_table.hpp"

#include "data/table/assemble.hpp"

namespace elmx {

Dataset load_table(const Source& source, const std::function<RawTable(const Content&, const TableOptions&)>& read) {
  std::vector<std::string> checksums;
  const auto read_part = [&](const SourceFile& file) {
    const Content content = read_verified(file, source);
    checksums.push_back(content.sha256);
    return read(content, source.table);
  };

  RawTable table = read_part(source.train);
  arma::uword train_rows = source.train_rows;
  if (source.test) {
    train_rows = table.rows;
    table.append(read_part(*source.test), source.test->path.string());
  }
  Dataset data = assemble(std::move(table), source.table, train_rows, source.name);
  data.sha256 = std::move(checksums);
  return data;
}

}  // namespace elmx
