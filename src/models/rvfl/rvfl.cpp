#include "models/rvfl/rvfl.hpp"

#include <algorithm>

#include "features/network_output.hpp"

namespace elmx {
namespace {

/// Returns the columns [X H] for the columns H of a map.
template <class T>
FeatureMap<T> beside_inputs(uword inputs, typename FeatureMap<T>::Kind map) {
  typename FeatureMap<T>::SideBySide both;
  both.maps.emplace_back(typename FeatureMap<T>::DirectLinks{inputs});
  both.maps.emplace_back(std::move(map));
  return FeatureMap<T>(std::move(both));
}

}  // namespace

void RvflOptions::fields(FieldVisitor& field) {
  first_fields(field, "algorithms to compare, which use the same random nodes");
  drawing.range_fields(field, "activation of the hidden nodes; rbf: Gaussian nodes with centres and widths",
                       hidden_node_names());
  drawing.draw_fields(field);
  field("nodes", nodes, "number of hidden nodes in each layer", between(1, 1e6));
  field("layers", layers,
        "number of hidden layers; each layer is fed by the layer before it and by the inputs, and results are reported "
        "after each layer",
        between(1, 100));
  field("ensemble", ensemble,
        "whether each layer has output weights of its own and the outputs of the layers are averaged; otherwise one "
        "solution covers all layers");
  field("ridge", ridge, "ridge penalty lambda; auto: chosen in each training part by algorithm path");
  field("growth", growth, "training samples that arrive step by step");
  solution_fields(field);
  field("leave_one_out", leave_one_out,
        "whether leave-one-out errors, GCV and degrees of freedom are computed after each layer; 2 N k^2 flops each, "
        "not timed; not available for an ensemble; false");
}

std::vector<std::size_t> RvflOptions::sizes() const {
  if (growth.wanted()) return {layers * nodes};
  std::vector<std::size_t> all;
  for (std::size_t s = 1; s <= layers; ++s) all.push_back(s * nodes);
  return all;
}

template <class T>
std::vector<Expansion<T>> RvflOptions::expansions(const FoldView& fold, const Rng& rng, bool stored) const {
  using Layers = typename FeatureMap<T>::Layers;
  const NodeDraw how = drawing.node_draw();
  const uword d = fold.train.dimension();
  std::vector<Expansion<T>> all;
  if (layers == 1) {
    const auto draw = [how, rng, count = nodes, last_only = ensemble](const TrainingSamples* samples, uword inputs) {
      if (how.kind == "landmarks") return beside_inputs<T>(inputs, drawn_landmarks(how, rng, count, *samples));
      return beside_inputs<T>(inputs, Layers{{draw_nodes(how, rng, inputs, count, samples)}, last_only});
    };
    all.push_back(drawn_expansion<T>(how, draw, fold, stored));
    return all;
  }
  std::vector<HiddenNodes> hidden;
  std::uint64_t draw = 0;
  for (std::size_t s = 0; s < layers; ++s) {
    const uword inputs = s == 0 ? d : nodes + d;
    hidden.push_back(draw_nodes(how, rng, inputs, nodes, nullptr, draw));
    draw += (inputs + 1) * nodes;
    if (ensemble || s + 1 == layers) all.emplace_back(beside_inputs<T>(d, Layers{hidden, ensemble}), stored);
  }
  return all;
}

template std::vector<Expansion<double>> RvflOptions::expansions(const FoldView&, const Rng&, bool) const;
template std::vector<Expansion<float>> RvflOptions::expansions(const FoldView&, const Rng&, bool) const;

bool RvflOptions::stores_columns(const RidgeSetup& setup, double samples) const {
  const double matrices = ensemble ? static_cast<double>(layers) : 1;
  return RidgeNetworkOptions::stores_columns(setup, matrices * samples);
}

ExpansionCost RvflOptions::expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const {
  Sizes fed = sizes;
  if (layers > 1) fed.inputs += nodes;
  ExpansionCost cost = node_cost(setup.capacity, fed, setup.word, stored);
  drawing.add_cost(nodes, sizes, cost);
  return cost;
}

void RvflOptions::adjust_cost(const ExpansionCost& expansion, const Sizes& sizes, Cost& cost) const {
  if (layers > 1) {  // a block: a layer, the layer above and its inputs, as stored and in double
    const double columns = static_cast<double>(4 * nodes + 2 * sizes.inputs);
    cost.bytes += 8 * numbers_at_once(std::max(sizes.train, sizes.test), columns);
  }
  if (!ensemble) return;
  // one solution for each layer, and the layers below formed again
  const auto S = static_cast<double>(layers);
  cost.flops = S * (cost.flops - expansion.flops) + S * (S + 1) / 2 * expansion.flops;
  cost.bytes *= S;
  cost.passes *= S;
  cost.test_passes *= S;
}

std::optional<ConfigError> RvflOptions::needs_one_rank() const {
  if (const auto draw = drawing.needs_one_rank()) return draw;
  return RidgeNetworkOptions::needs_one_rank();
}

std::optional<ConfigError> RvflOptions::not_saved(bool updatable) const {
  if (!ensemble || !updatable) return RidgeNetworkOptions::not_saved(updatable);
  return ConfigError("/save_model", "\"updatable\" needs one solution over all layers; use model.ensemble=false");
}

void RvflOptions::check(const std::string& place) const {
  check_block_algorithms(place, "a layer adds a block of nodes");
  RidgeNetworkOptions::check(place);
  drawing.check(hidden_node_names(), given_options(*this), precision.single_features(), place);
  if (ensemble && leave_one_out.value_or(false)) {
    throw ConfigError(place + "/ensemble",
                      "an ensemble has no leave-one-out errors; remove model.leave_one_out and select, or use "
                      "model.ensemble=false");
  }
  if (ensemble && growth.wanted())
    throw ConfigError(place + "/ensemble", "an ensemble cannot take samples step by step; use model.ensemble=false");
  if (layers > 1 && drawing.node_draw().looks_at_samples()) {
    throw ConfigError(place + "/layers",
                      "a draw that depends on the samples needs one hidden layer; use model.layers=1 or "
                      "model.draw=sparse");
  }
}

RidgeSetup RvflOptions::setup(std::size_t inputs) const {
  RidgeSetup setup = partial_setup();
  setup.direct = inputs;
  for (const std::size_t size : sizes()) setup.columns.push_back(inputs + size);
  if (ensemble) setup.columns.resize(1);
  setup.first = setup.columns.front();
  setup.capacity = setup.columns.back();
  setup.single_features = drawing.can_be_single();
  return setup;
}

}  // namespace elmx
