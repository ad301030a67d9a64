#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/content/content.hpp"
#include "data/table/dataset.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// A file to read. An empty sha256 accepts any content, a size of 0 any size.
struct SourceFile {
  std::filesystem::path path;
  std::string sha256;
  std::size_t size = 0;
  std::shared_ptr<Content> opened = nullptr;  ///< the content if the file is already open; can be taken once
  std::string packed_sha256 = {};             ///< checksum of the file as stored; "" = not verified
};

/// The files of one data set and the roles of their columns, for sets of the catalogue and the user's files.
struct Source {
  std::string name;
  std::string set;     ///< the catalogue's name, for "elmx data fetch"; empty for the user's own files
  std::string format;  ///< a name of data_formats()
  TableOptions table;
  std::size_t block_mean = 1;  ///< images: side in pixels of the blocks whose means are the inputs
  bool targets = true;         ///< false: images and MAT-files are read without their targets
  arma::uword train_rows = 0;  ///< rows of the training part if one file holds both parts
  SourceFile train;
  std::vector<SourceFile> batches;  ///< more files of the training part
  std::optional<SourceFile> test;
  std::optional<SourceFile> train_labels;
  std::optional<SourceFile> test_labels;
  std::optional<SourceFile> class_names;

  /// Returns the files of inputs: the training part, then the test part if there is one.
  std::vector<SourceFile> parts() const {
    std::vector<SourceFile> files{train};
    if (test) files.push_back(*test);
    return files;
  }
};

/// Reads a file of the source and verifies its checksum. Throws DataError.
Content read_verified(const SourceFile& file, const Source& source);

/// The condition under which inputs stay in their file: on request, or above a size in memory. The default is
/// never.
struct FromDisk {
  bool asked = false;
  double most_bytes = std::numeric_limits<double>::infinity();

  bool wants(double rows, double cols) const { return asked || 8 * rows * cols > most_bytes; }
};

/// Opens a file of the source and verifies the checksum that the source states. The file stays on the disk on
/// request, or if it is large and not packed. If the source states none, such a file is not read yet, so that
/// its header can be refused first (Content::checksum). Throws DataError if a compressed file or stdin is
/// requested to stay there.
Content open_for_blocks(const SourceFile& file, const Source& source, const FromDisk& from_disk);

/// Returns empty texts for the columns.
std::vector<ColumnTexts> empty_texts(const std::vector<RawColumn>& columns);

/// Fills the texts of a table row by row.
class TextRows {
 public:
  explicit TextRows(RawTable& table);

  /// Adds a row with one field per column. An additional empty field is accepted if the row ends with a
  /// separator. Throws DataError.
  void add(const std::vector<std::string_view>& fields, std::size_t line);

  /// Moves the rows into the table.
  void finish();

 private:
  RawTable& table_;
  std::vector<ColumnBlock> blocks_;
  std::size_t pending_ = 0;
};

using TableReader = std::function<RawTable(Content, const TableOptions&)>;

/// Loads a set of tables, whose files are opened once. The rows of the training file come before the rows of
/// the test file, whose columns have the same roles and kinds. `read` may set the checksum of a large file,
/// which it reads in blocks. Throws ConfigError, DataError.
Dataset load_table(const Source& source, const TableReader& read);

}  // namespace elmx
