#pragma once

#include "data/dataset.hpp"
#include "data/images/binary_matrix.hpp"
#include "data/source.hpp"

namespace elmx {

/// A set of images with their labels in files of their own (IDX, NORB); one column a pixel, in the order of the file.
/// Labels are 0 to 255. Beside X only the files themselves are in memory. Throws DataError; ConfigError: no file of
/// labels.
Dataset load_images(const Source& source, BinaryMatrix (*read)(Content));

}  // namespace elmx
