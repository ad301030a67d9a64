#include "models/rvfl/rvfl_options.hpp"

#include "base/config/owned_options.hpp"
#include "models/algorithm_names.hpp"
#include "models/hidden_node_check.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

std::vector<std::size_t> RvflOptions::sizes() const {
  std::vector<std::size_t> all;
  for (std::size_t s = 1; s <= layers; ++s) all.push_back(s * nodes);
  return all;
}

NodeDraw RvflOptions::node_draw() const {
  return drawing.node_draw(activation, {weights[0], weights[1], biases[0], biases[1]});
}

template <class T>
std::vector<FeatureMap<T>> RvflOptions::feature_maps(uword inputs, const Rng& rng,
                                                     const TrainingSamples* samples) const {
  using Map = FeatureMap<T>;
  const Map direct(typename Map::DirectLinks{inputs});
  if (drawing.landmarks()) {  // only with one layer
    const Map hidden(drawn_landmarks(node_draw(), rng, nodes, *samples));
    return {Map(typename Map::SideBySide{{direct, hidden}})};
  }
  std::vector<HiddenNodes> hidden;
  std::vector<Map> maps;
  std::uint64_t draw = 0;
  for (std::size_t s = 0; s < layers; ++s) {
    const uword d = s == 0 ? inputs : nodes + inputs;
    hidden.push_back(draw_nodes(node_draw(), rng, d, nodes, samples, draw));
    draw += (d + 1) * nodes;
    if (!ensemble && s + 1 < layers) continue;
    typename Map::SideBySide both;
    both.maps.push_back(direct);
    both.maps.emplace_back(typename Map::Layers{hidden, ensemble});
    maps.emplace_back(std::move(both));
  }
  return maps;
}

template std::vector<FeatureMap<double>> RvflOptions::feature_maps(uword, const Rng&, const TrainingSamples*) const;
template std::vector<FeatureMap<float>> RvflOptions::feature_maps(uword, const Rng&, const TrainingSamples*) const;

void RvflOptions::check(const std::string& place) const {
  check_block_algorithms(algorithms, place, "a layer adds a block of nodes");
  check_ridge(ridge, algorithms, place);
  precision.check(algorithms, place);
  check_hidden_nodes(activation, hidden_node_names(), biases, precision.single_features(), place);
  if (ensemble && leave_one_out.value_or(false)) {
    throw ConfigError(place + "/ensemble",
                      "an ensemble has no leave-one-out errors; remove model.leave_one_out and select, or use "
                      "model.ensemble=false");
  }
  drawing.check(activation, given_options(*this), precision.single_features(), place);
  if (layers > 1 && node_draw().looks_at_samples()) {
    throw ConfigError(place + "/layers",
                      "a draw that depends on the samples needs one hidden layer; use model.layers=1 or "
                      "model.draw=sparse");
  }
  check_range(weights, place + "/weights");
  check_range(biases, place + "/biases");
}

RidgeSetup ridge_setup(const std::vector<RvflOptions>& models, uword inputs) {
  const RvflOptions& options = models.front();
  RidgeSetup setup;
  setup.algorithms = options.algorithms;
  for (const RvflOptions& model : models) setup.lambdas.push_back(model.ridge);
  setup.direct = inputs;
  for (const std::size_t size : options.sizes()) setup.columns.push_back(inputs + size);
  if (options.ensemble) setup.columns.resize(1);
  setup.first = setup.columns.front();
  setup.capacity = setup.columns.back();
  setup.reference = options.reference;
  setup.arithmetic = options.precision.arithmetic();
  setup.single_features = options.activation != "rbf" && !options.drawing.landmarks();
  setup.leave_one_out = options.leave_one_out.value_or(false);
  return setup;
}

}  // namespace elmx
