#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "features/broad_features.hpp"
#include "models/algorithm_names.hpp"
#include "models/ridge/precision.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_setup.hpp"

namespace elmx {

/// The options of an incremental broad learning system that grows by feature and enhancement nodes.
struct BlsOptions {
  struct Features {
    std::size_t groups = 10;
    std::size_t nodes = 10;
    bool sparse_coding = true;
    double penalty = 1e-3;
    std::size_t steps = 50;

    void fields(FieldVisitor& field);
  };
  struct Enhancement {
    std::size_t nodes = 400;
    double shrink = 0.8;
    std::string weights = "uniform";

    void fields(FieldVisitor& field);
  };
  struct Growth {
    std::size_t updates = 0;
    std::size_t feature_groups = 0;
    std::size_t enhancement_of_added = 0;
    std::size_t enhancement = 0;

    void fields(FieldVisitor& field);
  };

  std::string family = "bls";
  std::vector<std::string> algorithms = {"auto"};
  RidgeParameter ridge = 1e-4;
  bool standardise = true;
  Features features;
  Enhancement enhancement;
  Growth growth;
  AlgorithmOptions own;
  std::string expanded_input = "auto";
  Precision precision;
  std::string reference = "none";
  std::optional<bool> leave_one_out;

  void fields(FieldVisitor& field);

  /// Returns the initial network and the updates.
  std::vector<BroadStep> steps() const;

  /// Returns the number of nodes after each step.
  std::vector<uword> sizes() const;

  BroadFeatureMap feature_map() const;

  /// Returns true if the expanded input of `samples` samples is held in memory (see stores_columns).
  bool stores_expanded_input(double samples) const;

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only.
RidgeSetup ridge_setup(const std::vector<BlsOptions>& models);

}  // namespace elmx
