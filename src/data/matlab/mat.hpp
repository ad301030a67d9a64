#pragma once

#include "data/dataset.hpp"
#include "data/source.hpp"

namespace elmx {

/// A set whose parts are MAT-files (MATLAB 5 to 7 and 7.3), each with a matrix of inputs and one of targets, whose rows
/// (or, where the source says so, columns) are the samples. Labels of a classification are whole numbers; they, or a
/// single target of a regression, may be a row or a column. Beside X only the file is in memory, unless X is not of
/// class double in the file or there is a test part. Throws DataError.
Dataset load_mat(const Source& source);

}  // namespace elmx
