#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/numbers.hpp"
#include "report/external_predictions/fold_sets.hpp"

namespace elmx {

/// The predictions of an external method on the test part of one fold, in the order of Fold::test.
struct FoldPredictions {
  arma::mat values;      ///< regression: n x c, in the units of the data
  arma::uvec classes;    ///< classification: n class indices
  double seconds = nan;  ///< training time; NaN = not stated
};

/// The predictions for a fold set, [repeat][fold].
using SetPredictions = std::vector<std::vector<FoldPredictions>>;

/// Reads the predictions of a CSV file for each of the sets. The file has every test row of every fold once,
/// and these columns in any order:
///
///     dataset, split          if folds_csv has them
///     row, repeat, fold       as in folds_csv; an additional column "part" may say "test"
///     prediction              the value of a single target, or the name of a class
///     NAME                    for several targets, one column each
///     score_CLASS             in place of a prediction, one column per class: predicts the class with the
///                             largest score (the first on ties)
///     seconds                 optional: training time, the same in all lines of a fold
///
/// Throws DataError with the file and the line.
std::vector<SetPredictions> read_external_predictions(const std::filesystem::path& file,
                                                      const std::vector<FoldSet>& sets);

/// Throws ConfigError for a method name that is not a valid file name, cannot stand in a list of names, or is
/// the name of an algorithm of the plan.
void refuse_wrong_name(const std::string& name, const Plan& plan);

/// Returns records of the family kImported and the algorithm `name`, one for each fold of each case, with the
/// same test metrics as a trial.
std::vector<Record> records_of(const std::string& name, const std::vector<FoldSet>& sets,
                               const std::vector<SetPredictions>& predictions);

/// Writes FOLDER/imported/NAME.jsonl. Returns true if it replaces an earlier file.
bool write_imported(const std::filesystem::path& folder, const std::string& name, const std::vector<Record>& records);

/// The records of a run and the records that were imported into its folder.
struct WithImported {
  std::vector<Record> records;
  std::vector<std::string> hidden;  ///< methods with records for data or folds that the run does not have
};

/// Adds the imported records for which the run has finished a trial of the same case, data set and fold with
/// the same samples. Throws DataError if a file of FOLDER/imported is damaged.
WithImported with_imported(std::vector<Record> records, const std::filesystem::path& folder);

}  // namespace elmx
