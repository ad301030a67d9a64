#pragma once

#include <armadillo>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/rows/array_rows.hpp"

namespace elmx {

struct Dataset;
struct FromDisk;
struct Source;

/// A binary file of numbers of one type: a header, then N x d values, sample by sample.
struct BinaryMatrix {
  SharedContent file;
  std::vector<arma::uword> shape;  ///< at least one size: N, then the sizes whose product is d
  ArrayInFile array;               ///< N x d

  const std::string& origin() const { return file->origin; }
  arma::uword count() const { return array.rows; }
  arma::uword dimension() const { return array.cols; }
  /// Returns the samples, N x d, which are read from memory or disk in place.
  SharedRows rows() const { return array_rows(file, array); }
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

/// The options for images, or arrays, with labels in separate files.
struct ImageOptions {
  std::string labels_path;
  std::string test_labels_path;

  void fields(FieldVisitor& field);
};

struct CifarOptions {
  std::vector<std::string> batch_paths;
  std::string class_names_path;

  void fields(FieldVisitor& field);
};

/// Loads a set of images with their labels in separate files (IDX, NORB): one column per pixel, or per block
/// of pixels (Source::block_mean), in the order of the file. Labels are 0 to 255. Apart from X, only the
/// files themselves are in memory; images that stay in their files are read once for the checksum and once to
/// find constant columns. Throws DataError; ConfigError: no file of labels.
Dataset load_images(const Source& source, BinaryMatrix (*read)(SharedContent), const FromDisk& from_disk);

/// Loads the binary version of CIFAR-10: records of one label byte (0 to 9), then 1024 bytes each of red,
/// green and blue, every channel row by row. The training part may be several batches; a test batch and a
/// file of the ten class names are optional. All files may be members of one archive, as published
/// (cifar-10-binary.tar.gz). Apart from X, only the files themselves are in memory. Throws DataError.
///
/// Krizhevsky, Learning multiple layers of features from tiny images, technical report, University of
/// Toronto, 2009.
Dataset load_cifar(const Source& source);

}  // namespace elmx
