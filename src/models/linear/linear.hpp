#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "features/feature_map.hpp"
#include "models/model.hpp"
#include "models/ridge/ridge_options.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The options of ridge regression on the scaled inputs, the baseline of every network:
///
///     min_W ||[s 1 X] W - Y||_F^2 + lambda ||W||_F^2            [s 1 X]: N x (1 + d), s = 256
///
/// With s = 256 the penalty hardly affects the intercept s w_0.
///
/// A. E. Hoerl, R. W. Kennard, "Ridge regression: biased estimation for nonorthogonal problems",
/// Technometrics 12, 1970.
struct LinearOptions : RidgeOptions {
  LinearOptions() : RidgeOptions("linear", {"standard"}) {}
  void fields(FieldVisitor& field);

  std::vector<std::size_t> sizes() const { return {0}; }
  FeatureMap<double> feature_map(std::size_t inputs) const;
  void check(const std::string& place) const;
};

/// The options of the mean of the training targets, which for classes is the largest class.
struct MeanOptions : ModelOptions {
  MeanOptions() : ModelOptions("mean", {"standard"}) {}
  void fields(FieldVisitor& field);

  std::vector<std::size_t> sizes() const { return {0}; }
  FeatureMap<double> feature_map(std::size_t inputs) const;
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only. No column is a hidden node.
RidgeSetup ridge_setup(const std::vector<LinearOptions>& models, std::size_t inputs);
RidgeSetup ridge_setup(const std::vector<MeanOptions>& models, std::size_t inputs);

std::vector<AlgorithmInfo> linear_algorithms();
std::vector<AlgorithmInfo> mean_algorithms();

/// Trains models that differ in the ridge parameter; nothing is drawn. Memory: N (1 + d) numbers, for the
/// mean N. Options: LinearOptions or MeanOptions.
template <class Options>
std::unique_ptr<Trainer> make_linear(const std::vector<Options>& models, FoldView fold, const Rng& rng);

/// Restores a trained model. Throws DataError if the stored network does not fit.
template <class Options>
std::unique_ptr<Predictor> restore_linear(const Options& model, const TrainedNetwork& network,
                                          const NetworkShape& shape);

/// Returns the cost of one task.
template <class Options>
Cost linear_cost(const std::vector<Options>& models, const Sizes& sizes);

}  // namespace elmx
