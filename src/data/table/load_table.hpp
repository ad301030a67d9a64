#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/table/dataset.hpp"
#include "data/table/infer.hpp"
#include "data/table/source.hpp"

namespace elmx {

/// A text file with a table, whose columns are known before the rows are read.
class TextFile {
 public:
  virtual ~TextFile() = default;

  /// Returns the named columns in file order, with kinds and roles only if the file itself states them.
  virtual std::vector<RawColumn> columns() const = 0;

  /// Returns the names of the default targets.
  virtual std::vector<std::string> own_target() const { return {}; }

  /// Reads all rows; call it only once. `columns` must have their roles. Throws DataError.
  virtual TextTable read(std::vector<RawColumn> columns) = 0;

  /// Returns the SHA-256 of the content, known after read().
  virtual const std::string& sha256() const = 0;
};

/// Returns empty texts for the columns.
std::vector<ColumnTexts> empty_texts(const std::vector<RawColumn>& columns);

/// Fills a text table row by row.
class TextRows {
 public:
  explicit TextRows(TextTable& table);

  /// Adds a row with one field per column. An additional empty field is accepted if the row ends with a
  /// separator. Throws DataError.
  void add(const std::vector<std::string_view>& fields, std::size_t line);

  /// Moves the rows into the table.
  void finish();

 private:
  TextTable& table_;
  std::vector<ColumnBlock> blocks_;
  std::size_t pending_ = 0;
};

/// Reads a file of a set: assigns the roles of the columns, reads the rows and infers the kind of each
/// column. With options.guess_target, the target is the last column of numbers or categories.
RawTable read_text_file(TextFile& file, const TableOptions& options);

/// Loads a set of tables. The rows of the training file come before the rows of the test file. Throws
/// ConfigError, DataError.
using TableReader = std::function<RawTable(const Content&, const TableOptions&)>;
Dataset load_table(const Source& source, const TableReader& read);

/// Loads a set of text files, which are opened once and read in one pass. The columns of a test file have the
/// same roles and kinds as in the training file.
using TextFileOpener = std::function<std::unique_ptr<TextFile>(Content, const TableOptions&)>;
Dataset load_text(const Source& source, const TextFileOpener& open);

}  // namespace elmx
