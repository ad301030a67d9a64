#pragma once

#include "data/dataset.hpp"
#include "data/source.hpp"

namespace elmx {

/// The binary version of CIFAR-10: records of one label byte (0 to 9), then 1024 bytes each of red, green and blue,
/// every channel row by row. The training part may be several batches; a test batch and a file of the ten class names
/// are optional. Beside X only the files themselves are in memory. Throws DataError.
///
/// Krizhevsky, Learning multiple layers of features from tiny images, technical report, University of Toronto, 2009.
Dataset load_cifar(const Source& source);

}  // namespace elmx
