#include "models/bls/bls.hpp"

#include <memory>

#include "base/machine/machine.hpp"
#include "features/feature_map.hpp"
#include "linalg/blas.hpp"
#include "models/ridge/mapped_network.hpp"
#include "models/ridge/over_ranks.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_trainer.hpp"

namespace elmx {
namespace {

/// Draws and fits the nodes of a broad network. Keeps the feature nodes of the training samples.
template <class T>
FittedMap<T> fitted_map(const BlsOptions& options, const Inputs& train, const Rng& rng) {
  const auto Z = std::make_shared<arma::Mat<T>>();
  const auto features =
      std::make_shared<const BroadFeatures<T>>(options.feature_map(), options.steps(), train, rng, *Z);
  return {FeatureMap<T>(features), [features, Z](uword first, View<T> A) {
            features->expand(View<const T>(*Z).block(first, 0, A.rows, Z->n_cols), A);
          }};
}

template <class T>
std::unique_ptr<Trainer> make(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng) {
  const BlsOptions& options = models.front();
  Expansion<T> expansion([options, rng](const Inputs& train) { return fitted_map<T>(options, train, rng); },
                         options.stores_columns(ridge_setup(models), samples_of_rank(fold)));
  return ridge_trainer<T>(ridge_setup(models), std::move(expansion), std::move(fold));
}

ExpansionCost expansion_cost(const BlsOptions& options, const Sizes& sizes) {
  const auto N = static_cast<double>(sizes.train), d = static_cast<double>(sizes.inputs) + 1,
             tested = static_cast<double>(sizes.test);
  const auto k = static_cast<double>(options.sizes().back());
  const bool stored = options.stores_columns(ridge_setup({options}), N / sizes.ranks);
  double f = 0;
  for (const BroadStep& step : options.steps()) f += static_cast<double>(step.feature_groups * options.features.nodes);

  ExpansionCost cost;
  cost.word = options.precision.word();
  cost.block_rows = static_cast<double>(Expansion<double>::kStreamedRows);
  const double once = 2 * N * std::max(f, 1.0) * k;  // upper bound for forming all nodes
  cost.flops = 2 * N * d * f * (options.features.sparse_coding ? 3 : 1) + 2 * once;
  cost.again = stored ? 0 : once;
  cost.passes = options.features.sparse_coding ? 2 : 1;
  cost.test = 2 * tested * d * f;
  cost.test_column = 2 * tested * std::max(f, 1.0);
  // The projection and its products, and the inputs of a block that are multiplied by it.
  const double rows = std::max(std::min(N, 2048.0), 512.0 * threads());
  cost.bytes = cost.word * (d * (2 * f + rows) + (stored ? N : cost.block_rows) * k + N * f);
  return cost;
}

}  // namespace

std::unique_ptr<Trainer> make_bls(const std::vector<BlsOptions>& models, FoldView fold, const Rng& rng) {
  const std::vector<BlsOptions> set = settled(models, ridge_setup(models), sizes_of(fold));
  return set.front().precision.single_features() ? make<float>(set, std::move(fold), rng)
                                                 : make<double>(set, std::move(fold), rng);
}

std::unique_ptr<Predictor> restore_bls(const BlsOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape) {
  return with_types(precision_of(model.precision, network),
                    [&]<class T, class W>() { return restore_mapped_network<T, W>(network, shape); });
}

Cost bls_cost(const std::vector<BlsOptions>& models, const Sizes& sizes) {
  const std::vector<BlsOptions> set = settled(models, ridge_setup(models), sizes);
  const BlsOptions& options = set.front();
  Cost cost = ridge_cost(ridge_setup(set), expansion_cost(options, sizes), sizes);
  cost.say(note_on(models.front().precision, options.precision));
  return cost;
}

}  // namespace elmx
