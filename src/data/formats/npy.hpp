#pragma once

#include <armadillo>

#include "data/matlab/array_file.hpp"
#include "data/rows/array_rows.hpp"

namespace elmx {

/// The array of a .npy file (NumPy's format, versions 1 to 3) as doubles: one or two dimensions, in the order
/// of C or of Fortran, of little-endian or big-endian floating-point numbers of 4 or 8 bytes, integers of 1
/// to 8 bytes, or booleans. An array of one dimension is a column. Throws DataError: anything else, sizes
/// that the file does not have.
arma::mat read_npy(const SharedContent& file);

/// A set whose files are .npy: a row of the array is a sample. The target is a column of it, by its number,
/// or stands in an array of its own ("labels_path"), whose columns are then called target, or target1,
/// target2, ... NaN is a missing value. Inputs that stay in their file are read twice: for the checksum and
/// for their numbers. Throws ConfigError, DataError.
Dataset load_npy(const Source& source, const FromDisk& from_disk);

/// Opens a .npz file: a zip archive of .npy files. Throws DataError.
ArrayFile open_npz(Content content, const MatOptions& options);

}  // namespace elmx
