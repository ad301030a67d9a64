#include "features/hidden_nodes.hpp"

#include "features/fourier_features.hpp"

namespace elmx {

HiddenNodes HiddenNodes::draw(const std::string& kind, const Rng& rng, uword inputs, uword nodes,
                              const RandomLayerRanges& ranges, std::uint64_t first_draw) {
  if (kind == "rbf") return HiddenNodes(kind, RbfLayer::draw(rng, inputs, nodes, ranges, first_draw));
  if (kind == kFourier) return HiddenNodes(kind, fourier_features(rng, inputs, nodes, ranges.gamma, first_draw));
  return HiddenNodes(kind, RandomLayer::draw(rng, inputs, nodes, activation_from(kind), ranges, first_draw));
}

HiddenNodes HiddenNodes::made_of(const std::string& kind, arma::mat weights, arma::rowvec biases) {
  if (kind == "rbf") return HiddenNodes(kind, RbfLayer{std::move(weights), std::move(biases)});
  return HiddenNodes(kind, RandomLayer{kind == kFourier ? Activation::sine : activation_from(kind), std::move(weights),
                                       std::move(biases)});
}

HiddenNodes HiddenNodes::only(const arma::uvec& nodes) const {
  return HiddenNodes(
      kind_,
      std::visit([&](const auto& layer) -> std::variant<RandomLayer, RbfLayer> { return layer.only(nodes); }, layer_));
}

void HiddenNodes::outputs(const Inputs& inputs, uword first, View<double> H) const {
  std::visit([&](const auto& layer) { layer.outputs(inputs, first, H); }, layer_);
}

void HiddenNodes::outputs(const Inputs& inputs, uword first, View<float> H) const {
  const auto* additive = std::get_if<RandomLayer>(&layer_);
  expects(additive != nullptr, "HiddenNodes: rbf nodes are in double precision");
  additive->outputs(inputs, first, H);
}

uword HiddenNodes::count() const {
  return std::visit([](const auto& layer) { return layer.b.n_elem; }, layer_);
}

arma::mat HiddenNodes::weights() const {
  if (const auto* layer = std::get_if<RbfLayer>(&layer_)) return arma::join_cols(layer->A, layer->b);
  const RandomLayer& layer = std::get<RandomLayer>(layer_);
  return arma::join_cols(layer.W, layer.b);
}

std::vector<std::string> hidden_node_names() {
  std::vector<std::string> names{"rbf"};
  for (const ActivationInfo& row : activations()) names.emplace_back(row.name);
  return names;
}

}  // namespace elmx
