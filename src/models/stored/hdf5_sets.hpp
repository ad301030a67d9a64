#pragma once

#include <hdf5.h>

#include "models/stored/model_file.hpp"

namespace elmx {

/// Reads all sets of an open file of `bytes` bytes, which must be in the form that encode_model writes: hard
/// links only, each object under one name, groups one level below the root, matrices of double, float or
/// 64-bit integers and texts, each stored contiguously in the file and together no larger than the file.
/// Nothing outside the file is read: no external or virtual set, no link to another file, no filter that
/// needs a plugin. Throws DataError ("path: ...") before reading the content of an invalid set, and
/// std::runtime_error if the library fails.
ModelContents read_sets(hid_t file, std::size_t bytes);

}  // namespace elmx
