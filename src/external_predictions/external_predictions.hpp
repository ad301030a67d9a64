#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "external_predictions/fold_sets.hpp"

namespace elmx {

/// What an external method predicts on the test part of one fold, in the order of Fold::test.
struct FoldPredictions {
  arma::mat values;                                           ///< n x c, of a regression, in the units of the data
  arma::uvec classes;                                         ///< n class indices, of a classification
  double seconds = std::numeric_limits<double>::quiet_NaN();  ///< of training; NaN = not said
};

/// [repeat][fold] of a fold set.
using SetPredictions = std::vector<std::vector<FoldPredictions>>;

/// Reads the predictions of a CSV file for each of the sets: every test row of every fold once, in columns
/// of any order:
///
///     dataset, split          where folds_csv has them
///     row, repeat, fold       as folds_csv has them; a column part may say "test"
///     prediction              of one target, or the name of a class
///     NAME                    of several targets, one column each
///     score_CLASS             in place of a prediction: one column each, the class of the largest (the first of equals)
///     seconds                 if there: training time, the same in all lines of a fold
///
/// Throws DataError, one line that says where and what is allowed.
std::vector<SetPredictions> read_external_predictions(const std::filesystem::path& file,
                                                      const std::vector<FoldSet>& sets);

}  // namespace elmx
