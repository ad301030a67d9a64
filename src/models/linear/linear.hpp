#pragma once

#include <string>
#include <vector>

#include "base/rng.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/ridge_cost.hpp"

namespace elmx {

/// The options of ridge regression on the scaled inputs, the baseline of every network:
///
///     min_W ||[s 1 X] W - Y||_F^2 + lambda ||W||_F^2            [s 1 X]: N x (1 + d), s = 256
///
/// With s = 256 the penalty hardly affects the intercept s w_0.
///
/// A. E. Hoerl, R. W. Kennard, "Ridge regression: biased estimation for nonorthogonal problems",
/// Technometrics 12, 1970.
struct LinearOptions : RidgeNetworkOptions {
  using RidgeNetworkOptions::RidgeNetworkOptions;
  LinearOptions() : RidgeNetworkOptions("linear", {"standard"}) {}
  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  std::vector<std::size_t> sizes() const override { return {0}; }

  // No column is a hidden node.
  RidgeSetup setup(std::size_t inputs) const override;
  template <class T>
  std::vector<Expansion<T>> expansions(const FoldView& fold, const Rng& rng, bool stored) const;
  ExpansionCost expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const override;
};

/// The options of the mean of the training targets, which for classes is the largest class: the constant
/// column alone, without a penalty.
struct MeanOptions : LinearOptions {
  MeanOptions() : LinearOptions("mean", {"standard"}) { ridge = 0; }
  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  RidgeSetup setup(std::size_t inputs) const override;
  template <class T>
  std::vector<Expansion<T>> expansions(const FoldView& fold, const Rng& rng, bool stored) const;
  /// The mean of classes with balancing weights would have no largest class.
  bool weighs_samples() const override { return false; }
  std::optional<ConfigError> not_saved(bool updatable) const override { return Model::not_saved(updatable); }
};

}  // namespace elmx
