#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/images/binary_matrix.hpp"

namespace elmx {

struct Dataset;
struct FromDisk;
struct Source;

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
