#include "models/rvfl/rvfl.hpp"

#include <algorithm>

#include "features/network_output.hpp"
#include "models/ridge/mapped_network.hpp"
#include "models/ridge/over_ranks.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_trainer.hpp"

namespace elmx {
namespace {

/// Returns true if the matrices are held in memory. An ensemble has one matrix for each layer.
bool stores_expanded_input(const RvflOptions& options, const RidgeSetup& setup, double samples) {
  const double matrices = options.ensemble ? static_cast<double>(options.layers) : 1;
  return options.stores_columns(setup, matrices * samples);
}

template <class T>
std::unique_ptr<Trainer> make(const std::vector<RvflOptions>& models, const FoldView& fold, const Rng& rng) {
  const uword d = fold.train.dimension();
  std::vector<std::unique_ptr<Trainer>> members;
  const RidgeSetup setup = ridge_setup(models, d);
  const RvflOptions& options = models.front();
  const bool stored = stores_expanded_input(options, setup, samples_of_rank(fold));
  if (options.layers == 1) {
    const auto draw = [options, rng](const TrainingSamples* samples, uword inputs) {
      return options.feature_maps<T>(inputs, rng, samples).front();
    };
    members.push_back(
        ridge_trainer<T>(setup, drawn_expansion<T>(options.drawing.node_draw(), draw, fold, stored), fold));
  } else {
    for (FeatureMap<T>& map : options.feature_maps<T>(d, rng, nullptr))
      members.push_back(ridge_trainer<T>(setup, Expansion<T>(std::move(map), stored), fold));
  }
  return models.front().ensemble ? averaging_trainer(std::move(members)) : std::move(members.front());
}

template <class T, class W>
std::unique_ptr<Predictor> restore(const RvflOptions& model, const TrainedNetwork& network, const NetworkShape& shape) {
  if (!model.ensemble) return restore_mapped_network<T, W>(network, shape);
  return restore_average(network,
                         [&](const TrainedNetwork& member) { return restore_mapped_network<T, W>(member, shape); });
}

}  // namespace

std::unique_ptr<Trainer> make_rvfl(const std::vector<RvflOptions>& models, FoldView fold, const Rng& rng) {
  const std::vector<RvflOptions> set = settled(models, ridge_setup(models, fold.train.dimension()), sizes_of(fold));
  return set.front().precision.single_features() ? make<float>(set, fold, rng) : make<double>(set, fold, rng);
}

std::unique_ptr<Predictor> restore_rvfl(const RvflOptions& model, const TrainedNetwork& network,
                                        const NetworkShape& shape) {
  return with_types(precision_of(model.precision, network),
                    [&]<class T, class W>() { return restore<T, W>(model, network, shape); });
}

Cost rvfl_cost(const std::vector<RvflOptions>& models, const Sizes& sizes) {
  const std::vector<RvflOptions> set = settled(models, ridge_setup(models, sizes.inputs), sizes);
  const RvflOptions& options = set.front();
  const RidgeSetup setup = ridge_setup(set, sizes.inputs);
  Sizes fed = sizes;
  if (options.layers > 1) fed.inputs += options.nodes;
  const bool stored = stores_expanded_input(options, setup, static_cast<double>(sizes.train) / sizes.ranks);
  ExpansionCost expansion = node_cost(setup.capacity, fed, options.precision.word(), stored);
  options.drawing.add_cost(options.nodes, sizes, expansion);
  Cost cost = ridge_cost(setup, expansion, sizes);
  cost.say(note_on(models.front().precision, options.precision));
  if (options.layers > 1) {  // a block: a layer, the layer above and its inputs, as stored and in double
    const double columns = static_cast<double>(2 * options.nodes + 2 * fed.inputs);
    cost.bytes += 8 * numbers_at_once(std::max(sizes.train, sizes.test), columns);
  }
  if (!options.ensemble) return cost;
  // one solution for each layer, and the layers below formed again
  const auto S = static_cast<double>(options.layers);
  cost.flops = S * (cost.flops - expansion.flops) + S * (S + 1) / 2 * expansion.flops;
  cost.bytes *= S;
  cost.passes *= S;
  cost.test_passes *= S;
  return cost;
}

}  // namespace elmx
