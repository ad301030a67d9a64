#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/config/json.hpp"

namespace elmx {

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
