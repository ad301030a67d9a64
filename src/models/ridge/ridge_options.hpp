#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "models/model.hpp"
#include "solvers/ridge/ridge_spectrum.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "solvers/updates/updated_ridge.hpp"

namespace elmx {

struct ExpansionCost;

/// The options of choosing a ridge parameter within the training part: the criterion to minimise, and bounds
/// relative to the mean eigenvalue of A'A.
struct RidgeSearch {
  std::string criterion = "loo_mse";
  double from = 1e-9, to = 1e3;

  void fields(FieldVisitor& field);

  RidgeAim aim() const { return {criterion == "gcv" ? RidgeCriterion::gcv : RidgeCriterion::loo_mse, from, to}; }

  bool operator==(const RidgeSearch&) const = default;
};

/// The ridge parameter of a config: a number, "auto", or {"auto": "gcv", "from": 1e-9, "to": 1e3}.
struct RidgeParameter {
  double lambda = 1;                       ///< arbitrary if it is searched for
  std::optional<RidgeSearch> search = {};  ///< absent: lambda is given

  RidgeParameter() = default;
  RidgeParameter(double value) : lambda(value) {}  // NOLINT: meant to convert

  std::optional<RidgeAim> aim() const { return search ? std::optional(search->aim()) : std::nullopt; }

  /// Reads a ridge parameter. Throws ConfigError.
  static RidgeParameter from_json(const Json& value, const std::string& place);
  /// Returns the short form if there is one: a plain number for a number.
  Json to_json() const;
  static Json schema();

  bool operator==(const RidgeParameter&) const = default;
};

/// Returns a note if the choice lies at a bound, or if no value of the criterion was known; otherwise "".
std::string note_on(const RidgeChoice& choice, const RidgeSearch& search);

/// The common settings of families that train ridge solutions over the columns of a growing A.
struct RidgeSetup {
  std::vector<std::string> algorithms;
  std::vector<RidgeParameter> lambdas;  ///< one per model
  uword first = 1;                      ///< columns that are solved for directly before growth begins
  std::vector<uword> columns;           ///< columns at each reported size, increasing, none below `first`
  uword direct = 0;                     ///< columns that are not hidden nodes
  uword block = 0;                      ///< columns that block algorithms add at once; 0: all of a size
  bool times_per_node = false;          ///< divide times of block steps by the number of added nodes
  /// columns at which steps of single nodes are measured repeatedly ...
  std::vector<uword> timed;
  std::size_t repetitions = 1;  ///< ... and the number of repetitions
  AlgorithmOptions options;
  std::string reference = "none";  ///< none, qr or cholesky
  Arithmetic arithmetic = Arithmetic::of_samples;
  double word = 8;              ///< bytes of an output of a node
  bool single_features = true;  ///< the outputs of the nodes can be in single
  bool leave_one_out = false;
  uword capacity = 0;  ///< the total number of columns of A

  uword last() const { return columns.back(); }
  uword nodes(uword of_columns) const { return of_columns - direct; }
};

/// The precision (single or double) of the outputs of the nodes, of the Gram matrix with its factor, and of
/// the solution.
///
///     short     features  gram    solve
///     double    double    double  double
///     single    single    single  single
///     mixed     single    single  double    refined with residuals in double, see MixedRidge
///     -         double    single  double    the same with outputs of the nodes in double
///     -         single    double  double    algorithm standard
///     auto      mixed if that is faster, else double
struct Precision {
  std::string features = "double", gram = "double", solve = "double";
  bool automatic = false;  ///< "auto", which stands for double until `settled`

  void fields(FieldVisitor& field);

  /// Reads a precision. Throws ConfigError.
  static Precision from_json(const Json& value, const std::string& place);
  /// Returns the short form if there is one.
  Json to_json() const;
  static Json schema();

  bool single_features() const { return features == "single"; }
  /// Returns true if outputs have the digits of single precision only.
  bool single_answers() const { return solve == "single"; }
  Arithmetic arithmetic() const;
  double word() const { return single_features() ? 4 : 8; }  ///< bytes of an output of a node

  /// Replaces "auto" by mixed or double. Mixed requires that every algorithm supports it, that nothing needs
  /// an inverse in double, that it saves more flops than its refinement costs, and that every lambda is at
  /// least u N sqrt(L) / 10, u = 2^-24. Below that, rounding of the Gram matrix can hide lambda, as for broad
  /// networks on MNIST.
  Precision settled(const RidgeSetup& setup, const Sizes& sizes) const;

  /// Throws ConfigError if an algorithm does not support this precision.
  void check(const std::vector<std::string>& algorithms, const std::string& place) const;

  bool operator==(const Precision&) const = default;
};

/// Returns the precision in which a network is stored: the precision of its model, or for "auto" the
/// precision of its matrices.
Precision precision_of(const Precision& model, const TrainedNetwork& network);

/// A schedule by which training samples arrive at a network that has all its nodes from the start. Maps that
/// are fitted to samples are fitted to the samples of the first step.
struct SampleGrowth {
  std::optional<std::vector<std::size_t>> samples;  ///< numbers of samples, increasing
  std::optional<std::size_t> classes;               ///< classes that each step adds
  std::optional<std::string> order;                 ///< "random" (the default) or "file"
  std::optional<bool> checked;                      ///< see UpdatedRidge; true

  void fields(FieldVisitor& field);
  bool wanted() const { return samples || classes; }
  /// Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
  /// Throws ConfigError if the training part is too small, or has no classes with an output each.
  void check(const Sizes& sizes) const;
};

/// The algorithm that solves the ridge problem of all samples so far anew, as a baseline for updates.
inline constexpr const char* kRetrain = "retrain";

/// Returns the names of the algorithms for samples that arrive step by step: "retrain", "gram", ...
std::vector<std::string> sample_algorithms();

/// Returns descriptions of these algorithms.
std::vector<AlgorithmInfo> sample_algorithm_infos();

/// The options of models whose output weights solve a ridge problem. A family lists the members that it has.
/// Its trainer is make_ridge_network (ridge_trainer.hpp), for which it has, beside the functions below,
///
///     std::vector<Expansion<T>> expansions<T>(fold, rng, stored)    the columns of A; several if averages()
struct RidgeNetworkOptions : Model {
  RidgeParameter ridge = 0.1;
  std::string reference = "none";
  AlgorithmOptions own;  ///< of single algorithms
  std::string expanded_input = "auto";
  Precision precision;

  using Model::Model;

  /// Returns the algorithms of families that grow by blocks of nodes.
  std::vector<AlgorithmInfo> known_algorithms() const override;
  /// Chooses algorithm path for a search for the ridge parameter, unless the config names algorithms.
  void complete(const Json& given) override;
  /// Throws ConfigError if an algorithm does not support the ridge parameter, the precision, or the way in
  /// which samples arrive.
  void check(const std::string& place) const override;
  bool single_precision() const override { return precision.single_answers(); }
  std::optional<ConfigError> needs_one_rank() const override;
  std::optional<ConfigError> not_saved(bool updatable) const override;
  Cost cost(std::size_t models, const Sizes& sizes) const override;
  std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const override;

  /// Returns the schedule by which samples arrive; not wanted by default.
  virtual SampleGrowth sample_growth() const { return {}; }
  /// Returns all but the ridge parameters, with the precision of these options.
  virtual RidgeSetup setup(std::size_t inputs) const = 0;
  /// Returns the cost of forming the columns of A.
  virtual ExpansionCost expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const = 0;
  /// Returns true if `samples` rows of A are held in memory: according to expanded_input, or for "auto" if A
  /// and the state of every algorithm together take less than 0.7 of the memory of the machine. Algorithms
  /// that add single nodes always need a stored A.
  virtual bool stores_columns(const RidgeSetup& setup, double samples) const;
  /// Returns true if the samples may have weights.
  virtual bool weighs_samples() const { return true; }
  /// Returns true if the outputs of several solutions are averaged.
  virtual bool averages() const { return false; }
  /// Completes the cost of one solution.
  virtual void adjust_cost(const ExpansionCost&, const Sizes&, Cost&) const {}

  /// Returns the setup of models that differ in the ridge parameter only, with the precision settled.
  RidgeSetup settled_setup(std::vector<RidgeParameter> ridges, const Sizes& sizes) const;
  /// Returns the part of the setup that follows from these options: all but columns and ridge parameters.
  RidgeSetup partial_setup() const;

 protected:
  /// Lists `reference`.
  void reference_field(FieldVisitor& field);
  /// Lists expanded_input, precision and reference.
  void solution_fields(FieldVisitor& field);
  /// Throws ConfigError unless the algorithms are some of `known`, for a network that grows by nodes.
  void check_growing_algorithms(const std::vector<std::string>& known, const std::string& place) const;
  /// Throws ConfigError for an algorithm that adds single nodes; `why` is the reason.
  void check_block_algorithms(const std::string& place, const std::string& why) const;

 private:
  void check_sample_growth(const std::string& place) const;
};

/// Describes a ridge algorithm. step: see AlgorithmInfo.
AlgorithmInfo info_of(const RidgeAlgorithm& row, std::string_view step = "makes one update of the network");

}  // namespace elmx
