#include "models/ridge/mapped_expansion.hpp"

#include "features/network_output.hpp"

namespace elmx {
namespace {

template <class T>
class MappedExpansion final : public Expansion<T> {
 public:
  explicit MappedExpansion(FeatureMap map) : map_(std::move(map)) {}

  std::unique_ptr<TallMatrix<T>> form(const Inputs& train, const RowScale<T>& scale) override {
    A_.set_size(train.samples(), map_.columns());
    map_.outputs(train, 0, View<T>(A_));
    scale.apply(View<T>(A_));
    return std::make_unique<StoredMatrix<T>>(A_);
  }

  std::vector<arma::mat> outputs(const Inputs& inputs, const std::vector<arma::Mat<T>>& weights) const override {
    std::vector<arma::mat> all;
    for (const arma::Mat<T>& W : weights) all.push_back(network_output(map_, inputs, W));
    return all;
  }

  TrainedNetwork network(const arma::Mat<T>& W) const override { return mapped_network(map_, W); }

 private:
  FeatureMap map_;
  arma::Mat<T> A_;
};

template <class T>
class MappedNetwork final : public Predictor {
 public:
  MappedNetwork(FeatureMap map, arma::Mat<T> weights) : map_(std::move(map)), weights_(std::move(weights)) {}
  arma::mat outputs(const Inputs& inputs) override { return network_output(map_, inputs, weights_); }

 private:
  FeatureMap map_;
  arma::Mat<T> weights_;
};

/// Writes the parts of a map one after another; reads them in the same order.
template <class T>
class Parts {
 public:
  Json write(const FeatureMap& map, uword columns) {
    return std::visit([&](const auto& kind) { return layout_of(kind, columns); }, map.kind());
  }

  FeatureMap read(const Json& layout, uword inputs) {
    if (const auto nodes = layout.find("nodes"); nodes != layout.end())
      return FeatureMap(read_nodes(layout, nodes->get<std::string>(), inputs));
    if (layout.contains("direct")) return FeatureMap(FeatureMap::DirectLinks{inputs});
    if (const auto maps = layout.find("side_by_side"); maps != layout.end()) {
      FeatureMap::SideBySide all;
      for (const Json& one : some_of(*maps)) all.maps.push_back(read(one, inputs));
      return FeatureMap(std::move(all));
    }
    FeatureMap::Stacked all;
    for (const Json& one : some_of(layout.at("stacked"))) {
      all.layers.push_back(read(one, inputs));
      inputs = all.layers.back().columns();
    }
    return FeatureMap(std::move(all));
  }

  NamedMatrices matrices;

 private:
  Json layout_of(const FeatureMap::Nodes& map, uword columns) {
    const std::string name = "nodes" + std::to_string(++written_);
    const arma::mat hidden = map.nodes.weights().head_cols(columns);
    matrices[name + "_weights"] = arma::conv_to<arma::Mat<T>>::from(hidden.head_rows(hidden.n_rows - 1));
    matrices[name + "_biases"] = arma::conv_to<arma::Mat<T>>::from(hidden.tail_rows(1));
    return {{"nodes", map.nodes.kind()}, {"factor", map.factor}};
  }
  Json layout_of(const FeatureMap::DirectLinks&, uword) { return {{"direct", true}}; }
  Json layout_of(const FeatureMap::SideBySide& map, uword columns) {
    Json maps = Json::array();
    for (const FeatureMap& one : map.maps) {
      const uword of_it = std::min(one.columns(), columns);
      if (of_it > 0) maps.push_back(write(one, of_it));
      columns -= of_it;
    }
    return {{"side_by_side", maps}};
  }
  Json layout_of(const FeatureMap::Stacked& map, uword columns) {
    Json layers = Json::array();
    for (std::size_t i = 0; i < map.layers.size(); ++i) {
      layers.push_back(write(map.layers[i], i + 1 < map.layers.size() ? map.layers[i].columns() : columns));
    }
    return {{"stacked", layers}};
  }

  FeatureMap::Nodes read_nodes(const Json& layout, const std::string& kind, uword inputs) {
    const std::string name = "nodes" + std::to_string(++written_);
    const TrainedNetwork network{matrices, {}};
    const uword L = network.matrix<T>(name + "_biases").n_cols;
    if (kind == "rbf" && std::same_as<T, float>)
      throw DataError("network/layout: \"rbf\" in single precision; double is expected");
    const arma::mat weights = arma::conv_to<arma::mat>::from(network.matrix<T>(name + "_weights", inputs, L));
    const arma::rowvec biases =
        arma::vectorise(arma::conv_to<arma::mat>::from(network.matrix<T>(name + "_biases", 1, L)), 1);
    return {HiddenNodes::made_of(kind, weights, biases), layout.at("factor").get<double>()};
  }

  static const Json& some_of(const Json& maps) {
    if (!maps.is_array() || maps.empty()) throw DataError("network/layout: no map; one or more are expected");
    return maps;
  }

  std::size_t written_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Expansion<T>> mapped_expansion(FeatureMap map) {
  return std::make_unique<MappedExpansion<T>>(std::move(map));
}

template <class T>
TrainedNetwork mapped_network(const FeatureMap& map, const arma::Mat<T>& output_weights) {
  Parts<T> parts;
  TrainedNetwork network;
  network.layout["map"] = parts.write(map, output_weights.n_rows);
  network.matrices = std::move(parts.matrices);
  network.matrices["output_weights"] = output_weights;
  return network;
}

template <class T>
std::unique_ptr<Predictor> restore_mapped_network(const TrainedNetwork& network, const NetworkShape& shape) {
  Parts<T> parts;
  parts.matrices = network.matrices;
  FeatureMap map = parts.read(network.layout.at("map"), shape.inputs);
  const arma::Mat<T>& weights = network.matrix<T>("output_weights", map.columns(), shape.outputs);
  return std::make_unique<MappedNetwork<T>>(std::move(map), weights);
}

template std::unique_ptr<Expansion<double>> mapped_expansion(FeatureMap);
template std::unique_ptr<Expansion<float>> mapped_expansion(FeatureMap);
template TrainedNetwork mapped_network(const FeatureMap&, const arma::mat&);
template TrainedNetwork mapped_network(const FeatureMap&, const arma::fmat&);
template std::unique_ptr<Predictor> restore_mapped_network<double>(const TrainedNetwork&, const NetworkShape&);
template std::unique_ptr<Predictor> restore_mapped_network<float>(const TrainedNetwork&, const NetworkShape&);

}  // namespace elmx
