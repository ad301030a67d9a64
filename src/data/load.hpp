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

/// The user's own files.
DataSource source_of(const DataOptions& options);

/// An entry of the catalogue, with what the options of the set change about it.
DataSource source_of(const CatalogueEntry& entry, const DataOptions& options, const std::filesystem::path& data_dir);

/// The data set that the options name: a set of the catalogue (its files below data_dir, their checksums
/// verified), a generated set (drawn with `seed`), or the user's own files.
///
/// With a set of the catalogue, `target` and `positive` replace those of its entry, `drop` and `nominal` add
/// to them, and `missing` replaces it where it is not "refuse". What the options were given
/// (DataOptions::given) without effect on the set is refused. The rows of a training file come before those
/// of a test file.
///
/// in_blocks: the inputs may stay in their file (Dataset::on_disk). They do where the options ask for it, or
/// where they would take more than a quarter of the memory that is available; elsewhere "from_disk" is passed
/// over.
///
/// Throws ConfigError: neither "set" nor "path" or both, an option that does not go with the other, an
/// unknown set, column or class, a split column of data that is no table; DataError: a file that is missing,
/// damaged or not what it should be, a value whose square overflows, a single class.
Dataset load_dataset(const DataOptions& options, const Catalogue& catalogue, const std::filesystem::path& data_dir,
                     std::uint64_t seed, const SplitColumn& split = {}, bool in_blocks = false);

/// Checksums of the files that load_dataset would read, their contents not being looked at: the training
/// part, the test part, then labels and class names. Empty for a generated set. Throws DataError as
/// load_dataset does.
std::vector<std::string> checksums_of_files(const DataOptions& options, const Catalogue& catalogue,
                                            const std::filesystem::path& data_dir);

/// Where the inputs of files are wanted: as "from_disk" says; where they are of another kind than it was said
/// of (compressed, stdin), in memory all the same.
struct InputsWanted {
  std::optional<bool> from_disk;
  bool in_blocks = false;  ///< as above
  bool of_other_files = false;
};

/// The samples of these files alone.
Dataset load_source(const DataSource& source, const InputsWanted& wanted);

/// Judges and completes a data set that was read: refuses values that overflow and a single class, names the
/// positive class, adds warnings to the report. Throws ConfigError, DataError.
void finish_dataset(Dataset& data, const std::string& positive);

}  // namespace elmx
