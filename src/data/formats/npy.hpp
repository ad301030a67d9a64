#pragma once

#include <armadillo>

#include "data/matlab/array_file.hpp"
#include "data/rows/array_rows.hpp"

namespace elmx {

/// Reads the array of a .npy file (NumPy's format, versions 1 to 3) as doubles: one or two dimensions, in C
/// or Fortran order, of little-endian or big-endian floating-point numbers of 4 or 8 bytes, integers of 1 to
/// 8 bytes, or booleans. An array of one dimension becomes a column. Throws DataError for anything else, and
/// for a shape that does not match the file size.
arma::mat read_npy(const SharedContent& file);

/// Loads a set of .npy files, one sample per row of the array. The target is a column of the array, by its
/// number, or a separate array ("labels_path"), whose columns are then called target, or target1, target2,
/// ... NaN is a missing value. Inputs that stay in their file are read twice: for the checksum and for their
/// numbers. Throws ConfigError, DataError.
Dataset load_npy(const Source& source, const FromDisk& from_disk);

/// Opens a .npz file: a zip archive of .npy files. Throws DataError.
ArrayFile open_npz(Content content, const MatOptions& options);

}  // namespace elmx
