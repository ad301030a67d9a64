#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/config/json.hpp"

namespace elmx {

/// The choice of a run, trained on all rows.
inline constexpr const char* kFinalModel = "model.h5";

/// "models/final-SET.h5": the same in a run of several data sets.
std::string final_model_name(const std::string& dataset);

/// What the networks of the folds predict for their test parts, by the method of the final model.
inline constexpr const char* kTestPredictions = "predictions.csv";

/// The file of the predictions that belongs to a final model: "models/final-SET.csv" in a run of several data
/// sets.
std::string predictions_name(const std::string& final_model);

/// The final models that the run of an experiment.json wants: data set -> name of the file.
std::map<std::string, std::string> final_models_wanted(const Json& experiment);

/// Why data sets of a run have no final model: the trainings that would make it are not repeated.
inline constexpr const char* kNoFinalModel = "no_model.json";

/// Why a data set has no final model.
struct NoFinalModel {
  std::string why;
  bool failed = false;  ///< a training failed; otherwise the config asks for nothing that could be trained
};

/// The content of no_model.json by data set; empty where the file is not there or damaged.
std::map<std::string, NoFinalModel> read_no_final_models(const std::filesystem::path& folder);

void write_no_final_models(const std::filesystem::path& folder, const std::map<std::string, NoFinalModel>& none);

/// What a run trains once its trials are finished, because it was chosen among them: final models with their
/// predictions of the test parts (or why there are none), and in cases with "select" but stacks the networks
/// of the folds, "models/NAME-KEY.h5". Beside other records they would be taken for a choice that nobody has
/// made.
class ChoiceFiles {
 public:
  /// Adds those of the run that an experiment.json describes, damaged or not.
  void add(const Json& experiment);

  /// True if a name in the folder is one of them.
  bool contains(const std::string& name) const;

 private:
  std::set<std::string> final_{kFinalModel, kTestPredictions, kNoFinalModel}, keys_;
};

}  // namespace elmx
