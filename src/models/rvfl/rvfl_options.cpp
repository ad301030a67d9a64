#include "models/rvfl/rvfl_options.hpp"

#include "models/algorithm_names.hpp"
#include "models/hidden_node_check.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

std::vector<std::size_t> RvflOptions::sizes() const {
  std::vector<std::size_t> all;
  for (std::size_t s = 1; s <= layers; ++s) all.push_back(s * nodes);
  return all;
}

std::vector<FeatureMap> RvflOptions::feature_maps(uword inputs, const Rng& rng) const {
  const FeatureMap direct(FeatureMap::DirectLinks{inputs});
  std::vector<FeatureMap> hidden;  // H_1 ... H_S
  std::uint64_t draw = 0;
  for (std::size_t s = 0; s < layers; ++s) {
    const uword d = s == 0 ? inputs : nodes + inputs;
    const FeatureMap layer(FeatureMap::Nodes{
        HiddenNodes::draw(activation, rng, d, nodes, {weights[0], weights[1], biases[0], biases[1]}, draw)});
    draw += (d + 1) * nodes;
    if (s == 0) {
      hidden.push_back(layer);
    } else {
      const FeatureMap below(FeatureMap::SideBySide{{hidden.back(), direct}});
      hidden.emplace_back(FeatureMap::Stacked{{below, layer}});
    }
  }
  std::vector<FeatureMap> maps;
  if (ensemble) {
    for (const FeatureMap& layer : hidden) maps.emplace_back(FeatureMap::SideBySide{{direct, layer}});
  } else {
    hidden.insert(hidden.begin(), direct);
    maps.emplace_back(FeatureMap::SideBySide{hidden});
  }
  return maps;
}

void RvflOptions::check(const std::string& place) const {
  check_block_algorithms(algorithms, place, "a layer adds a block of nodes");
  check_hidden_nodes(activation, biases, precision, place);
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
  setup.reference = options.reference;
  setup.leave_one_out = options.leave_one_out.value_or(false);
  return setup;
}

}  // namespace elmx
