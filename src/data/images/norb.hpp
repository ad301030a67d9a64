#pragma once

#include "data/content/content.hpp"
#include "data/images/binary_matrix.hpp"

namespace elmx {

/// A file of NORB's binary matrix format, of unsigned bytes (the images, "dat") or int32 (the labels, "cat").
/// Little endian: magic number, number of dimensions, the sizes (at least three are stored; those beyond the
/// dimensions are 1), the data. Throws DataError: another magic number, a file that is shorter or longer than
/// its header says.
///
/// LeCun, Huang & Bottou, Learning methods for generic object recognition with invariance to pose and
/// lighting, CVPR 2004; the format is described with the data sets.
BinaryMatrix read_norb(Content content);

}  // namespace elmx
