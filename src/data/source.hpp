#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/content/content.hpp"
#include "data/formats/delimited.hpp"
#include "data/formats/reviews.hpp"
#include "data/matlab/mat.hpp"
#include "data/table/columns.hpp"

namespace elmx {

struct DataOptions;

/// A file that is to be read. sha256 "" = any content, size 0 = of any size.
struct SourceFile {
  std::filesystem::path path;
  std::string sha256;
  std::size_t size = 0;
};

/// The files of one data set and how they are read, wherever they come from.
struct Source {
  std::string name;
  std::string set;  ///< the catalogue's name, for "elmx data fetch"; "" = the user's own files
  std::string format;
  std::string how;  ///< every option that a table depends on, as text; "" = not known, its table is not kept
  TableOptions table;
  DelimitedOptions delimited;
  MatOptions mat;
  ReviewOptions reviews;
  std::string positive;
  bool targets = true;         ///< else images and MAT-files are read without them
  arma::uword train_rows = 0;  ///< one file that holds both parts
  SourceFile train;
  std::vector<SourceFile> batches;  ///< further files of the training part, behind `train`
  std::optional<SourceFile> test;
  std::optional<SourceFile> train_labels;
  std::optional<SourceFile> test_labels;
  std::optional<SourceFile> class_names;

  /// The files of inputs: of the training part, and of the test part where that has one.
  std::vector<SourceFile> parts() const {
    std::vector<SourceFile> files{train};
    if (test) files.push_back(*test);
    return files;
  }
};

/// An entry of the catalogue, with what the options change about it.
Source source_of(const CatalogueEntry& entry, const DataOptions& options, const std::filesystem::path& data_dir);

/// The user's own files.
Source source_of(const DataOptions& options);

/// Throws DataError where a file of the set is not there, or its content has not the checksum that is known; both name
/// the remedy.
void refuse_absent(const SourceFile& file, const Source& source);
void refuse_other_content(const SourceFile& file, const std::string& sha256, const Source& source);

/// Reads a file of the source and verifies its checksum. Throws DataError, which names the remedy.
Content read_verified(const SourceFile& file, const Source& source);

}  // namespace elmx
