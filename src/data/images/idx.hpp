#pragma once

#include "data/content/content.hpp"
#include "data/images/binary_matrix.hpp"

namespace elmx {

/// An IDX file of unsigned bytes (the format of MNIST). Big endian: 0, 0, type (8 = unsigned byte), number of
/// dimensions, the sizes, the data. Throws DataError: another magic number, a file that is shorter or longer than its
/// header says.
BinaryMatrix read_idx(Content content);

}  // namespace elmx
