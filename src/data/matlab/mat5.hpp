#pragma once

#include "data/matlab/array_file.hpp"

namespace elmx {

/// Returns true if the header is that of version 7.3, which is an HDF5 file. Throws DataError: neither MATLAB
/// 5 to 7 nor 7.3.
bool is_matlab73(const Content& content);

/// Opens a file of MATLAB 5 to 7. Its elements, each a type, a length and that many bytes, must fill the file
/// exactly, and the storage of an array of numbers must have the size that its dimensions ask for. What is
/// inside of other variables (a struct, a cell array) is not looked at. Throws DataError.
ArrayFile open_mat5(Content content);

}  // namespace elmx
