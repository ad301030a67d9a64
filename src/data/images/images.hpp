#pragma once

#include <optional>
#include <string>

#include "base/config/fields.hpp"

namespace elmx {

struct BinaryMatrix;
struct Content;
struct Dataset;
struct FromDisk;
struct Source;

/// Of images, or arrays, whose labels are in files of their own.
struct ImageOptions {
  std::string labels_path;
  std::string test_labels_path;

  template <class F>
  void fields(F& field) {
    field("labels_path", labels_path, "IDX, NORB, NPY: the file of the labels or targets that belong to \"path\"",
          a_path());
    field("test_labels_path", test_labels_path, "IDX, NORB, NPY: the same for \"test_path\"", a_path());
  }
};

/// A set of images with their labels in files of their own (IDX, NORB); one column a pixel, in the order of
/// the file. Labels are 0 to 255. Beside X only the files themselves are in memory. Throws DataError;
/// ConfigError: no file of labels.
Dataset load_images(const Source& source, BinaryMatrix (*read)(Content));

/// The same of IDX files whose images stay in them; nothing where that is not wanted. Two passes, for the
/// checksum and for columns that are constant.
std::optional<Dataset> idx_from_disk(const Source& source, const FromDisk& from_disk);

}  // namespace elmx
