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

/// A text file with a table in it: the columns are known before the rows are read.
class TextFile {
 public:
  virtual ~TextFile() = default;

  /// The columns in the order of the file, named; kinds and roles only where the file itself says them.
  virtual std::vector<RawColumn> columns() const = 0;

  /// Targets where nobody names any, by name.
  virtual std::vector<std::string> own_target() const { return {}; }

  /// Reads all rows, once. columns: with their roles. Throws DataError.
  virtual TextTable read(std::vector<RawColumn> columns) = 0;

  /// SHA-256 of the content, known after read().
  virtual const std::string& sha256() const = 0;
};

/// The texts of columns without rows yet.
std::vector<ColumnTexts> empty_texts(const std::vector<RawColumn>& columns);

/// Fills a text table row by row.
class TextRows {
 public:
  explicit TextRows(TextTable& table);

  /// One field for each column. One more, if it is empty, is the end of a row that closes with a separator.
  /// Throws DataError.
  void add(const std::vector<std::string_view>& fields, std::size_t line);

  /// Moves the rows into the table.
  void finish();

 private:
  TextTable& table_;
  std::vector<ColumnBlock> blocks_;
  std::size_t pending_ = 0;
};

/// Reads a file of a set: gives the columns their roles, reads the rows and decides what each column is.
/// Where options.guess_target, the target is the last column of numbers or categories.
RawTable read_text_file(TextFile& file, const TableOptions& options);

/// Loads a set whose files hold tables; the rows of the training file come before those of the test file.
/// Throws ConfigError, DataError.
using TableReader = std::function<RawTable(const Content&, const TableOptions&)>;
Dataset load_table(const Source& source, const TableReader& read);

/// The same of text files, which are opened once and read in one pass. The columns of a test file are what
/// those of the training file are.
using TextFileOpener = std::function<std::unique_ptr<TextFile>(Content, const TableOptions&)>;
Dataset load_text(const Source& source, const TextFileOpener& open);

}  // namespace elmx
