#pragma once

#include <armadillo>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/temporary_file.hpp"
#include "data/content/content.hpp"

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
  using Handle = std::unique_ptr<_mat_t, Close>;

  Handle open(const std::filesystem::path& path) const;

  /// A MATLAB 5 file without the variables that are not arrays of numbers; these become others_. libmatio never sees
  /// them: it trusts what they say of themselves, and crashes on or leaks what a damaged one says.
  std::string sound_part(std::string_view bytes);
  std::vector<std::string> names(_mat_t* mat) const;

  /// As read, with an open file.
  arma::mat read_from(_mat_t* mat, const std::string& name) const;

  std::string origin_;
  std::size_t bytes_;
  std::unique_ptr<const TemporaryFile>
      file_;  // 7.3: HDF5 crashes on some damaged files, so it is opened in child processes only
  std::map<std::string, std::string> others_;  // name -> what it is
  Handle mat_;                                 // MATLAB 5
};

}  // namespace elmx
