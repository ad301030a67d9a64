#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// A case that is tested on a fold set, at all of its sweep points or at the points that contain `point`.
struct FoldUse {
  std::string experiment_case;
  std::map<std::string, Json> point;  ///< the values that all of these sweep points share
  const CaseSpec* spec = nullptr;     ///< the first of these sweep points, owned by the plan
};

/// A data set and its folds, shared by cases and sweep points.
struct FoldSet {
  std::shared_ptr<const Dataset> data;
  Folds folds;
  std::vector<std::vector<SampleDigests>> samples;  ///< [repeat][fold]
  std::vector<FoldUse> uses;
  std::size_t split = 1;  ///< number of the split among the splits of its data set, in config order
};

/// Returns every fold set of the plan once, in plan order.
std::vector<FoldSet> fold_sets(const Plan& plan);

/// Return true if there are several data sets, or several splits of a data set.
bool several_data_sets(const std::vector<FoldSet>& sets);
bool several_splits(const std::vector<FoldSet>& sets);

/// Returns the row numbers of a part in the files, from 1. Dropped rows are counted. The numbers of the
/// second file continue after the first file.
arma::uvec row_numbers(const Dataset& data, const arma::uvec& rows);

/// Returns a CSV text with one line for each row in each part of each fold: dataset (if there are several),
/// split (if a data set has several), row, repeat, fold, part (train, test or unlabelled). A row that is in
/// no part of a fold has no line there.
std::string folds_csv(const std::vector<FoldSet>& sets);

/// Reads the predictions of an external method from a CSV file that has every test row of every fold of the
/// sets once, and these columns in any order:
///
///     dataset, split          if folds_csv has them
///     row, repeat, fold       as in folds_csv; an additional column "part" may say "test"
///     prediction              the value of a single target, or the name of a class
///     NAME                    for several targets, one column each
///     score_CLASS             in place of a prediction, one column per class: predicts the class with the
///                             largest score (the first on ties)
///     seconds                 optional: training time, the same in all lines of a fold
///
/// Returns records of the family kImported and the algorithm `name`, one for each fold of each case, with the
/// same test metrics as a trial. Throws DataError with the file and the line.
std::vector<Record> records_of_predictions(const std::filesystem::path& file, const std::string& name,
                                           const std::vector<FoldSet>& sets);

/// Throws ConfigError for a method name that is not a valid file name, cannot stand in a list of names, or is
/// the name of an algorithm of the plan.
void refuse_wrong_name(const std::string& name, const Plan& plan);

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
