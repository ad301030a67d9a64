#pragma once

#include <armadillo>
#include <vector>

#include "data/rows/array_rows.hpp"

namespace elmx {

/// A binary file of numbers of one type: a header, then N x d values, sample by sample.
struct BinaryMatrix {
  SharedContent file;
  std::vector<arma::uword> shape;  ///< at least one size: the number of samples
  std::size_t header;              ///< bytes before the data
  std::size_t value_bytes;         ///< 1: unsigned byte; 4: int32, little endian

  const std::string& origin() const { return file->origin; }
  arma::uword count() const { return shape.front(); }
  /// Returns the number of values of one sample: the product of all sizes except the first.
  arma::uword dimension() const;
  /// Returns the samples, N x d, which are read from memory or disk in place.
  SharedRows rows() const;
};

/// Reads an IDX file of unsigned bytes (the format of MNIST). Big endian: 0, 0, type (8 = unsigned byte),
/// number of dimensions, the sizes, the data. Throws DataError: another magic number, a size of zero, a file
/// that is shorter or longer than its header says.
BinaryMatrix read_idx(SharedContent file);

/// Reads a file of NORB's binary matrix format, of unsigned bytes (the images, "dat") or int32 (the labels,
/// "cat"). Little endian: magic number, number of dimensions, the sizes (at least three are stored; sizes
/// beyond the dimensions are 1), the data. Throws the same DataError as read_idx.
///
/// LeCun, Huang & Bottou, Learning methods for generic object recognition with invariance to pose and
/// lighting, CVPR 2004; the format is described with the data sets.
BinaryMatrix read_norb(SharedContent file);

/// Reduces each image to the rounded means of its blocks of side x side pixels: N x d / side^2, in pixel
/// order. The last two sizes of `images` are rows and columns of pixels. Throws DataError if the images do
/// not divide into such blocks.
SharedRows block_means(const BinaryMatrix& images, std::size_t side);

}  // namespace elmx
