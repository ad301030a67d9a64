#pragma once

#include <optional>
#include <string>

#include "base/config/fields.hpp"

namespace elmx {

struct ArrayFile;
struct Content;
struct Dataset;
struct FromDisk;
struct Source;

/// Where a file of arrays has its samples: a MAT-file, an HDF5 file, a .npz file.
struct MatOptions {
  std::string inputs_variable = "fea";
  std::string target_variable = "gnd";
  std::string samples_are = "rows";
  bool targets_optional = false;  ///< a new file for a model: it is read without targets if it does not have them

  template <class F>
  void fields(F& field) {
    field("inputs_variable", inputs_variable,
          "MAT-file, HDF5, npz: the variable (HDF5: data set) that holds the inputs");
    field("target_variable", target_variable, "MAT-file, HDF5, npz: the one that holds the labels or targets");
    field("samples_are", samples_are, "MAT-file, HDF5, npz: what a sample is in these variables",
          one_of({"rows", "columns"}));
  }
};

/// Loads a set whose parts are files of arrays, each with a matrix of inputs and one of targets, whose rows
/// (or, if the options say so, columns) are the samples. Labels of a classification are whole numbers; they,
/// or a single target of a regression, may be a row or a column. Throws DataError.
Dataset load_arrays(const Source& source, MatOptions options,
                    ArrayFile (*open)(Content content, const MatOptions& options));

/// The same for MAT-files (MATLAB 5 to 7 and 7.3).
Dataset load_mat(const Source& source, const MatOptions& options);

/// The same for HDF5 files, whose data sets have one or two dimensions; the first counts rows.
Dataset load_hdf5(const Source& source, const MatOptions& options);

/// The same with inputs that stay in the file, which is read twice: for its checksum and for its numbers.
/// Returns nothing if that is not wanted. Throws DataError.
std::optional<Dataset> hdf5_from_disk(const Source& source, MatOptions options, const FromDisk& from_disk);

}  // namespace elmx
