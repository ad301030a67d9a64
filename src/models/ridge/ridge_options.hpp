#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"
#include "models/ridge/precision.hpp"
#include "models/ridge/ridge_parameter.hpp"
#include "models/ridge/ridge_setup.hpp"

namespace elmx {

/// The options of families whose output weights solve a ridge problem.
struct RidgeOptions : ModelOptions {
  RidgeParameter ridge = 0.1;
  std::string reference = "none";

  using ModelOptions::ModelOptions;

  /// Lists `reference`.
  void reference_field(FieldVisitor& field);

  /// Chooses algorithm path for a search for the ridge parameter, unless the config names algorithms.
  void complete(const Json& given);

  /// Throws ConfigError for a search with an algorithm that cannot choose.
  void check(const std::string& place) const;

  /// Returns the part of the setup that follows from these options.
  RidgeSetup partial_setup() const;
};

/// The options of random networks whose output weights solve a ridge problem.
struct RidgeNetworkOptions : RidgeOptions {
  AlgorithmOptions own;  ///< of single algorithms
  std::string expanded_input = "auto";
  Precision precision;

  using RidgeOptions::RidgeOptions;

  /// Lists expanded_input, precision and reference.
  void solution_fields(FieldVisitor& field);

  bool single_answers() const { return precision.single_answers(); }

  /// Throws ConfigError for an algorithm that adds single nodes; `why` is the reason.
  void check_block_algorithms(const std::string& place, const std::string& why) const;

  /// Throws ConfigError if an algorithm does not support the ridge parameter or the precision.
  void check(const std::string& place) const;

  RidgeSetup partial_setup() const;

  /// Returns true if the matrix A of this setup is held in memory for so many samples.
  bool stores_columns(const RidgeSetup& setup, double samples) const;
};

/// Returns the setup of models that differ in the ridge parameter only, without its columns.
template <class Options>
RidgeSetup setup_without_columns(const std::vector<Options>& models) {
  RidgeSetup setup = models.front().partial_setup();
  for (const Options& model : models) setup.lambdas.push_back(model.ridge);
  return setup;
}

/// Describes a ridge algorithm. step: see AlgorithmInfo.
AlgorithmInfo info_of(const RidgeAlgorithm& row, std::string_view step = "makes one update of the network");

/// Returns the algorithms of families that grow by blocks of nodes.
std::vector<AlgorithmInfo> block_algorithm_infos();

}  // namespace elmx
