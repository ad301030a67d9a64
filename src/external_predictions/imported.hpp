#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "external_predictions/external_predictions.hpp"

namespace elmx {

/// Throws ConfigError where a method cannot have that name: it would be no file of a folder, could not stand in a list
/// of names, or is that of an algorithm of the plan.
void refuse_wrong_name(const std::string& name, const Plan& plan);

/// Records of family kImported and algorithm `name`: one for each fold of each case, with the metrics of the test part
/// as a trial has them.
std::vector<Record> records_of(const std::string& name, const std::vector<FoldSet>& sets,
                               const std::vector<SetPredictions>& predictions);

/// Writes FOLDER/imported/NAME.jsonl; true where it replaces an earlier one.
bool write_imported(const std::filesystem::path& folder, const std::string& name, const std::vector<Record>& records);

/// The records of a run and those that were imported into its folder.
struct WithImported {
  std::vector<Record> records;
  std::vector<std::string> hidden;  ///< methods of which some records are of other data or folds than those of the run
};

/// Imported records are shown where the run has finished a trial of the same case, data set and fold, with the same
/// samples. Throws DataError where a file of FOLDER/imported is damaged.
WithImported with_imported(std::vector<Record> records, const std::filesystem::path& folder);

}  // namespace elmx
