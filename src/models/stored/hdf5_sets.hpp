#pragma once

#include <hdf5.h>

#include "models/stored/model_file.hpp"

namespace elmx {

/// All sets of an open file of `bytes` bytes, which must be as encode_model writes them: hard links only,
/// each object under one name, groups one below the root, matrices of double, float or 64-bit integers and
/// texts, stored in one piece within the file, together no larger than the file. So nothing is read but the
/// file itself: no external or virtual set, no link to another file, no filter that a plugin would undo.
/// Throws DataError ("path: ...") before anything of such a set is read, std::runtime_error where the library
/// fails.
ModelContents read_sets(hid_t file, std::size_t bytes);

}  // namespace elmx
