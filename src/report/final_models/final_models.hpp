#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/machine/clock.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/stored_run.hpp"
#include "report/frame/selection.hpp"

namespace elmx {

class TrainedMembers;

/// The models that a run with "save_model" saves for predictions.
struct FinalModels {
  std::vector<std::filesystem::path> of_folds;  ///< with "select": the network that each fold has chosen
  std::vector<std::string> notes;               ///< notes on missing parts of the models
};

struct FinalModelsRequest {
  const std::vector<Record>& records;  ///< the records of the whole plan
  RecordOrder order;
  std::filesystem::path folder;
  const TrainedMembers& members;  ///< cache of networks that need not be trained again
  std::function<std::unique_ptr<Clock>()> make_clock;
  std::function<bool()> stopped;                     ///< returns true if no training may be started
  std::function<void(const std::string&)> progress;  ///< called before each training
  std::function<void(double seconds)> done;          ///< called after each, with its ordinary_seconds
};

/// Writes the chosen networks, taken from the cache or trained again up to the chosen size. An existing file
/// stays; a new record removes the files that it may change (ResultsFolder).
///
///     FOLDER/models/NAME-KEY.h5   with "select": the network of each fold at the chosen point and size, with
///                                 the same bits as in the trial
///     FOLDER/model.h5             the chosen model on all rows. With "select", all points of all cases and
///                                 algorithms are fitted on all rows, and the same rule chooses among them
///                                 (on ties the fewest nodes). Without "select", the only point. For several
///                                 data sets, models/final-NAME.h5 each.
///
/// There is no final model if "select" is missing for several points, if few samples are labelled, or if the
/// training on all rows fails; FOLDER/no_model.json has the reason. Throws OutputError.
FinalModels save_final_models(const Plan& plan, const FinalModelsRequest& request);

}  // namespace elmx
