#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/splits/split.hpp"
#include "data/transforms/inputs.hpp"
#include "data/transforms/pca.hpp"
#include "data/transforms/targets.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"
#include "models/calibration.hpp"
#include "models/registry/registry.hpp"
#include "models/stored/model_file.hpp"

namespace elmx {

/// The facts about the training data that a model keeps.
struct KnownData {
  std::string name;
  std::string task;
  std::vector<std::string> classes;
  std::string positive;
  std::vector<std::string> inputs;
  std::size_t outputs = 0;
  std::vector<KnownColumn> columns;
  bool sparse = false;
  std::vector<std::string> sha256;

  void fields(FieldVisitor& field);
};

/// The transformations from raw inputs to network inputs, and from network outputs to targets.
struct Preprocessing {
  Scaler inputs;                         ///< scaling of X; the identity if there are components
  std::optional<Components> components;  ///< principal components in place of X
  Scaler targets;                        ///< scaling of regression targets

  /// Returns the replacements of missing values of X; empty = no value may be missing.
  const arma::rowvec& fill() const { return components ? components->inputs.fill : inputs.fill; }
};

/// The facts about the training rows of an updatable model, beside the sums in its network (keep_sums).
struct TrainingRows {
  arma::uvec digests;               ///< sorted: see row_digests
  arma::rowvec class_weights = {};  ///< 1 x C; empty: all classes count the same
};

/// A trained network with everything a prediction needs.
struct SavedModel {
  /// description_of its record, and nodes, iterations, parameters and chosen of the checkpoint.
  Json trial;
  Json config;  ///< the resolved config of the trial's case and sweep point
  KnownData data;
  Preprocessing preprocessing;
  Fold rows;  ///< row numbers of the data as read
  TrainedNetwork network;
  ExperimentOptions options = {};  ///< the config as read
  /// The map from scores to probabilities; only for a classification model that was fitted on all rows.
  std::optional<Calibration> calibration = {};
  std::optional<TrainingRows> training_rows = {};  ///< only for save_model=updatable
  /// The members of a stack, one or more; `network` holds their weights.
  std::vector<SavedModel> members = {};
};

/// The member of SavedModel::trial with the reason why there is no calibration.
inline constexpr const char* kNoCalibration = "no_calibration";

/// The member of SavedModel::trial that lists the changes by `elmx update` and `elmx forget`.
inline constexpr const char* kUpdates = "updates";

/// Returns the targets of samples in the coding of the model.
Targets targets_of(const SavedModel& model, const Dataset& data);

/// Returns "models/NAME-KEY.h5", named after the case (the data set if there is no case), algorithm, sweep
/// point, repeat and fold.
std::string model_name(const Record& record);

/// Returns FOLDER/models/NAME-KEY.h5.
std::filesystem::path model_file(const std::filesystem::path& folder, const Record& record);

/// Returns true if a finished trial has a network to keep.
bool has_network(const Record& record);

KnownData known_data(const Dataset& data, arma::uword outputs);

/// Writes a model atomically and creates its folder if needed. Throws ConfigError.
void write_model(const std::filesystem::path& path, const SavedModel& model);

/// Reads a model and checks that its content is consistent. Throws DataError "path: ...".
SavedModel read_model(const std::filesystem::path& path);

/// Describes the method and the settings of a model: "elm: panel, activation tanh, ridge 0.001, 80 nodes".
std::string method_of(const SavedModel& model);

/// Reads a model from contents in memory; `origin` starts the messages.
SavedModel read_model(const ModelContents& contents, const std::string& origin);

/// Returns the network, ready for predictions. Throws DataError if the network does not fit its data.
std::unique_ptr<Predictor> restore(const SavedModel& model, const std::string& origin);

/// Calls f, and turns any error into a DataError of one line that starts with the model's file.
template <class F>
auto of_model_file(const std::string& origin, const F& f) {
  try {
    return f();
  } catch (const UserError& error) {
    throw DataError(error.place().empty() ? origin : origin + ": " + error.place(), error.problem());
  } catch (const Json::exception& error) {
    throw DataError(origin, std::string("not a valid description of a model: ") + error.what());
  } catch (const std::bad_alloc&) {
    throw DataError(origin, "the network does not fit into memory");
  }
}

/// Returns f(inputs) for the rows of X in the form that the network takes.
template <class F>
auto with_inputs(const Preprocessing& preprocessing, const InputRows& X, const arma::uvec& rows, const F& f) {
  if (!preprocessing.components) return f(Inputs{X, rows, preprocessing.inputs});
  const arma::mat Y = preprocessing.components->apply(X.matrix().rows(rows));
  return f(Inputs{Y, arma::regspace<arma::uvec>(0, 1, rows.n_elem - 1), preprocessing.inputs});
}

/// Computes the outputs Z, n x c, for rows of raw inputs X. Throws DataError if Z is not finite.
arma::mat predict(Predictor& predictor, const Preprocessing& preprocessing, const InputRows& X, const arma::uvec& rows);

/// Computes intervals that contain a new target with probability `level` (see jackknife_plus), in the units
/// of the outputs. X, rows: as in predict; Z: n x c, the predictions. Works in blocks of some hundred rows,
/// each with m c numbers of memory. Throws ConfigError: a classification, a model with no or too few
/// leave-one-out solutions for this level.
Intervals prediction_intervals(const SavedModel& model, Predictor& predictor, const InputRows& X,
                               const arma::uvec& rows, const arma::mat& Z, double level);

}  // namespace elmx
