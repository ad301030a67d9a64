#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/machine/clock.hpp"
#include "data/transforms/inputs.hpp"
#include "solvers/ridge/leverages.hpp"

namespace elmx {

class SharedWork;
struct TrainedNetwork;

/// A store for the state of a long training, so that it can continue after an interruption.
class TrainingStates {
 public:
  virtual ~TrainingStates() = default;

  /// Returns the last saved state, or nothing at the beginning.
  virtual std::optional<std::string> load() = 0;
  /// Reports that the loaded state does not belong to this training, which starts anew.
  virtual void refuse(const std::string& why) = 0;
  virtual void save(const std::string& state) = 0;

  /// Returns true if the user wants the run to end: a training then saves its state and throws Interrupted.
  virtual bool stopped() const = 0;
};

/// Thrown when a training is interrupted after saving its state.
struct Interrupted {};

/// One fold of an experiment in the form that a family of models uses.
struct FoldView {
  Inputs train;
  Inputs test;
  arma::mat targets;  // n_train x c, encoded and scaled
  /// samples whose inputs training may use without targets; the samples of `test` if it has all unlabelled
  /// samples
  Inputs unlabelled;
  SharedWork* shared = nullptr;  ///< data that the folds of a run share; null: nothing is kept
  /// n_test x c: for displaying the progress of a training; nothing may be chosen by them
  arma::mat test_targets = {};
  /// metrics of outputs on the test part, for the same purpose
  std::function<std::map<std::string, double>(const arma::mat& Z)> test_metrics = {};
  TrainingStates* states = nullptr;  ///< null: an interrupted training starts anew
  arma::vec sample_weights = {};     ///< n_train: weights of the squared errors of samples; empty: all 1
  /// ascending: training samples whose leave-one-out solutions networks should store, if the family has them
  /// and all samples have equal weight (keep_left_out); empty: none
  arma::uvec left_out = {};
  const Communicator* ranks = &kAlone;  ///< the ranks that train together
  bool updatable = false;               ///< networks store the sums over their samples (keep_sums)
};

/// Key in Checkpoint::notes: about the solution itself.
inline constexpr const char* kWeights = "weights";
/// Key in Checkpoint::notes: about the graph of the samples.
inline constexpr const char* kGraph = "graph";
/// Keys in Checkpoint::parameters: the number of samples or classes so far, if they arrive step by step.
inline constexpr const char* kSamples = "samples";
inline constexpr const char* kClasses = "classes";

/// Returns true if these parameters tell apart the steps in which samples or classes arrive.
inline bool in_steps(const std::map<std::string, double>& parameters) {
  return parameters.contains(kSamples) || parameters.contains(kClasses);
}

/// Key in Checkpoint::parameters: the chosen ridge parameter. Key in Checkpoint::notes: it lies at a bound.
inline constexpr const char* kRidge = "ridge";
/// Key in Checkpoint::notes: the reason why the status is not ok, and a remedy.
inline constexpr const char* kCause = "cause";

/// The output at each training sample of the network that is trained on the other samples.
struct LeaveOneOut {
  /// n x c; a row of NaN: not computed for this sample; empty: not known, or see Leverages
  arma::mat outputs;
  double error = 0;                   ///< relative error of outputs minus targets
  double freedom = arma::datum::nan;  ///< degrees of freedom; NaN: not known
};

/// The results of an algorithm at one size of its network, after a number of iterations if it iterates.
struct Checkpoint {
  std::size_t point = 0;  ///< index among the models for which the trainer was prepared
  std::size_t nodes = 0;
  Status status = Status::ok;
  arma::mat train_output;  ///< n_train x c, or a row for each of `trained`; empty unless status is ok
  arma::mat test_output;   ///< n_test x c
  /// the samples so far, by their places in the training part, if samples arrive step by step; empty: all
  arma::uvec trained = {};
  /// leverages of the training samples; empty if they were not requested or are not known
  Leverages leverages;
  LeaveOneOut leave_one_out;
  bool outputs_are_probabilities = false;  ///< the outputs of a softmax
  /// outputs for FoldView::unlabelled; empty if these are the test part or there are none
  arma::mat unlabelled_output;
  /// weight_error, backward_error, ...: the accuracy of the solution
  std::map<std::string, double> diagnostics;
  /// The method of the last step, if the algorithm has several.
  std::string method;
  Seconds step;  ///< the growth step that reached this size
  /// training since the beginning, without random features; includes the full time of shared parts
  double total_seconds = 0;
  double feature_seconds = 0;  ///< forming the random features, once for all algorithms
  double test_seconds = 0;     ///< test_output from the inputs, with random features; 0: not measured
  std::size_t iterations = 0;  ///< done so far at this size; 0: the algorithm does not iterate
  /// "objective", "gradient_norm": one value per major step so far
  std::map<std::string, std::vector<double>> trace;
  /// the point in the algorithm's own grid, kSamples or kClasses; empty: there is no grid
  std::map<std::string, double> parameters;
  /// how `parameters` were chosen within the training part ("cross validation"); "" = one point of the grid
  std::string chosen;
  /// metric -> why it is not available; kWeights -> why the weights may be far off; kCause
  std::map<std::string, std::string> notes = {};
  /// makes the network that predicts like the training program; valid while the observer has the checkpoint
  std::function<TrainedNetwork()> network = {};
};

using Observer = std::function<void(const Checkpoint&)>;

/// A trainer for all algorithms of a family on the same samples and the same random features.
class Trainer {
 public:
  virtual ~Trainer() = default;

  /// Trains `algorithm` from the beginning, for all models for which the trainer was prepared. Reports every
  /// requested size, in increasing order for each model, and for an iterative algorithm after every requested
  /// number of iterations. A numerical failure is reported as the status of a checkpoint and ends the run of
  /// its model.
  virtual void train(const std::string& algorithm, Clock& clock, const Observer& observe) = 0;
};

/// Combines trainers that report one size each. After each trainer, the mean of the outputs so far is
/// reported as a network of all nodes so far (average_network). Diagnostics are the worst of the members;
/// errors of outputs and leave-one-out errors are not known. The members must outlive their networks.
std::unique_ptr<Trainer> averaging_trainer(std::vector<std::unique_ptr<Trainer>> members);

}  // namespace elmx
