#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/splits/split.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"
#include "models/registry.hpp"
#include "models/stored/model_file.hpp"
#include "preprocess/inputs.hpp"
#include "preprocess/pca.hpp"
#include "preprocess/targets.hpp"
#include "statistics/calibration.hpp"

namespace elmx {

/// What a model remembers of the data that it was trained on.
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

  template <class F>
  void fields(F& field) {
    field("name", name, "of the data set");
    field("task", task, "what the target is", one_of({"regression", "classification"}));
    field("classes", classes, "in the order of the outputs");
    field("positive", positive, "the positive class; \"\" = the second");
    field("inputs", inputs, "names of the columns of X");
    field("outputs", outputs, "columns of T", at_least(1));
    field("columns", columns, "of the file, where it is a table");
    field("sparse", sparse, "an input that is not in the file is zero");
    field("sha256", sha256, "of the files");
  }
};

/// How raw inputs become those of a network, and its outputs values of the targets.
struct Preprocessing {
  Scaler inputs;                         ///< of X; of the components where there are some: the identity
  std::optional<Components> components;  ///< in place of X
  Scaler targets;                        ///< of a regression

  /// What takes the place of missing values of X; empty: none may be missing.
  const arma::rowvec& fill() const { return components ? components->inputs.fill : inputs.fill; }
};

/// A trained network with all that a prediction needs.
struct SavedModel {
  /// description_of its record; of the checkpoint: nodes, iterations, parameters, chosen
  Json trial;
  Json config;  ///< resolved, of the trial's case and sweep point
  KnownData data;
  Preprocessing preprocessing;
  Fold rows;  ///< of the data as read
  TrainedNetwork network;
  ExperimentOptions options = {};  ///< the config as read
  /// How scores become probabilities: of the choice that was fitted on all rows, for a classification.
  std::optional<Calibration> calibration = {};
  /// The members of a stack, one or more; its network has their weights.
  std::vector<SavedModel> members = {};
};

/// In SavedModel::trial: why there is no calibration.
inline constexpr const char* kNoCalibration = "no_calibration";

/// The targets of samples that the model predicts, in its coding.
Targets targets_of(const SavedModel& model, const Dataset& data);

/// "models/NAME-KEY.h5", the name from case, data set, algorithm, sweep point, repeat and fold.
std::string model_name(const Record& record);

/// FOLDER/models/NAME-KEY.h5.
std::filesystem::path model_file(const std::filesystem::path& folder, const Record& record);

/// True if a trial that ended so has a network to keep.
bool has_network(const Record& record);

KnownData known_data(const Dataset& data, arma::uword outputs);

/// The folder is made where it is lacking; the file is there as a whole or not at all. Throws ConfigError.
void write_model(const std::filesystem::path& path, const SavedModel& model);

/// Throws DataError: "path: ...", also for whatever in it contradicts itself: what is returned can be used
/// without surprise.
SavedModel read_model(const std::filesystem::path& path);

/// "elm: panel, activation tanh, ridge 0.001, 80 nodes": the method and the settings of a model.
std::string method_of(const SavedModel& model);

/// The same of contents; `origin` begins the messages.
SavedModel read_model(const ModelContents& contents, const std::string& origin);

/// The network, ready. Throws DataError where it does not fit its data.
std::unique_ptr<Predictor> restore(const SavedModel& model, const std::string& origin);

/// f(inputs) of the rows of X as the network sees them.
template <class F>
auto with_inputs(const Preprocessing& preprocessing, const InputRows& X, const arma::uvec& rows, const F& f) {
  if (!preprocessing.components) return f(Inputs{X, rows, preprocessing.inputs});
  const arma::mat Y = preprocessing.components->apply(X.matrix().rows(rows));
  return f(Inputs{Y, arma::regspace<arma::uvec>(0, 1, rows.n_elem - 1), preprocessing.inputs});
}

/// Z: n x c of the rows of X, raw inputs as the model's data has them. Throws DataError where it is not
/// finite.
arma::mat predict(Predictor& predictor, const Preprocessing& preprocessing, const InputRows& X, const arma::uvec& rows);

}  // namespace elmx
