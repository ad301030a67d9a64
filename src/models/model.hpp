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
  int ranks = 1;               ///< ranks that work on the trial together
  bool mpi = false;            ///< MPI runs, even with one rank
  double target_variance = 1;  ///< of the targets on which networks are trained; 1 for classes
};

/// The time of a flop in single precision relative to double.
inline constexpr double kSingleFlop = 0.5;

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

/// The "model" of a config: the options of a family, which are read and checked once. All stages use this
/// struct; only the family knows the other members. Families whose output weights solve a ridge problem share
/// most functions, see RidgeNetworkOptions.
struct Model {
  std::string family;
  std::vector<std::string> algorithms;
  std::optional<bool> leave_one_out;  ///< listed by the families that have leave-one-out errors

  Model(std::string its_family, std::vector<std::string> its_algorithms)
      : family(std::move(its_family)), algorithms(std::move(its_algorithms)) {}
  virtual ~Model() = default;

  /// Returns all algorithms of the family.
  virtual std::vector<AlgorithmInfo> known_algorithms() const = 0;
  /// Lists the members.
  virtual void fields(FieldVisitor& field) = 0;
  /// Sets the defaults that depend on the other members of the model in the config.
  virtual void complete(const Json&) {}
  /// Checks the relations between the members. Throws ConfigError with a place below `place`.
  virtual void check(const std::string& place) const = 0;

  /// Returns every member with its value, including defaults; reading the result gives the same model.
  Json json() const { return write_options(*this); }
  /// Returns the reported sizes of the network, increasing; none if the data determine them.
  virtual std::vector<std::size_t> sizes() const { return {}; }
  /// Returns true if some of its numbers have single precision.
  virtual bool single_precision() const { return false; }
  /// Returns true if the output weights of this algorithm solve a ridge problem by definition.
  virtual bool solves_ridge_problem(std::string_view algorithm) const;
  /// Returns true if steps are measured repeatedly, which needs an otherwise idle machine.
  virtual bool measures_steps() const { return false; }
  /// Returns the error for a run over several ranks; none if these options allow it.
  virtual std::optional<ConfigError> needs_one_rank() const { return std::nullopt; }
  /// Returns the error for save_model; none if networks can be saved. updatable: a saved network must be one
  /// ridge solution in double precision.
  virtual std::optional<ConfigError> not_saved(bool updatable) const;
  /// Returns the cost of one task (one fold, all algorithms one after another) of `models` models trained
  /// together that differ in the shared member of the family only.
  virtual Cost cost(std::size_t models, const Sizes& sizes) const = 0;
  /// Restores the network of a checkpoint. Throws DataError if it does not fit the model.
  virtual std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const = 0;

 protected:
  /// Lists family and algorithms, with which every model begins.
  void first_fields(FieldVisitor& field, const char* doc);
  /// Throws ConfigError unless the algorithms are some of `known`, each once.
  void check_algorithms(const std::vector<std::string>& known, const std::string& place) const;
  void check_algorithms(const std::string& place) const { check_algorithms(names_of(known_algorithms()), place); }
};

using ModelPtr = std::shared_ptr<const Model>;

}  // namespace elmx
