#pragma once

#include <cstdint>
#include <filesystem>

#include "data/catalogue.hpp"
#include "data/dataset.hpp"
#include "data/options.hpp"

namespace elmx {

/// The data set that the options name: a set of the catalogue (its files below data_dir, their checksums verified), a
/// generated set (drawn with `seed`), or the user's own files.
///
/// With a set of the catalogue, `target` and `positive` replace those of its entry, `drop` and `nominal` add to them,
/// and `missing` replaces it where it is not "refuse". The rows of a training file come before those of a test file.
///
/// Throws ConfigError: neither "set" nor "path" or both, an option that does not go with the other, an unknown set,
/// column or class, a split column of data that is no table; DataError: a file that is missing, damaged or not what it
/// should be, a value whose square overflows, a single class.
Dataset load_dataset(const DataOptions& options, const Catalogue& catalogue, const std::filesystem::path& data_dir,
                     std::uint64_t seed, const SplitColumn& split = {});

}  // namespace elmx
