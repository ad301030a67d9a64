#pragma once

#include <string>

#include "data/rows/array_rows.hpp"
#include "data/rows/composed_rows.hpp"

namespace elmx {

/// The data set of that name, or path, of an HDF5 file as samples that stay in it: one or two dimensions of
/// integers, enumerations (booleans of h5py) or floating-point numbers, in one piece or in chunks, plain or
/// packed by gzip, with shuffle or without. The HDF5 library finds out in a child process where the numbers
/// are, which are then read without it.
///
///     transposed   samples are columns of the data set
///     a_column     one that is a single row or column is a column, for targets
///
/// Throws DataError: another layout, filter or type.
SharedRows hdf5_rows(const SharedFile& file, const std::string& name, bool transposed, bool a_column = false);

}  // namespace elmx
