#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/nan.hpp"
#include "external_predictions/fold_sets.hpp"

namespace elmx {

/// What an external method predicts on the test part of one fold, in the order of Fold::test.
struct FoldPredictions {
  arma::mat values;      ///< n x c, of a regression, in the units of the data
  arma::uvec classes;    ///< n class indices, of a classification
  double seconds = nan;  ///< of training; NaN = not said
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

/// Throws ConfigError where a method cannot have that name: it would be no file of a folder, could not stand
/// in a list of names, or is that of an algorithm of the plan.
void refuse_wrong_name(const std::string& name, const Plan& plan);

/// Records of family kImported and algorithm `name`: one for each fold of each case, with the metrics of the
/// test part as a trial has them.
std::vector<Record> records_of(const std::string& name, const std::vector<FoldSet>& sets,
                               const std::vector<SetPredictions>& predictions);

/// Writes FOLDER/imported/NAME.jsonl; true where it replaces an earlier one.
bool write_imported(const std::filesystem::path& folder, const std::string& name, const std::vector<Record>& records);

/// The records of a run and those that were imported into its folder.
struct WithImported {
  std::vector<Record> records;
  std::vector<std::string> hidden;  ///< methods with records of other data or folds than the run has
};

/// Imported records are shown where the run has finished a trial of the same case, data set and fold, with
/// the same samples. Throws DataError where a file of FOLDER/imported is damaged.
WithImported with_imported(std::vector<Record> records, const std::filesystem::path& folder);

}  // namespace elmx
