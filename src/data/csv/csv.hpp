#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/content/content.hpp"
#include "data/csv/dialect.hpp"
#include "data/table/source.hpp"

namespace elmx {

/// A delimited text. Its dialect is inferred from its beginning, then its rows are read in one pass. Blanks
/// and quotes around a field, blank lines, comment lines and an empty last field in every line are ignored. A
/// column without a name is named by its number, "column3".
class CsvFile {
 public:
  /// Throws DataError.
  CsvFile(Content content, const CsvOptions& options, const TableOptions& table);

  /// Returns the named columns in file order.
  std::vector<RawColumn> columns() const;

  /// Reads all rows; call it only once. `columns` must have their roles; the values of dropped columns are
  /// dropped. All threads read a text that is larger than a block, one block of rows each. Throws DataError
  /// for rows with another number of fields.
  RawTable read(std::vector<RawColumn> columns);

  /// Reads all rows without keeping them. The texts of the table have distinct() and range() only.
  RawTable summarise(std::vector<RawColumn> columns);

  /// Reads the rows again, some MiB of text at a time. empty: the texts of summarise() without rows.
  void read_windows(const std::vector<RawColumn>& columns, const std::vector<ColumnTexts>& empty,
                    const std::function<void(RawTable)>& visit);

 private:
  /// after_window: receives the rows of each window and may take them; null = all rows stay in the table.
  RawTable pass(std::vector<RawColumn> columns, std::vector<ColumnTexts> texts,
                const std::function<void(RawTable&)>& after_window);

  Content content_;
  std::string encoding_;
  CsvOptions options_;
  bool keeps_empty_rows_;  // a new file for a model: each row has a prediction
  Dialect dialect_;
};

/// Reads a delimited text: assigns the roles of the columns, reads the rows and infers the kind of each
/// column. With table.guess_target, the target is the last column of numbers or categories.
RawTable read_delimited(Content content, const CsvOptions& options, const TableOptions& table);

}  // namespace elmx
