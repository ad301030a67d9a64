#pragma once

#include <hdf5.h>

#include <filesystem>

#include "data/matlab/array_file.hpp"

namespace elmx {

/// Rows and columns of a data set of numbers; `where` begins the messages. Throws DataError.
std::vector<hsize_t> hdf5_extent(hid_t set, const std::string& where, std::size_t file_bytes);

/// Rows and columns of the chunks of a data set that is kept in chunks; `how` is its creation property list.
std::vector<hsize_t> hdf5_chunk(hid_t how);

/// Throws DataError if some numbers of the data set were never written; `where` begins the message.
void refuse_unwritten(hid_t set, const std::vector<hsize_t>& extent, const std::string& where);

/// Opens the data set of that name, or path, which is to be closed. Throws DataError: its values lie in other
/// files.
hid_t open_hdf5_set(hid_t file, const std::string& name, const std::string& where);

/// Returns f(file) for an HDF5 file of `bytes` bytes, which is opened in a child process: the HDF5 library
/// crashes on some damaged files. Throws DataError: as f does, or if the library fails.
arma::mat in_hdf5(const std::filesystem::path& path, const std::string& origin, std::size_t bytes,
                  const std::function<arma::mat(hid_t file)>& f);

/// The data sets of an HDF5 file by their paths, or, with `matlab`, the variables of a MAT-file of version
/// 7.3. Links to other files are not followed. Throws DataError.
std::vector<Variable> hdf5_variables(const std::filesystem::path& path, const std::string& origin, std::size_t bytes,
                                     bool matlab = false);

/// Opens an HDF5 file. Numbers are refused if they lie in other files or were never written, or if the file
/// cannot have so many. With `matlab`: the matrices are transposed, and numbers that were never written are
/// zero. Throws DataError.
ArrayFile open_hdf5(Content content, bool matlab);

}  // namespace elmx
