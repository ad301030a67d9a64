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

/// The options of a family whose output weights solve a ridge problem. Beside the members of
/// RidgeNetworkOptions they have, as RvflOptions for example,
///
///     RidgeSetup setup(inputs)                                      all but the ridge parameters
///     std::vector<Expansion<T>> expansions<T>(fold, rng, stored)    the columns of A; several if averages()
///     ExpansionCost expansion_cost(setup, sizes, stored)            the cost of forming them
///
/// The functions below then make the trainer, the predictor and the cost of the family. `models` differ in
/// the ridge parameter only.
template <class Options>
concept RidgeNetwork = std::derived_from<Options, RidgeNetworkOptions>;

template <RidgeNetwork Options>
RidgeSetup ridge_setup(const std::vector<Options>& models, std::size_t inputs) {
  RidgeSetup setup = models.front().setup(inputs);
  for (const Options& model : models) setup.lambdas.push_back(model.ridge);
  if (models.front().sample_growth().wanted()) setup.columns = {setup.capacity};
  return setup;
}

/// Returns the models, which have one precision, with this precision settled.
template <RidgeNetwork Options>
std::vector<Options> settled(std::vector<Options> models, const Sizes& sizes) {
  models.front().precision = models.front().precision.settled(ridge_setup(models, sizes.inputs), sizes);
  return models;
}

template <class T, RidgeNetwork Options>
std::unique_ptr<Trainer> make_ridge_network_in(const std::vector<Options>& models, const FoldView& fold,
                                               const Rng& rng) {
  const Options& options = models.front();
  const RidgeSetup setup = ridge_setup(models, fold.train.dimension());
  const bool stored = options.stores_columns(setup, samples_of_rank(fold));
  std::vector<std::unique_ptr<Trainer>> members;
  for (Expansion<T>& expansion : options.template expansions<T>(fold, rng, stored))
    members.push_back(ridge_trainer<T>(setup, std::move(expansion), fold));
  return options.averages() ? averaging_trainer(std::move(members)) : std::move(members.front());
}

/// Trains a network whose samples arrive step by step.
template <RidgeNetwork Options>
std::unique_ptr<Trainer> make_sample_growth(const std::vector<Options>& models, FoldView fold, const Rng& rng) {
  const Options& options = models.front();
  RidgeSetup setup = ridge_setup(models, fold.train.dimension());
  SamplesInSteps steps(options.sample_growth(), fold.targets, rng);
  std::vector<Expansion<double>> one = options.template expansions<double>(steps.first(fold), rng, true);
  return sample_growth_trainer(std::move(setup), std::move(steps), std::move(one.front()), std::move(fold));
}

template <RidgeNetwork Options>
std::unique_ptr<Trainer> make_ridge_network(const std::vector<Options>& models, FoldView fold, const Rng& rng) {
  const Sizes sizes{.train = fold.targets.n_rows,
                    .inputs = fold.train.dimension(),
                    .outputs = fold.targets.n_cols,
                    .ranks = fold.ranks->count(),
                    .mpi = fold.ranks->present()};
  if (const SampleGrowth growth = models.front().sample_growth(); growth.wanted()) {
    growth.check(sizes);
    return make_sample_growth(models, std::move(fold), rng);
  }
  const std::vector<Options> set = settled(models, sizes);
  if (!set.front().weighs_samples()) fold.sample_weights.reset();
  return set.front().precision.single_features() ? make_ridge_network_in<float>(set, fold, rng)
                                                 : make_ridge_network_in<double>(set, fold, rng);
}

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
template <RidgeNetwork Options>
std::unique_ptr<Predictor> restore_ridge_network(const Options& model, const TrainedNetwork& network,
                                                 const NetworkShape& shape) {
  return with_types(precision_of(model.precision, network), [&]<class T, class W>() {
    const auto restore = [&](const TrainedNetwork& one) { return restore_mapped_network<T, W>(one, shape); };
    return model.averages() ? restore_average(network, restore) : restore(network);
  });
}

/// Returns the cost of one task (one fold, all algorithms one after another, all models).
template <RidgeNetwork Options>
Cost ridge_network_cost(const std::vector<Options>& models, const Sizes& sizes) {
  if (const SampleGrowth growth = models.front().sample_growth(); growth.wanted()) {
    growth.check(sizes);
    const RidgeSetup setup = ridge_setup(models, sizes.inputs);
    return sample_growth_cost(setup, growth, models.front().expansion_cost(setup, sizes, true), sizes);
  }
  const std::vector<Options> set = settled(models, sizes);
  const Options& options = set.front();
  const RidgeSetup setup = ridge_setup(set, sizes.inputs);
  const bool stored = options.stores_columns(setup, static_cast<double>(sizes.train) / sizes.ranks);
  const ExpansionCost expansion = options.expansion_cost(setup, sizes, stored);
  Cost cost = ridge_cost(setup, expansion, sizes);
  if (models.front().precision.automatic)
    cost.say("precision auto: " + options.precision.to_json().template get<std::string>());
  options.adjust_cost(expansion, sizes, cost);
  return cost;
}

}  // namespace elmx
