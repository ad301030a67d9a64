#pragma once

#include <string>
#include <vector>

#include "base/rng.hpp"
#include "features/broad_features.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/ridge_cost.hpp"

namespace elmx {

/// The options of an incremental broad learning system that grows by feature and enhancement nodes, which are
/// drawn and fitted once. A streamed expanded input takes N x (feature nodes) numbers.
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
  struct Growth : SampleGrowth {
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
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  SampleGrowth sample_growth() const override { return growth; }

  /// Returns the initial network and the updates.
  std::vector<BroadStep> steps() const;

  /// Returns the number of nodes after each step.
  std::vector<std::size_t> sizes() const override;

  BroadFeatureMap feature_map() const;

  RidgeSetup setup(std::size_t inputs) const override;
  template <class T>
  std::vector<Expansion<T>> expansions(const FoldView& fold, const Rng& rng, bool stored) const;
  ExpansionCost expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const override;
};

}  // namespace elmx
