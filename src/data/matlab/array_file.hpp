#pragma once

#include <armadillo>
#include <functional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/content/content.hpp"
#include "data/rows/row_source.hpp"
#include "data/table/read_report.hpp"

namespace elmx {

struct Dataset;
struct FromDisk;
struct Source;

/// The place of the samples in a file of arrays: a MAT-file, an HDF5 file, a .npz file.
struct MatOptions {
  std::string inputs_variable = "fea";
  std::string target_variable = "gnd";
  std::string samples_are = "rows";
  /// a new file for a model: it is read without targets if it does not have them
  bool targets_optional = false;

  template <class F>
  void fields(F& field) {
    field("inputs_variable", inputs_variable,
          "MAT-file, HDF5, npz: the variable (HDF5: data set) that holds the inputs");
    field("target_variable", target_variable, "MAT-file, HDF5, npz: the one that holds the labels or targets");
    field("samples_are", samples_are, "MAT-file, HDF5, npz: what a sample is in these variables",
          one_of({"rows", "columns"}));
  }
};

/// An open file of arrays: its variables, and the numbers of one of them. A variable of one dimension is read
/// as a column.
struct ArrayFile {
  std::vector<Variable> variables;
  std::function<arma::mat(const Variable& variable)> read;
  /// The rows of a variable (transposed: its columns) as samples that stay in the file; null: they cannot.
  std::function<SharedRows(const Variable& variable, bool transposed)> rows = nullptr;
};

/// 2^53: labels from here on would lose digits, since doubles skip whole numbers.
inline constexpr double kLabelsEnd = 9007199254740992;

/// Opens a MAT-file. MATLAB 5 to 7: its elements, each a type, a length and that many bytes, must fill the
/// file exactly, and the storage of an array of numbers must have the size that its dimensions ask for; what
/// is inside of other variables (a struct, a cell array) is not looked at. MATLAB 7.3: see open_matlab73.
/// Throws DataError.
ArrayFile open_mat(Content content, const MatOptions& options);

/// Opens an HDF5 file: its data sets by their paths, of one or two dimensions, the first of which counts
/// rows. Links to other files are not followed. Numbers are refused if they lie in other files or were never
/// written, or if the file cannot have so many.
///
/// Rows stay in the file where they are integers, enumerations (booleans of h5py) or floating-point numbers,
/// in one piece or in chunks, plain or packed by gzip, with shuffle or without. The HDF5 library finds out in
/// a child process where the numbers are, which are then read without it. Throws DataError.
ArrayFile open_hdf5(Content content, const MatOptions& options);

/// Opens a MAT-file of version 7.3, which is an HDF5 file whose matrices are transposed, and in which numbers
/// that were never written are zero. Throws DataError.
ArrayFile open_matlab73(Content content);

/// Loads a set whose parts are files of arrays, each with a matrix of inputs and one of targets, whose rows
/// (or, if the options say so, columns) are the samples. Labels of a classification are whole numbers; they,
/// or a single target of a regression, may be a row or a column. If a default name is not in the file and the
/// choice is unambiguous, the only matrix is the inputs and the only vector with a value for each sample is
/// the targets, and the report says so. Inputs that stay in their file are read twice: for the checksum and
/// for their numbers. Throws DataError.
Dataset load_arrays(const Source& source, MatOptions options,
                    ArrayFile (*open)(Content content, const MatOptions& options), const FromDisk& from_disk);

}  // namespace elmx
