#pragma once

#include "data/content/content.hpp"
#include "data/images/binary_matrix.hpp"

namespace elmx {

/// An IDX file of unsigned bytes (the format of MNIST). Big endian: 0, 0, type (8 = unsigned byte), number of
/// dimensions, the sizes, the data. Throws DataError: another magic number, a file that is shorter or longer
/// than its header says.
BinaryMatrix read_idx(Content content);

/// The same of a file of so many bytes that begins with `head`, without its numbers.
BinaryMatrix idx_header(std::string_view head, std::size_t file_bytes, const std::string& origin);

}  // namespace elmx
