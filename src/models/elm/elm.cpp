#include "models/elm/elm.hpp"

#include "models/ridge/mapped_network.hpp"
#include "models/ridge/over_ranks.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_trainer.hpp"

namespace elmx {
namespace {

template <class T>
std::unique_ptr<Trainer> make(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng) {
  const ElmOptions& options = models.front();
  const bool stored = options.stores_columns(ridge_setup(models), samples_of_rank(fold));
  const auto draw = [options, rng](const TrainingSamples* samples, uword inputs) {
    return options.feature_map<T>(inputs, rng, samples);
  };
  Expansion<T> expansion = drawn_expansion<T>(options.node_draw(), draw, fold, stored);
  return ridge_trainer<T>(ridge_setup(models), std::move(expansion), std::move(fold));
}

}  // namespace

std::unique_ptr<Trainer> make_elm(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng) {
  const std::vector<ElmOptions> set = settled(models, ridge_setup(models), sizes_of(fold));
  return set.front().precision.single_features() ? make<float>(set, std::move(fold), rng)
                                                 : make<double>(set, std::move(fold), rng);
}

std::unique_ptr<Predictor> restore_elm(const ElmOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape) {
  return with_types(precision_of(model.precision, network),
                    [&]<class T, class W>() { return restore_mapped_network<T, W>(network, shape); });
}

Cost elm_cost(const std::vector<ElmOptions>& models, const Sizes& sizes) {
  const std::vector<ElmOptions> set = settled(models, ridge_setup(models), sizes);
  const ElmOptions& options = set.front();
  const RidgeSetup setup = ridge_setup(set);
  const bool stored = options.stores_columns(setup, static_cast<double>(sizes.train) / sizes.ranks);
  ExpansionCost expansion = node_cost(options.nodes.stop, sizes, options.precision.word(), stored);
  options.drawing.add_cost(options.nodes.stop, sizes, expansion);
  Cost cost = ridge_cost(setup, expansion, sizes);
  cost.say(note_on(models.front().precision, options.precision));
  return cost;
}

}  // namespace elmx
