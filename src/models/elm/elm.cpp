#include "models/elm/elm.hpp"

#include "models/ridge/mapped_network.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_trainer.hpp"

namespace elmx {
namespace {

template <class T>
std::unique_ptr<Trainer> make(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng) {
  Expansion<T> expansion(models.front().feature_map<T>(fold.train.dimension(), rng));
  return ridge_trainer<T>(ridge_setup(models), std::move(expansion), std::move(fold));
}

double word_of(const ElmOptions& options) { return options.precision == "double" ? 8 : 4; }

}  // namespace

std::unique_ptr<Trainer> make_elm(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng) {
  return models.front().precision == "double" ? make<double>(models, std::move(fold), rng)
                                              : make<float>(models, std::move(fold), rng);
}

std::unique_ptr<Predictor> restore_elm(const ElmOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape) {
  return model.precision == "double" ? restore_mapped_network<double>(network, shape)
                                     : restore_mapped_network<float>(network, shape);
}

Cost elm_cost(const std::vector<ElmOptions>& models, const Sizes& sizes) {
  return ridge_cost(ridge_setup(models), node_cost(models.front().nodes.stop, sizes, word_of(models.front())), sizes);
}

}  // namespace elmx
