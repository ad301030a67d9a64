#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "data/catalogue.hpp"
#include "data/content/content.hpp"
#include "data/options.hpp"
#include "data/table/columns.hpp"

namespace elmx {

/// A file that is to be read. sha256 "" = any content, size 0 = of any size.
struct SourceFile {
  std::filesystem::path path;
  std::string sha256;
  std::size_t size = 0;
};

/// Where a MAT-file has its samples.
struct MatVariables {
  std::string inputs;
  std::string target;
  std::string samples_are;  ///< "rows" or "columns"
};

/// How reviews become numbers.
struct ReviewOptions {
  std::size_t vocabulary = 10000;  ///< indices: padding, unknown word, words
  std::size_t length = 200;        ///< tokens of a review
};

/// The files of one data set and how they are read, wherever they come from.
struct Source {
  std::string name;
  std::string set;  ///< the catalogue's name, for "elmx data fetch"; "" = the user's own files
  std::string format;
  TableOptions table;
  MatVariables mat;
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
};

/// An entry of the catalogue, with what the options change about it.
Source source_of(const CatalogueEntry& entry, const DataOptions& options, const std::filesystem::path& data_dir);

/// The user's own files.
Source source_of(const DataOptions& options);

/// Reads a file of the source and verifies its checksum. Throws DataError, which names the remedy.
Content read_verified(const SourceFile& file, const Source& source);

}  // namespace elmx
