#pragma once

#include <armadillo>
#include <functional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/content/content.hpp"
#include "data/rows/array_rows.hpp"
#include "data/table/read_report.hpp"

namespace elmx {

struct Dataset;
struct FromDisk;
struct Source;

/// The options that locate the samples in a file of arrays: a MAT-file, an HDF5 file, a .npz file.
struct MatOptions {
  std::string inputs_variable = "fea";
  std::string target_variable = "gnd";
  std::string samples_are = "rows";
  /// For a new file for a model: the file is read without targets if it has none.
  bool targets_optional = false;

  void fields(FieldVisitor& field);
};

/// An open file of arrays: a list of its variables, and functions to read a variable. A variable of one
/// dimension is read as a column.
struct ArrayFile {
  std::vector<Variable> variables;
  std::function<arma::mat(const Variable& variable)> read;
  /// Returns the rows of a variable (its columns if transposed) as samples that stay in the file, or null if
  /// they cannot stay there.
  std::function<SharedRows(const Variable& variable, bool transposed)> rows = nullptr;
};

/// 2^53, the limit for labels: doubles cannot represent all larger whole numbers.
inline constexpr double kLabelsEnd = 9007199254740992;

/// Opens a .npz file: a zip archive of .npy files. Throws DataError.
ArrayFile open_npz(Content content, const MatOptions& options);

/// Opens a MAT-file. For MATLAB 5 to 7, its elements (a type, a length and that many bytes each) must fill
/// the file exactly, and the storage of a numeric array must have the size that its dimensions imply; the
/// content of other variables (a struct, a cell array) is ignored. For MATLAB 7.3 see open_matlab73. Throws
/// DataError.
ArrayFile open_mat(Content content, const MatOptions& options);

/// Opens an HDF5 file and its data sets by path, with one or two dimensions; the first dimension counts rows.
/// Links to other files are not followed. A data set is refused if its numbers lie in other files, were never
/// written, or exceed what the file can hold.
///
/// Rows can stay in the file if they are integers, enumerations (booleans of h5py) or floating-point numbers,
/// stored contiguously or in chunks, plain or packed by gzip, with or without shuffle. The HDF5 library
/// locates the numbers in a child process; they are then read without the library. Throws DataError.
ArrayFile open_hdf5(Content content, const MatOptions& options);

/// Opens a MAT-file of version 7.3, which is an HDF5 file whose matrices are transposed, and in which numbers
/// that were never written are zero. Throws DataError.
ArrayFile open_matlab73(Content content);

/// Loads a set of files of arrays, each with a matrix of inputs and a matrix of targets. Their rows (or
/// columns, if the options say so) are the samples. Labels of a classification are whole numbers; labels, or
/// a single regression target, may be a row or a column. If the file lacks a default name and the choice is
/// unambiguous, the only matrix becomes the inputs and the only vector with a value per sample becomes the
/// targets, and the report says so. Inputs that stay in their file are read twice: for the checksum and for
/// their numbers. Throws DataError.
Dataset load_arrays(const Source& source, MatOptions options,
                    ArrayFile (*open)(Content content, const MatOptions& options), const FromDisk& from_disk);

/// Reads the array of a .npy file (NumPy's format, versions 1 to 3) as doubles: one or two dimensions, in C
/// or Fortran order, of little-endian or big-endian floating-point numbers of 4 or 8 bytes, integers of 1 to
/// 8 bytes, or booleans. An array of one dimension becomes a column. Throws DataError for anything else, and
/// for a shape that does not match the file size.
arma::mat read_npy(const SharedContent& file);

/// Loads a set of .npy files, one sample per row of the array. The target is a column of the array, by its
/// number, or a separate array ("labels_path"), whose columns are then called target, or target1, target2,
/// ... NaN is a missing value. Inputs that stay in their file are read twice: for the checksum and for their
/// numbers. Throws ConfigError, DataError.
Dataset load_npy(const Source& source, const FromDisk& from_disk);

}  // namespace elmx
