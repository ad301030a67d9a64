#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "features/broad_features.hpp"
#include "models/model.hpp"
#include "models/ridge/ridge_options.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The options of an incremental broad learning system that grows by feature and enhancement nodes.
struct BlsOptions : RidgeNetworkOptions {
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

  bool standardise = true;
  Features features;
  Enhancement enhancement;
  Growth growth;

  BlsOptions() : RidgeNetworkOptions("bls", {"auto"}) { ridge = 1e-4; }
  void fields(FieldVisitor& field);

  /// Returns the initial network and the updates.
  std::vector<BroadStep> steps() const;

  /// Returns the number of nodes after each step.
  std::vector<std::size_t> sizes() const;

  BroadFeatureMap feature_map() const;

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only.
RidgeSetup ridge_setup(const std::vector<BlsOptions>& models);

/// Trains broad learning systems that differ in their ridge parameter only: the nodes are drawn and fitted
/// once, every algorithm grows on them, and everything independent of the ridge parameter is computed once.
/// Memory: N x k numbers for a stored expanded input, or N x (feature nodes) for a streamed one, and the
/// state of the running algorithm for each ridge parameter.
std::unique_ptr<Trainer> make_bls(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_bls(const BlsOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another, all models).
Cost bls_cost(const std::vector<BlsOptions>& models, const Sizes& sizes);

}  // namespace elmx
