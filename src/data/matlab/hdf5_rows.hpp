#pragma once

#include <string>

#include "data/rows/array_rows.hpp"
#include "data/rows/composed_rows.hpp"

namespace elmx {

/// The data set of that name, or path, of an HDF5 file as samples that stay in it: one or two dimensions of integers or
/// floating-point numbers, in one piece or in chunks, plain or packed by gzip, with shuffle or without. Where its numbers
/// are is found out by the HDF5 library in a child process; they are then read without it.
///
///     transposed   samples are columns of the data set
///     a_column     one that is a single row or column is a column, for targets
///
/// Throws DataError: no such data set, another layout, filter or type.
SharedRows hdf5_rows(const SharedFile& file, const std::string& name, bool transposed, bool a_column = false);

}  // namespace elmx
