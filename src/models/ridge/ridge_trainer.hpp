#pragma once

#include <concepts>
#include <memory>
#include <vector>

#include "models/ridge/expansion.hpp"
#include "models/ridge/over_ranks.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/sample_growth.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Trains every algorithm for all models on the same columns of A, which are formed once. The models differ
/// in the ridge parameter only, and everything else is computed once. Memory: the part of A that `expansion`
/// holds, and the state of the running algorithm for each model. Algorithms that share nothing between models
/// train one model after another.
template <class T>
std::unique_ptr<Trainer> ridge_trainer(RidgeSetup setup, Expansion<T> expansion, FoldView fold);

/// Trains models of a family that differ in the ridge parameter only.
template <std::derived_from<RidgeNetworkOptions> Options>
std::unique_ptr<Trainer> make_ridge_network(const std::vector<Options>& models, FoldView fold, const Rng& rng) {
  const Options& options = models.front();
  const Sizes sizes{.train = fold.targets.n_rows,
                    .inputs = fold.train.dimension(),
                    .outputs = fold.targets.n_cols,
                    .ranks = fold.ranks->count(),
                    .mpi = fold.ranks->present()};
  std::vector<RidgeParameter> ridges;
  for (const Options& model : models) ridges.push_back(model.ridge);
  const RidgeSetup setup = options.settled_setup(std::move(ridges), sizes);
  if (const SampleGrowth growth = options.sample_growth(); growth.wanted()) {
    growth.check(sizes);
    SamplesInSteps steps(growth, fold.targets, rng);
    std::vector<Expansion<double>> one = options.template expansions<double>(steps.first(fold), rng, true);
    return sample_growth_trainer(setup, std::move(steps), std::move(one.front()), std::move(fold));
  }
  if (!options.weighs_samples()) fold.sample_weights.reset();
  const bool stored = options.stores_columns(setup, samples_of_rank(fold));
  const auto train = [&]<class T>(std::vector<Expansion<T>> expansions) {
    std::vector<std::unique_ptr<Trainer>> members;
    for (Expansion<T>& expansion : expansions) members.push_back(ridge_trainer<T>(setup, std::move(expansion), fold));
    return options.averages() ? averaging_trainer(std::move(members)) : std::move(members.front());
  };
  return setup.word < 8 ? train(options.template expansions<float>(fold, rng, stored))
                        : train(options.template expansions<double>(fold, rng, stored));
}

}  // namespace elmx
