#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/machine/clock.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/choice_files.hpp"
#include "results/selection.hpp"

namespace elmx {

class TrainedMembers;

/// What a run whose config says "save_model" leaves for predictions.
struct FinalModels {
  std::vector<std::filesystem::path> of_folds;  ///< with "select": the network that each fold has chosen
  std::vector<std::filesystem::path> final;     ///< for each data set the choice, fitted on all rows
  std::map<std::string, NoFinalModel> none;     ///< data set -> why it has no final model
  std::vector<std::string> notes;               ///< what the models lack
};

struct FinalModelsRequest {
  const std::vector<Record>& records;  ///< of the whole plan
  RecordOrder order;
  std::filesystem::path folder;
  const TrainedMembers& members;  ///< cache of the run: networks that need not be trained again
  std::function<std::unique_ptr<Clock>()> make_clock;
  std::function<bool()> stopped;                          ///< nothing further is begun
  std::function<void(const std::string&)> progress = {};  ///< before each training
  std::function<void(double seconds)> done = {};          ///< after each: what final_seconds plans for it
};

/// Writes the chosen networks: those of the cache, and the others after training them again up to the chosen
/// size. An existing file stays; a record that joins removes the files that it may change (ResultsFolder).
///
///     FOLDER/models/NAME-KEY.h5   with "select": of each fold the network at the chosen point and size, the same
///                                 bits as in the trial
///     FOLDER/model.h5             the choice on all rows: with "select" all points are fitted on all rows and the
///                                 same rule chooses among them, over cases and algorithms too, of equals the one with
///                                 the fewest nodes; without it the only point. Of several data sets models/final-NAME.h5 each.
///
/// Where several points are not chosen among, few samples are labelled, or the training on all rows fails,
/// there is no final model: FOLDER/no_model.json says why. Throws OutputError.
FinalModels save_final_models(const Plan& plan, const FinalModelsRequest& request);

}  // namespace elmx
