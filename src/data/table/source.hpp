#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/content/content.hpp"
#include "data/table/roles.hpp"

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

/// Throws DataError if a file of a catalogue set does not exist; the message says how to download it.
void refuse_absent(const SourceFile& file, const Source& source);

/// Throws DataError if the content has another checksum than the catalogue states.
void refuse_other_content(const SourceFile& file, const std::string& sha256, const Source& source);

/// Opens a file of the source; a large file that is not packed stays on the disk. Verifies only
/// packed_sha256, if set, but not the checksum of the content. Throws DataError.
Content open_file(const SourceFile& file, const Source& source);

/// Reads a file of the source and verifies its checksum. Throws DataError.
Content read_verified(const SourceFile& file, const Source& source);

/// The condition under which inputs stay in their file: on request, or above a size in memory. The default is
/// never.
struct FromDisk {
  bool asked = false;
  double most_bytes = std::numeric_limits<double>::infinity();

  bool wants(double rows, double cols) const { return asked || 8 * rows * cols > most_bytes; }
};

/// Opens a file of the source and verifies its checksum, in one pass. The file stays on the disk on request,
/// or if it is large and not packed. Throws DataError if a compressed file or stdin is requested to stay
/// there.
Content open_for_blocks(const SourceFile& file, const Source& source, const FromDisk& from_disk);

}  // namespace elmx
