#include "models/rvfl/rvfl.hpp"

namespace elmx {

void RvflOptions::fields(FieldVisitor& field) {
  first_fields(field, "the algorithms compared, on the same random nodes", names_of(block_algorithms()));
  drawing.range_fields(field, "of the hidden nodes; rbf: Gaussian nodes of centres and widths", hidden_node_names());
  drawing.draw_fields(field);
  field("nodes", nodes, "hidden nodes of each layer", between(1, 1e6));
  field("layers", layers,
        "hidden layers; each is fed by the one before it and by the inputs, and results are reported after each",
        between(1, 100));
  field("ensemble", ensemble,
        "each layer has output weights of its own, and the outputs of the layers are averaged; else one solution over "
        "all layers");
  field("ridge", ridge, "ridge penalty lambda; auto: chosen in each training part by algorithm path");
  solution_fields(field);
  field("leave_one_out", leave_one_out,
        "leave-one-out errors, GCV and degrees of freedom after each layer; 2 N k^2 flops each, not timed; not of an "
        "ensemble; false");
}

std::vector<std::size_t> RvflOptions::sizes() const {
  std::vector<std::size_t> all;
  for (std::size_t s = 1; s <= layers; ++s) all.push_back(s * nodes);
  return all;
}

template <class T>
std::vector<FeatureMap<T>> RvflOptions::feature_maps(std::size_t inputs, const Rng& rng,
                                                     const TrainingSamples* samples) const {
  using Map = FeatureMap<T>;
  const Map direct(typename Map::DirectLinks{inputs});
  if (drawing.landmarks()) {  // only with one layer
    const Map hidden(drawn_landmarks(drawing.node_draw(), rng, nodes, *samples));
    return {Map(typename Map::SideBySide{{direct, hidden}})};
  }
  std::vector<HiddenNodes> hidden;
  std::vector<Map> maps;
  std::uint64_t draw = 0;
  for (std::size_t s = 0; s < layers; ++s) {
    const std::size_t d = s == 0 ? inputs : nodes + inputs;
    hidden.push_back(draw_nodes(drawing.node_draw(), rng, d, nodes, samples, draw));
    draw += (d + 1) * nodes;
    if (!ensemble && s + 1 < layers) continue;
    typename Map::SideBySide both;
    both.maps.push_back(direct);
    both.maps.emplace_back(typename Map::Layers{hidden, ensemble});
    maps.emplace_back(std::move(both));
  }
  return maps;
}

template std::vector<FeatureMap<double>> RvflOptions::feature_maps(std::size_t, const Rng&,
                                                                   const TrainingSamples*) const;
template std::vector<FeatureMap<float>> RvflOptions::feature_maps(std::size_t, const Rng&,
                                                                  const TrainingSamples*) const;

void RvflOptions::check(const std::string& place) const {
  check_block_algorithms(place, "a layer adds a block of nodes");
  RidgeNetworkOptions::check(place);
  drawing.check(hidden_node_names(), given_options(*this), precision.single_features(), place);
  if (ensemble && leave_one_out.value_or(false)) {
    throw ConfigError(place + "/ensemble",
                      "an ensemble has no leave-one-out errors; remove model.leave_one_out and select, or use "
                      "model.ensemble=false");
  }
  if (layers > 1 && drawing.node_draw().looks_at_samples()) {
    throw ConfigError(place + "/layers",
                      "a draw that depends on the samples needs one hidden layer; use model.layers=1 or "
                      "model.draw=sparse");
  }
}

RidgeSetup ridge_setup(const std::vector<RvflOptions>& models, std::size_t inputs) {
  const RvflOptions& options = models.front();
  RidgeSetup setup = setup_without_columns(models);
  setup.direct = inputs;
  for (const std::size_t size : options.sizes()) setup.columns.push_back(inputs + size);
  if (options.ensemble) setup.columns.resize(1);
  setup.first = setup.columns.front();
  setup.capacity = setup.columns.back();
  setup.single_features = options.drawing.can_be_single();
  return setup;
}

}  // namespace elmx
