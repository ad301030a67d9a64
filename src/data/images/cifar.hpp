#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"

namespace elmx {

struct Dataset;
struct Source;

struct CifarOptions {
  std::vector<std::string> batch_paths;
  std::string class_names_path;

  template <class F>
  void fields(F& field) {
    field("batch_paths", batch_paths, "CIFAR-10: further batches of the training part, behind that of \"path\"",
          a_path());
    field("class_names_path", class_names_path, "CIFAR-10: a file of the class names, batches.meta.txt", a_path());
  }
};

/// The binary version of CIFAR-10: records of one label byte (0 to 9), then 1024 bytes each of red, green and
/// blue, every channel row by row. The training part may be several batches; a test batch and a file of the
/// ten class names are optional. Beside X only the files themselves are in memory. Throws DataError.
///
/// Krizhevsky, Learning multiple layers of features from tiny images, technical report, University of
/// Toronto, 2009.
Dataset load_cifar(const Source& source);

}  // namespace elmx
