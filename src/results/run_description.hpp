#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiment/records/stored_run.hpp"
#include "results/record_rows.hpp"
#include "results/selection.hpp"

namespace elmx {

/// What views of results need of the experiment.json of a run.
struct RunDescription {
  std::filesystem::path path = {};
  std::string name = {};   ///< of the config
  RecordOrder order = {};  ///< cases and algorithms as the run ordered them
  Selections select = {};  ///< of each case
  /// case -> the algorithm that speed-ups are over; "" = not said
  std::map<std::string, std::string> baselines = {};
  std::set<std::string> saving = {};  ///< cases whose config says "save_model"
  /// case -> /preprocess/targets of its config, with every default
  std::map<std::string, Json> targets = {};
  ClassesOfSets classes = {};
  std::map<std::string, double> samples = {};  ///< of each data set
  /// Checksums of the files of each data set; of several readings all.
  std::map<std::string, std::set<Json>> data = {};
  Json resolved = Json::array();  ///< one {"case", "point", "options"} a case and sweep point

  /// The label in LaTeX of a table that tells the table apart from the tables of other runs.
  std::string label(const std::string& table) const { return name.empty() ? table : name + "-" + table; }
};

/// Empty but for its path where the folder has no experiment.json. Throws DataError where that is something
/// else.
RunDescription describe(const StoredRun& stored);

/// A line for each data set of one name whose files differ between the runs A and B.
std::vector<std::string> different_data(const RunDescription& a, const RunDescription& b);

/// Samples of a test part over samples of its training part at the case and sweep point of `row`: 1 / (k - 1)
/// of k folds, 1/4 under "validate", and of a holdout as they were counted, or f / (1 - f) of its fraction f
/// where they were not recorded. Of a row that has chosen, and of an imported method, at all points that it
/// stands for. Throws ConfigError where the description does not tell, and for splits whose test part does
/// not change from repeat to repeat.
double test_over_train(const RunDescription& run, const RecordRow& row);

/// In which options of their configs two rows differ, "/model/ridge 0.1 and 1": all but names, files and what
/// rows tell themselves (algorithm, nodes, swept places); of two families that alone. None where the
/// descriptions do not tell.
std::vector<std::string> different_options(const RunDescription& a, const RecordRow& of_a, const RunDescription& b,
                                           const RecordRow& of_b);

/// In which options the splits of two rows differ, "/seed 1 and 2, /split/folds 5 and 10"; "" where the
/// descriptions do not tell, or have the same.
std::string different_splits(const RunDescription& a, const RecordRow& of_a, const RunDescription& b,
                             const RecordRow& of_b);

}  // namespace elmx
