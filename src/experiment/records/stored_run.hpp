#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"

namespace elmx {

/// The number of planned trials of a run; 0 if its experiment.json does not list trials.
struct PlannedTrials {
  std::size_t here = 0;  ///< trials of this run; fewer than `all` for a shard
  std::size_t all = 0;
  std::string part;  ///< as part_of
};

/// Reads a JSON file; null if it is missing or damaged.
Json json_or_null(const std::filesystem::path& file);

/// Returns the part of the run that an experiment.json is of: "shard 2 of 4"; "" = all trials.
std::string part_of(const Json& experiment);

/// Returns the keys of the planned trials of an experiment.json, in its order. A trial that several cases
/// share is listed once for each case.
std::vector<std::string> planned_keys(const Json& experiment);

/// A read-only view of a results folder: its experiment.json, which is read once, and the records that belong
/// to it.
class StoredRun {
 public:
  StoredRun() = default;

  /// Reads DIR/experiment.json if it exists. Throws DataError if it is not JSON.
  explicit StoredRun(std::filesystem::path folder);

  /// Uses an experiment.json that is already known.
  StoredRun(std::filesystem::path folder, Json experiment);

  const std::filesystem::path& folder() const { return folder_; }

  /// Returns DIR/experiment.json.
  std::filesystem::path file() const { return folder_ / "experiment.json"; }

  /// Returns the content of experiment.json; null if it does not exist.
  const Json& experiment() const { return experiment_; }

  /// Returns one {"case", "point", "dataset", "options", "trials"} per case and sweep point.
  const Json& cases() const;

  PlannedTrials planned() const;

  /// Returns the last record of each trial of each case and sweep point, in the order and with the names of
  /// experiment.json. Leaves out records of other trials, which remain in the file if a run was continued
  /// with another config or other data. A trial that several cases share gives a record for each case. If
  /// experiment.json does not list trials (an older elmx wrote it), returns the last record of each trial, in
  /// file order. Throws DataError or ConfigError.
  std::vector<Record> records() const;

  /// Selects from the records `written` as records() selects from the file.
  std::vector<Record> records(const RecordsByKey& written) const;

 private:
  std::filesystem::path folder_;
  Json experiment_;
};

/// A run without remaining work.
struct FinishedRun {
  StoredRun run;
  std::vector<Record> records;  ///< the records of all trials in plan order
};

/// Returns the run in the folder if it has finished everything that the config requests, including models,
/// with this build of the program and the same data files. Compares the checksums of the files and loads no
/// data set. Returns none if work is left, or if this cannot be decided because a file is missing or damaged.
std::optional<FinishedRun> find_finished_run(const std::filesystem::path& folder, const Json& config,
                                             const std::filesystem::path& data_dir);

// Descriptions of two runs (provenance.cpp)

/// Returns the members of an experiment.json that describe the program and the machine.
Json describe_program();

/// The file in a results folder with every decision that was made while the data were read.
inline constexpr const char* kDataFile = "data.json";

/// Describes the first difference between the experiments `earlier` and `now`, or returns "". Compares the
/// config, the content of the data sets, the program, the BLAS kernels (which change the last bits) and the
/// shard. Example: "config: case "small": model.ridge: 0.1 there, 0.2 here".
std::string what_changed(const Json& earlier, const Json& now);

/// Describes a difference in the content of data sets that both experiments have, or returns "".
std::string changed_data(const Json& earlier, const Json& now);

/// Describes a difference in the version of the computation (kComputedVersion) or in the BLAS kernels, or
/// returns "".
std::string changed_program(const Json& earlier, const Json& now);

/// Describes the first difference between the builds of two programs, or returns "".
std::string changed_build(const Json& earlier, const Json& now);

/// Returns the reason why the run `now` cannot continue the results of the run `earlier`, with the changed
/// place, or "" if `now` only adds trials. Reasons are a program with another computation, or a trial among
/// `recorded` (keys of records) that is no longer in the plan. A trial that reports more sizes of its network
/// has another key and is run again, which is not a conflict.
std::string resume_conflict(const Json& earlier, const Json& now, const std::set<std::string>& recorded);

// Final models and other files that depend on a choice among finished trials

/// The file of the chosen model of a run, trained on all rows.
inline constexpr const char* kFinalModel = "model.h5";

/// Returns "models/final-SET.h5", the file of the chosen model in a run of several data sets.
std::string final_model_name(const std::string& dataset);

/// The file of the predictions for the test parts, by the folds' networks of the final model's method.
inline constexpr const char* kTestPredictions = "predictions.csv";

/// Returns the file of the predictions that belongs to a final model: "models/final-SET.csv" in a run of
/// several data sets.
std::string predictions_name(const std::string& final_model);

/// Returns the final models that the run of an experiment.json requests: data set -> file name.
std::map<std::string, std::string> final_models_wanted(const Json& experiment);

/// The file of the reasons why data sets have no final model, so that a resumed run does not train them
/// again.
inline constexpr const char* kNoFinalModel = "no_model.json";

/// The reason why a data set has no final model.
struct NoFinalModel {
  std::string why;
  bool failed = false;  ///< a training failed; false: the config defines no final model
};

/// Returns the content of no_model.json by data set; empty if the file is missing or damaged.
std::map<std::string, NoFinalModel> read_no_final_models(const std::filesystem::path& folder);

void write_no_final_models(const std::filesystem::path& folder, const std::map<std::string, NoFinalModel>& none);

/// The files that depend on a choice among finished trials: final models with their test predictions (or the
/// reasons for their absence), and, in cases with "select" other than stacks, the networks of the folds,
/// "models/NAME-KEY.h5". They must not stay beside other records, which they were not chosen from.
class ChoiceFiles {
 public:
  /// Adds the files of the run that an experiment.json describes, even if its content is damaged.
  void add(const Json& experiment);

  /// Returns true if a name in the folder is such a file.
  bool contains(const std::string& name) const;

 private:
  std::set<std::string> final_{kFinalModel, kTestPredictions, kNoFinalModel}, keys_;
};

}  // namespace elmx
