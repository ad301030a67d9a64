#pragma once

#include <armadillo>
#include <string>

#include "base/files/temporary_file.hpp"
#include "data/content/content.hpp"

namespace elmx {

/// The numbers of an HDF5 file. The HDF5 library reads it in child processes only: it crashes on some damaged files.
class Hdf5File {
 public:
  /// Throws DataError: no HDF5 file.
  explicit Hdf5File(const Content& content);

  /// The data set of that name, or path, as doubles; one of a single dimension is a column. Throws DataError: no such
  /// data set (with those at the top of the file), not one or two dimensions of integers or floating-point numbers, not
  /// finite, sizes that the file cannot have, values that lie in other files.
  arma::mat read(const std::string& name) const;

 private:
  std::string origin_;
  std::size_t bytes_;
  TemporaryFile file_;
};

}  // namespace elmx
