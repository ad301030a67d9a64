#include "models/linear/linear.hpp"

#include "models/ridge/mapped_network.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_trainer.hpp"

namespace elmx {

template <class Options>
std::unique_ptr<Trainer> make_linear(const std::vector<Options>& models, FoldView fold, const Rng&) {
  const uword d = fold.train.dimension();
  RidgeSetup setup = ridge_setup(models, d);
  // The mean of classes with balancing weights would have no largest class.
  if constexpr (std::same_as<Options, MeanOptions>) fold.sample_weights.reset();
  const bool stored = stores_columns("auto", setup, static_cast<double>(fold.train.samples()), sizeof(double));
  return ridge_trainer<double>(std::move(setup), Expansion<double>(models.front().feature_map(d), stored),
                               std::move(fold));
}

template <class Options>
std::unique_ptr<Predictor> restore_linear(const Options&, const TrainedNetwork& network, const NetworkShape& shape) {
  return restore_mapped_network<double, double>(network, shape);
}

template <class Options>
Cost linear_cost(const std::vector<Options>& models, const Sizes& sizes) {
  const RidgeSetup setup = ridge_setup(models, sizes.inputs);
  const bool stored = stores_columns("auto", setup, static_cast<double>(sizes.train), sizeof(double));
  return ridge_cost(setup, node_cost(setup.capacity, sizes, sizeof(double), stored), sizes);
}

template std::unique_ptr<Trainer> make_linear(const std::vector<LinearOptions>&, FoldView, const Rng&);
template std::unique_ptr<Trainer> make_linear(const std::vector<MeanOptions>&, FoldView, const Rng&);
template std::unique_ptr<Predictor> restore_linear(const LinearOptions&, const TrainedNetwork&, const NetworkShape&);
template std::unique_ptr<Predictor> restore_linear(const MeanOptions&, const TrainedNetwork&, const NetworkShape&);
template Cost linear_cost(const std::vector<LinearOptions>&, const Sizes&);
template Cost linear_cost(const std::vector<MeanOptions>&, const Sizes&);

}  // namespace elmx
