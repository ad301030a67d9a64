#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiment/records/stored_run.hpp"
#include "report/frame/record_rows.hpp"
#include "report/frame/selection.hpp"

namespace elmx {

/// The parts of the experiment.json of a run that views of results need.
struct RunDescription {
  std::filesystem::path path = {};
  std::string name = {};   ///< name in the config
  RecordOrder order = {};  ///< cases and algorithms in the order of the run
  Selections select = {};  ///< selections of each case
  /// case -> the baseline algorithm of speed-ups; "" = not given
  std::map<std::string, std::string> baselines = {};
  std::set<std::string> saving = {};  ///< cases whose config says "save_model"
  /// case -> /preprocess/targets of its config, including all defaults
  std::map<std::string, Json> targets = {};
  ClassesOfSets classes = {};
  std::map<std::string, double> samples = {};  ///< number of samples of each data set
  /// checksums of the files of each data set; if it was read in several ways, of all readings
  std::map<std::string, std::set<Json>> data = {};
  Json resolved = Json::array();  ///< one {"case", "point", "options"} per case and sweep point

  /// Returns the LaTeX label of a table, which differs from the labels of the tables of other runs.
  std::string label(const std::string& table) const { return name.empty() ? table : name + "-" + table; }
};

/// Reads the description of a run; empty except for its path if the folder has no experiment.json. Throws
/// DataError if the file has other content.
RunDescription describe(const StoredRun& stored);

/// Returns a line for each data set that has the same name but different files in the runs A and B.
std::vector<std::string> different_data(const RunDescription& a, const RunDescription& b);

/// Returns the ratio of the sizes of test and training part at the case and sweep point of `row`: 1 / (k - 1)
/// for k folds, 1/4 under "validate", and the recorded counts of a holdout, or f / (1 - f) for its fraction f
/// if they were not recorded. For a row that has chosen, and for an imported method, all its points count.
/// Throws ConfigError if the description does not determine the ratio, and for splits whose test part is the
/// same in all repeats.
double test_over_train(const RunDescription& run, const RecordRow& row);

/// Returns the options in which the configs of two rows differ, "model.ridge 0.1 and 1", by their places.
/// Returns none if a description lacks the options.
std::map<std::string, std::string> differing_options(const RunDescription& a, const RecordRow& of_a,
                                                     const RunDescription& b, const RecordRow& of_b);

/// Does the same, except for names, files and fields that rows show (algorithm, nodes, swept places). If the
/// families differ, other model options are left out.
std::vector<std::string> different_options(const RunDescription& a, const RecordRow& of_a, const RunDescription& b,
                                           const RecordRow& of_b);

}  // namespace elmx
