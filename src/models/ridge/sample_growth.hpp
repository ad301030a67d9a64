#pragma once

#include <memory>
#include <vector>

#include "base/rng.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_options.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The training samples of a fold in the order of a schedule.
struct SamplesInSteps {
  /// targets: n_train x c, encoded. Throws ConfigError for steps by classes if the targets are not classes.
  SamplesInSteps(const SampleGrowth& growth, const arma::mat& targets, const Rng& rng);

  /// Returns the fold with the training samples of the first step only.
  FoldView first(FoldView fold) const;

  arma::uvec order;                      ///< places in the training part
  std::vector<uword> counts;             ///< number of samples after each step, not decreasing
  std::vector<arma::uvec> classes = {};  ///< classes that each step adds; empty: steps by samples
  bool checked = true;                   ///< see UpdatedRidge
};

/// Trains the algorithms of sample_algorithms() for all models, which differ in the ridge parameter.
/// Reports each step. The update alone is timed: the columns of A are formed once, for all algorithms.
/// Memory: A of all training samples (N x k), and the state of an algorithm, about 3 k^2 numbers.
std::unique_ptr<Trainer> sample_growth_trainer(RidgeSetup setup, SamplesInSteps steps, Expansion<double> expansion,
                                               FoldView fold);

/// Returns the cost of one task.
Cost sample_growth_cost(const RidgeSetup& setup, const SampleGrowth& growth, const ExpansionCost& expansion,
                        const Sizes& sizes);

}  // namespace elmx
