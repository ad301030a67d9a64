#pragma once

#include <hdf5.h>

#include <armadillo>
#include <string>
#include <vector>

#include "base/files/temporary_file.hpp"
#include "data/content/content.hpp"

namespace elmx {

/// Rows and columns of a data set of numbers; `where` begins the messages. Throws DataError.
std::vector<hsize_t> hdf5_extent(hid_t set, const std::string& where, std::size_t file_bytes);

/// Rows and columns of the chunks of a data set that is kept in chunks; `how` is its creation property list.
std::vector<hsize_t> hdf5_chunk(hid_t how);

/// Throws DataError where some numbers of the data set were never written; `where` begins the message.
void refuse_unwritten(hid_t set, const std::vector<hsize_t>& extent, const std::string& where);

/// Opens the data set of that name, or path, which is to be closed. Throws DataError: none, or one whose values lie in
/// other files.
hid_t open_hdf5_set(hid_t file, const std::string& name, const std::string& origin);

/// The numbers of an HDF5 file. The HDF5 library reads it in child processes only: it crashes on some damaged files.
class Hdf5File {
 public:
  /// Throws DataError: no HDF5 file.
  explicit Hdf5File(const Content& content);

  /// The data set of that name, or path, as doubles; one of a single dimension is a column. Throws DataError: no such
  /// data set (with those at the top of the file), not one or two dimensions of integers or floating-point numbers, not
  /// finite, sizes that the file cannot have, values that lie in other files or were never written.
  arma::mat read(const std::string& name) const;

 private:
  std::string origin_;
  std::size_t bytes_;
  TemporaryFile file_;
};

}  // namespace elmx
