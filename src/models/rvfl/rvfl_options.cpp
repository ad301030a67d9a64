#include "models/rvfl/rvfl_options.hpp"

#include "models/algorithm_names.hpp"
#include "models/hidden_node_check.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

void RvflOptions::fields(FieldVisitor& field) {
  field("family", family, "family of models", one_of({"rvfl"}));
  field("algorithms", algorithms, "the algorithms compared, on the same random nodes", among(block_algorithm_names()));
  field("activation", activation, "of the hidden nodes; rbf: Gaussian nodes of centres and widths",
        among(hidden_node_names()));
  field("weights", weights, "range of the random input weights, uniform");
  field("biases", biases, "range of the random biases, uniform; with rbf of the widths");
  drawing.fields(field);
  field("nodes", nodes, "hidden nodes of each layer", between(1, 1e6));
  field("layers", layers,
        "hidden layers; each is fed by the one before it and by the inputs, and results are reported after each",
        between(1, 100));
  field("ensemble", ensemble,
        "each layer has output weights of its own, and the outputs of the layers are averaged; else one solution "
        "over all layers");
  field("ridge", ridge, "ridge penalty lambda; auto: chosen in each training part by algorithm path");
  field("expanded_input", expanded_input, kExpandedInput, one_of({"auto", "stored", "streamed"}));
  field("precision", precision,
        "double, single, or mixed: outputs of the nodes and Gram matrix in single, weights refined to double; the "
        "long form says what is what");
  field("reference", reference,
        "what weight_error and output_error are measured against: an independent QR of the augmented system, the "
        "standard solution by Cholesky, or "
        "nothing (for sizes at which a second solution costs too much)",
        one_of({"none", "qr", "cholesky"}));
  field("leave_one_out", leave_one_out,
        "leave-one-out errors, GCV and degrees of freedom after each layer; 2 N k^2 flops each, not timed; not of an "
        "ensemble; false");
}

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
