#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/content/content.hpp"
#include "data/csv/dialect.hpp"
#include "data/table/load_table.hpp"
#include "data/table/roles.hpp"

namespace elmx {

/// A delimited text. Its dialect is inferred from its beginning, then its rows are read in one pass. Blanks
/// and quotes around a field, blank lines, comment lines and an empty last field in every line are ignored. A
/// column without a name is named by its number, "column3".
class CsvFile final : public TextFile {
 public:
  /// Throws DataError.
  CsvFile(Content content, const CsvOptions& options, const TableOptions& table);

  std::vector<RawColumn> columns() const override;
  const Dialect& dialect() const { return dialect_; }

  /// Reads all rows; call it only once. Drops the values of dropped columns. All threads read a text that is
  /// larger than a block, one block of rows each. Throws DataError for rows with another number of fields.
  TextTable read(std::vector<RawColumn> columns) override;

  /// Reads all rows without keeping them, and returns the distinct texts and numbers of each column for
  /// inference.
  TextTable summarise(std::vector<RawColumn> columns);

  /// Reads the rows again, some MiB of text at a time. summary: the texts of summarise().
  void read_windows(const std::vector<RawColumn>& columns, const std::vector<ColumnTexts>& summary,
                    const std::function<void(TextTable)>& visit);

  const std::string& sha256() const override { return content_.sha256; }

 private:
  std::size_t size() const { return content_.file ? content_.file->size() : content_.bytes.size(); }

  /// after_window: receives the rows of each window and may take them; null = all rows stay in the table.
  TextTable pass(std::vector<RawColumn> columns, std::vector<ColumnTexts> texts,
                 const std::function<void(TextTable&)>& after_window);

  Content content_;
  std::string encoding_;
  CsvOptions options_;
  bool keeps_empty_rows_;  // a new file for a model: each row has a prediction
  Dialect dialect_;
};

}  // namespace elmx
