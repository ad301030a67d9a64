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
    return network_outputs(map_, inputs, weights);
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

std::string name_of(std::size_t number) { return "nodes" + std::to_string(number); }

/// Parts are numbered in the order of the layout.
template <class T>
class Writer {
 public:
  explicit Writer(TrainedNetwork& network) : network_(network) {}

  /// The layout of the first columns of a map, whose matrices are added to the network.
  Json write(const FeatureMap& map, uword columns) {
    return std::visit([&](const auto& kind) { return layout_of(kind, columns); }, map.kind());
  }

 private:
  Json layout_of(const FeatureMap::Nodes& map, uword columns) {
    add(map.nodes, columns);
    return {{"nodes", map.nodes.kind()}, {"factor", map.factor}};
  }
  Json layout_of(const FeatureMap::DirectLinks& map, uword columns) {
    expects(columns == map.inputs, "mapped_network: all direct links");
    return {{"direct", true}};
  }
  Json layout_of(const FeatureMap::SideBySide& map, uword columns) {
    Json maps = Json::array();
    for (const FeatureMap& one : map.maps) {
      const uword of_it = std::min(one.columns(), columns);
      if (of_it > 0) maps.push_back(write(one, of_it));
      columns -= of_it;
    }
    return {{"side_by_side", maps}};
  }
  Json layout_of(const FeatureMap::Layers& map, uword columns) {
    Json layers = Json::array();
    for (const HiddenNodes& layer : map.layers) {
      if (!map.last_only && columns == 0) break;
      add(layer, layer.count());
      layers.push_back(layer.kind());
      if (!map.last_only) columns -= std::min(columns, layer.count());
    }
    return {{"layers", layers}, {"last_only", map.last_only}};
  }

  void add(const HiddenNodes& nodes, uword columns) {
    const arma::mat hidden = nodes.weights().head_cols(columns);
    const std::string name = name_of(++parts_);
    network_.matrices[name + "_weights"] = arma::conv_to<arma::Mat<T>>::from(hidden.head_rows(hidden.n_rows - 1));
    network_.matrices[name + "_biases"] = arma::conv_to<arma::Mat<T>>::from(hidden.tail_rows(1));
  }

  TrainedNetwork& network_;
  std::size_t parts_ = 0;
};

template <class T>
class Reader {
 public:
  explicit Reader(const TrainedNetwork& network) : network_(network) {}

  FeatureMap read(const Json& layout, uword inputs) {
    if (const auto nodes = layout.find("nodes"); nodes != layout.end()) {
      return FeatureMap(FeatureMap::Nodes{nodes_of(*nodes, inputs), layout.at("factor").get<double>()});
    }
    if (layout.contains("direct")) return FeatureMap(FeatureMap::DirectLinks{inputs});
    if (const auto maps = layout.find("side_by_side"); maps != layout.end()) {
      FeatureMap::SideBySide all;
      for (const Json& one : some_of(*maps)) all.maps.push_back(read(one, inputs));
      return FeatureMap(std::move(all));
    }
    FeatureMap::Layers all{{}, layout.at("last_only").get<bool>()};
    for (const Json& kind : some_of(layout.at("layers"))) {
      all.layers.push_back(nodes_of(kind, all.layers.empty() ? inputs : all.layers.back().count() + inputs));
    }
    return FeatureMap(std::move(all));
  }

 private:
  HiddenNodes nodes_of(const Json& kind, uword inputs) {
    const std::string name = name_of(++parts_), activation = kind.get<std::string>();
    if (activation == "rbf" && std::same_as<T, float>) {
      throw DataError("network/layout: \"rbf\" in single precision; double is expected");
    }
    const uword L = network_.matrix<T>(name + "_biases").n_cols;
    const arma::Mat<T>&weights = network_.matrix<T>(name + "_weights", inputs, L),
          &biases = network_.matrix<T>(name + "_biases", 1, L);
    return HiddenNodes::made_of(activation, arma::conv_to<arma::mat>::from(weights),
                                arma::vectorise(arma::conv_to<arma::mat>::from(biases), 1));
  }

  static const Json& some_of(const Json& maps) {
    if (!maps.is_array() || maps.empty()) throw DataError("network/layout: no map; one or more are expected");
    return maps;
  }

  const TrainedNetwork& network_;
  std::size_t parts_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Expansion<T>> mapped_expansion(FeatureMap map) {
  return std::make_unique<MappedExpansion<T>>(std::move(map));
}

template <class T>
TrainedNetwork mapped_network(const FeatureMap& map, const arma::Mat<T>& output_weights) {
  TrainedNetwork network;
  network.matrices["output_weights"] = output_weights;
  network.layout["map"] = Writer<T>(network).write(map, output_weights.n_rows);
  return network;
}

template <class T>
std::unique_ptr<Predictor> restore_mapped_network(const TrainedNetwork& network, const NetworkShape& shape) {
  FeatureMap map = Reader<T>(network).read(network.layout.at("map"), shape.inputs);
  const arma::Mat<T>& weights = network.matrix<T>("output_weights");
  if (weights.n_rows > map.columns() || weights.is_empty() || weights.n_cols != shape.outputs) {
    throw DataError("network/output_weights: " + std::to_string(weights.n_rows) + " x " +
                    std::to_string(weights.n_cols) +
                    "; a row for each column of the map and a column for each output are expected");
  }
  return std::make_unique<MappedNetwork<T>>(std::move(map), weights);
}

template std::unique_ptr<Expansion<double>> mapped_expansion(FeatureMap);
template std::unique_ptr<Expansion<float>> mapped_expansion(FeatureMap);
template TrainedNetwork mapped_network(const FeatureMap&, const arma::mat&);
template TrainedNetwork mapped_network(const FeatureMap&, const arma::fmat&);
template std::unique_ptr<Predictor> restore_mapped_network<double>(const TrainedNetwork&, const NetworkShape&);
template std::unique_ptr<Predictor> restore_mapped_network<float>(const TrainedNetwork&, const NetworkShape&);

}  // namespace elmx
