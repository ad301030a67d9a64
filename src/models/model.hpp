#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"
#include "base/error.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// The dimensions of one trial, for `elmx plan`.
struct Sizes {
  arma::uword train = 0, test = 0, inputs = 0, outputs = 0, unlabelled = 0;
  int ranks = 1;     ///< ranks that work on the trial together
  bool mpi = false;  ///< MPI runs, even with one rank
};

/// The time of a flop in single precision relative to double.
inline constexpr double kSingleFlop = 0.5;

/// The part of its limit of iterations that a training is planned to take, because only the data decide it.
inline constexpr double kOfIterations = 0.5;

/// Work, which takes time at the rates of a machine.
struct Work {
  double flops = 0;        ///< flops at matrix-matrix speed
  double bytes_moved = 0;  ///< bytes moved by operations that are bound by memory bandwidth
  double calls = 0;        ///< small operations whose overhead, a microsecond each, dominates
  double bytes_sent = 0;   ///< bytes sent to other ranks

  Work& operator+=(const Work& other) {
    flops += other.flops;
    bytes_moved += other.bytes_moved;
    calls += other.calls;
    bytes_sent += other.bytes_sent;
    return *this;
  }
  friend Work operator*(double times, const Work& work) {
    return {times * work.flops, times * work.bytes_moved, times * work.calls, times * work.bytes_sent};
  }
};

/// The cost of a trial. Memory excludes the data, and is for one rank if several work on the trial.
struct Cost : Work {
  double bytes = 0;
  double shared_bytes = 0;  ///< memory that the trials of a task share (SharedWork) ...
  double drawn_bytes = 0;   ///< ... of these, the bytes that only trials with the same random nodes share
  double passes = 1;        ///< passes over the inputs of the training samples ...
  double test_passes = 1;   ///< ... and of the test samples
  arma::uword shared = 0;   ///< columns of the factor that ranks share under MPI; 0: no factor
  std::string note = {};    ///< choices for the machine that the user should know

  /// Adds a text to the note, unless it is empty.
  void say(const std::string& text) {
    if (!text.empty()) note += (note.empty() ? "" : "; ") + text;
  }
};

/// An algorithm of a family, as `elmx list algorithms` and `elmx help` describe it.
struct AlgorithmInfo {
  std::string_view name;
  std::string_view summary;
  /// flops of one step as in the table of complexities of the family; "" = not stated
  std::string intermediate_flops = "";
  std::string weight_flops = "";
  std::string_view symbols = "";  ///< meaning of the letters in both
  /// The work of one step ("adds one node"). Times of single steps can be compared between algorithms with
  /// the same text.
  std::string_view step = "";
  /// false: it solves another problem, and its backward error measures the distance from the ridge problem
  bool ridge_solution = true;
  std::string_view family = "";  ///< filled in by the registry
};

/// The options that every family has. A family hides the functions that it answers otherwise, and adds
///
///     void fields(FieldVisitor&)       lists its members
///     void check(place) const          checks their relations; throws ConfigError with a place below `place`
///
/// and three functions: make_FAMILY trains models that differ in the shared member of the family only, on one
/// fold; FAMILY_cost returns the cost of that, all algorithms one after another; restore_FAMILY restores a
/// trained network, and throws DataError if the stored network does not fit the model. Families whose output
/// weights solve a ridge problem share these functions, see RidgeNetwork.
struct ModelOptions {
  std::string family;
  std::vector<std::string> algorithms;
  std::optional<bool> leave_one_out;  ///< listed by the families that have leave-one-out errors

  ModelOptions(std::string its_family, std::vector<std::string> its_algorithms)
      : family(std::move(its_family)), algorithms(std::move(its_algorithms)) {}

  /// Lists family and algorithms, with which every model begins.
  void first_fields(FieldVisitor& field, const char* doc, const std::vector<std::string>& known);

  /// Throws ConfigError unless the algorithms are some of `known`, each once.
  void check_algorithms(const std::vector<std::string>& known, const std::string& place) const;

  /// Sets the defaults that depend on the other members of the model in the config.
  void complete(const Json&) {}

  // See Model.
  std::vector<std::size_t> sizes() const { return {}; }
  bool single_answers() const { return false; }
  bool measures_steps() const { return false; }
  bool solves_ridge_problem(std::string_view) const { return true; }
  std::optional<ConfigError> needs_one_rank() const { return std::nullopt; }
  std::optional<ConfigError> not_saved(bool updatable) const;
};

/// The "model" of a config, which is read and checked once. All stages use this interface: only the family
/// knows the members of the model.
class Model {
 public:
  virtual ~Model() = default;

  /// Returns every member with its value, including defaults; reading the result gives the same model.
  virtual Json json() const = 0;

  virtual const std::vector<std::string>& algorithms() const = 0;

  /// Returns the number of sizes of the network that are reported; 0 if the data determine it.
  virtual std::size_t sizes() const = 0;

  /// Returns true if some of its numbers have single precision.
  virtual bool single_precision() const = 0;

  /// Returns true if the output weights of this algorithm solve a ridge problem by definition.
  virtual bool solves_ridge_problem(std::string_view algorithm) const = 0;

  /// Returns true if steps are measured repeatedly, which needs an otherwise idle machine.
  virtual bool measures_steps() const = 0;

  /// Returns the error for a run over several ranks; none if they can train the model together.
  virtual std::optional<ConfigError> needs_one_rank() const = 0;

  /// Returns the error for save_model; none if networks can be saved. updatable: a saved network must be one
  /// ridge solution in double precision.
  virtual std::optional<ConfigError> not_saved(bool updatable) const = 0;

  /// Returns the cost of `models` models trained together that differ in the shared member of the family
  /// only.
  virtual Cost cost(std::size_t models, const Sizes& sizes) const = 0;

  /// Restores the network of a checkpoint. Throws DataError if it does not fit the model.
  virtual std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const = 0;
};

using ModelPtr = std::shared_ptr<const Model>;

}  // namespace elmx
