#pragma once

#include <optional>
#include <string>

#include "base/config/fields.hpp"

namespace elmx {

struct Dataset;
struct FromDisk;
struct Source;

/// Where a MAT-file or an HDF5 file has its samples.
struct MatOptions {
  std::string inputs_variable = "fea";
  std::string target_variable = "gnd";
  std::string samples_are = "rows";

  template <class F>
  void fields(F& field) {
    field("inputs_variable", inputs_variable, "MAT-file, HDF5: the variable (HDF5: data set) that holds the inputs");
    field("target_variable", target_variable, "MAT-file, HDF5: the one that holds the labels or targets");
    field("samples_are", samples_are, "MAT-file, HDF5: what a sample is in these variables",
          one_of({"rows", "columns"}));
  }
};

/// A set whose parts are MAT-files (MATLAB 5 to 7 and 7.3), each with a matrix of inputs and one of targets, whose rows
/// (or, where the source says so, columns) are the samples. Labels of a classification are whole numbers; they, or a
/// single target of a regression, may be a row or a column. Beside X only the file is in memory, unless X is not of
/// class double in the file or there is a test part. Throws DataError.
Dataset load_mat(const Source& source, const MatOptions& options);

/// The same of HDF5 files, whose data sets have one or two dimensions; the first counts rows.
Dataset load_hdf5(const Source& source, const MatOptions& options);

/// The same with inputs that stay in the file; nothing where that is not wanted. Two passes, for the checksum and for
/// the numbers. Throws DataError.
std::optional<Dataset> hdf5_from_disk(const Source& source, const MatOptions& options, const FromDisk& from_disk);

}  // namespace elmx
