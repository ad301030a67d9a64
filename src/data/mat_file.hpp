#pragma once

#include <armadillo>
#include <memory>
#include <string>

#include "data/content.hpp"

struct _mat_t;

namespace elmx {

/// The variables of a MAT-file: MATLAB 5 to 7 or, HDF5 inside, 7.3.
class MatFile {
 public:
  /// Throws DataError: another version, damaged.
  explicit MatFile(const Content& content);

  /// The matrix of that name as doubles, read straight into its place where it is of class double. Throws DataError: no
  /// such variable (with those there are), not a real, full, two-dimensional, non-empty matrix of finite numbers.
  arma::mat read(const std::string& name) const;

 private:
  struct Close {
    void operator()(_mat_t* mat) const;
  };

  std::string origin_;
  std::size_t bytes_;
  std::unique_ptr<_mat_t, Close> mat_;
};

}  // namespace elmx
