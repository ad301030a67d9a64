#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/machine/clock.hpp"
#include "preprocess/inputs.hpp"
#include "solvers/ridge/leverages.hpp"

namespace elmx {

class SharedWork;
class TrainingStates;
struct TrainedNetwork;

/// One fold of an experiment as a family of models sees it.
struct FoldView {
  Inputs train;
  Inputs test;
  arma::mat targets;  // n_train x c, encoded and scaled
  /// samples that training may see without their targets; those of `test` where it has all that are not
  /// labelled
  Inputs unlabelled;
  SharedWork* shared = nullptr;  ///< what the folds of a run have in common; null: nothing is kept
  /// n_test x c: for what is shown of the way of a training; nothing may be chosen by them
  arma::mat test_targets = {};
  /// of outputs on the test part, likewise
  std::function<std::map<std::string, double>(const arma::mat& Z)> test_metrics = {};
  TrainingStates* states = nullptr;  ///< null: a training that is interrupted begins anew
  arma::vec sample_weights = {};     ///< n_train: of each sample's squared error in the sum; empty: all 1
  /// ascending: training samples whose leave-one-out solutions networks are to keep, where the family has
  /// them and all samples count alike (keep_left_out); empty: none
  arma::uvec left_out = {};
};

/// In Checkpoint::notes: of the solution itself.
inline constexpr const char* kWeights = "weights";
/// In Checkpoint::notes: of the graph of the samples.
inline constexpr const char* kGraph = "graph";
/// In Checkpoint::parameters: the ridge parameter that was chosen; in Checkpoint::notes: that it lies at a
/// bound.
inline constexpr const char* kRidge = "ridge";
/// In Checkpoint::notes: why the status is not ok, and what helps.
inline constexpr const char* kCause = "cause";

/// Outputs at each training sample of the network that is trained on the others.
struct LeaveOneOut {
  /// n x c; a row of NaN: not computed for this sample; empty: not known, or see Leverages
  arma::mat outputs;
  double error = 0;                   ///< relative error of their differences from the targets
  double freedom = arma::datum::nan;  ///< degrees of freedom; NaN: not known
};

/// The results of an algorithm at one size of its network, after a number of iterations where it iterates.
struct Checkpoint {
  std::size_t point = 0;  ///< which of the models that the trainer was prepared for
  arma::uword nodes = 0;
  Status status = Status::ok;
  arma::mat train_output;  ///< n_train x c; empty unless status is ok
  arma::mat test_output;   ///< n_test x c
  /// of the training samples; empty where they were not asked for or are not known
  Leverages leverages;
  LeaveOneOut leave_one_out;
  bool outputs_are_probabilities = false;  ///< the outputs of a softmax
  /// of FoldView::unlabelled; empty where these are the test part or there are none
  arma::mat unlabelled_output;
  /// weight_error, backward_error, ...: how right the solution is
  std::map<std::string, double> diagnostics;
  /// The way in which the step was taken, if the algorithm has several.
  std::string method;
  Seconds step;  ///< the growth step that reached this size
  /// training since the beginning, random features excluded; what models share, in full
  double total_seconds = 0;
  double feature_seconds = 0;  ///< forming the random features, once for all algorithms
  double test_seconds = 0;     ///< test_output from the inputs, random features included; 0: not measured
  arma::uword iterations = 0;  ///< done so far at this size; 0: the algorithm does not iterate
  /// "objective", "gradient_norm": one value a major step so far
  std::map<std::string, std::vector<double>> trace;
  /// the point of the algorithm's own grid that this is of; empty: it has none
  std::map<std::string, double> parameters;
  /// how `parameters` were chosen within the training part ("cross validation"); "" = one point of the grid
  std::string chosen;
  /// metric -> why it is not available; kWeights -> why they may be far off; kCause
  std::map<std::string, std::string> notes = {};
  /// what predicts as the training program did; valid while the observer has the checkpoint
  std::function<TrainedNetwork()> network = {};
};

using Observer = std::function<void(const Checkpoint&)>;

/// Any algorithm of a family on the same samples and the same random features.
class Trainer {
 public:
  virtual ~Trainer() = default;

  /// Trains `algorithm` from the beginning, for all models that the trainer was prepared for, and reports
  /// every size asked for, in increasing order for each model; where it iterates, each size after every
  /// number of iterations asked for. A numerical failure is reported as the status of a checkpoint and ends
  /// the run of its model; what comes after it is not reached.
  virtual void train(const std::string& algorithm, Clock& clock, const Observer& observe) = 0;
};

}  // namespace elmx
