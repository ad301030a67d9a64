#pragma once

#include "data/dataset.hpp"
#include "data/source.hpp"

namespace elmx {

/// A set of images with their labels in files of their own (IDX); one column a pixel, row by row. Beside X only the
/// files themselves are in memory, one byte a value. Throws DataError; ConfigError: no file of labels.
Dataset load_images(const Source& source);

}  // namespace elmx
