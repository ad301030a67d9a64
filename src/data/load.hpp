#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "data/catalogue.hpp"
#include "data/options.hpp"
#include "data/table/dataset.hpp"
#include "data/table/source.hpp"

namespace elmx {

/// A source with the options of its format.
struct DataSource : Source {
  CsvOptions delimited;
  MatOptions mat;
  ReviewOptions reviews;
  std::string positive;
};

/// Returns the source for the user's own files.
DataSource source_of(const DataOptions& options);

/// Returns the source for an entry of the catalogue, modified by the options of the user.
DataSource source_of(const CatalogueEntry& entry, const DataOptions& options, const std::filesystem::path& data_dir);

/// Loads the data set that the options name: a set of the catalogue (files below data_dir, with verified
/// checksums), a generated set (drawn with `seed`), or the user's own files.
///
/// For a set of the catalogue, the options `target` and `positive` replace the values of its entry, `drop`
/// and `nominal` extend them, and `missing` replaces its value unless it is "refuse". An option in
/// DataOptions::given that has no effect on the set is refused. The rows of a training file come before the
/// rows of a test file.
///
/// in_blocks: the inputs may stay in their file (Dataset::on_disk). They do so if the options ask for it, or
/// if they would take more than a quarter of the available memory. Without in_blocks, "from_disk" is ignored.
///
/// Throws ConfigError: neither "set" nor "path" or both, options that exclude each other, an unknown set,
/// column or class, a split column for data that is not a table; DataError: a file that is missing, damaged
/// or of the wrong kind, a value whose square overflows, a single class.
Dataset load_dataset(const DataOptions& options, const Catalogue& catalogue, const std::filesystem::path& data_dir,
                     std::uint64_t seed, const SplitColumn& split = {}, bool in_blocks = false);

/// Returns the checksums of the files that load_dataset would read, without parsing them: the training part,
/// the test part, then labels and class names. Empty for a generated set. Throws the same DataError as
/// load_dataset.
std::vector<std::string> checksums_of_files(const DataOptions& options, const Catalogue& catalogue,
                                            const std::filesystem::path& data_dir);

/// The requested place of the inputs: in memory or on disk.
struct InputsWanted {
  std::optional<bool> from_disk;  ///< the option "from_disk"
  bool in_blocks = false;         ///< the inputs may stay in their file, as for load_dataset
  bool of_other_files = false;    ///< `from_disk` is not binding: compressed files and stdin are allowed
};

/// Loads the samples of these files without judging them.
Dataset load_source(const DataSource& source, const InputsWanted& wanted);

/// Checks and completes a loaded data set: refuses values that overflow and a single class, sets the positive
/// class, adds warnings to the report. Throws ConfigError, DataError.
void finish_dataset(Dataset& data, const std::string& positive);

/// The result of converting a text to an array.
struct Conversion {
  std::size_t rows = 0, columns = 0;
  Json data;  ///< "data" of a config that reads the array
  ReadReport report;
};

/// Converts delimited text to a .npy array of doubles. Each row with a target becomes a row: first the inputs
/// as a model sees them (a column for each category, missing numbers NaN), then the target, a class as its
/// number. Makes two passes over the text with some MiB in memory. The output file is complete or absent.
///
/// given: the same as for infer_data. Throws ConfigError, DataError.
Conversion convert_to_npy(Json given, const std::filesystem::path& output);

}  // namespace elmx
