#pragma once

#include <armadillo>
#include <optional>
#include <string>

#include "data/content/content.hpp"
#include "data/table/table.hpp"

namespace elmx {

struct Dataset;
struct FromDisk;
struct MatOptions;
struct Source;

/// The array of a .npy file (NumPy's format, versions 1 to 3) as doubles: one or two dimensions, in the order
/// of C or of Fortran, of little-endian or big-endian floating-point numbers of 4 or 8 bytes, integers of 1
/// to 8 bytes, or booleans. An array of one dimension is a column. Throws DataError: anything else, sizes
/// that the file does not have.
arma::mat read_npy(const Content& content);

/// A set whose files are .npy: a row of the array is a sample. The target is a column of it, by its number,
/// or stands in an array of its own ("labels_path"), whose columns are then called target, or target1,
/// target2, ... NaN is a missing value. Throws ConfigError, DataError.
Dataset load_npy(const Source& source);

/// The same with inputs that stay in the file: two passes over it here, for its checksum and for its numbers.
/// Nothing where that is not wanted. Throws ConfigError, DataError.
std::optional<Dataset> npy_from_disk(const Source& source, const FromDisk& from_disk);

/// A set whose files are .npz: zip archives of .npy files, of which one holds the inputs and one the targets.
/// Throws DataError.
Dataset load_npz(const Source& source, const MatOptions& options);

}  // namespace elmx
