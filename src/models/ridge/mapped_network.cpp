#include <fmt/core.h>

#include <cmath>
#include <concepts>

#include "features/network_output.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/ridge_options.hpp"

namespace elmx {
namespace {

template <class T, class W>
class MappedNetwork final : public Predictor {
 public:
  MappedNetwork(FeatureMap<T> map, arma::Mat<W> weights, std::optional<LeftOut> left_out)
      : map_(std::move(map)), weights_(std::move(weights)), left_out_(std::move(left_out)) {}
  arma::mat outputs(const Inputs& inputs) override { return network_output(map_, inputs, weights_); }
  LeftOutOutputs left_out(const Inputs& inputs) override {
    if (!left_out_) return {};
    return left_out_outputs(network_output(map_, inputs, arma::conv_to<arma::Mat<W>>::from(left_out_->directions)),
                            left_out_->residuals);
  }

 private:
  FeatureMap<T> map_;
  arma::Mat<W> weights_;
  std::optional<LeftOut> left_out_;
};

/// Returns the name of the matrices of the next nodes, numbered in the order of the layout.
std::string next_name(std::size_t& count) { return "nodes" + std::to_string(++count); }

template <class T>
class Writer {
 public:
  using Map = FeatureMap<T>;

  explicit Writer(TrainedNetwork& network) : matrices_(network.matrices) {}

  /// Returns the layout of the first columns of a map, and adds their matrices to the network.
  Json write(const Map& map, uword columns) {
    return std::visit([&](const auto& kind) { return layout_of(kind, columns); }, map.kind());
  }

 private:
  Json layout_of(const typename Map::Nodes& map, uword columns) {
    add(map.nodes, columns);
    return {{"nodes", map.nodes.kind}, {"factor", map.factor}};
  }
  Json layout_of(const typename Map::DirectLinks& map, uword columns) {
    expects(columns == map.inputs, "mapped_network: all direct links");
    return {{"direct", true}};
  }
  Json layout_of(const typename Map::SideBySide& map, uword columns) {
    Json maps = Json::array();
    for (const Map& one : map.maps) {
      const uword of_it = std::min(one.columns(), columns);
      if (of_it > 0) maps.push_back(write(one, of_it));
      columns -= of_it;
    }
    return {{"side_by_side", maps}};
  }
  Json layout_of(const typename Map::Layers& map, uword columns) {
    Json layers = Json::array();
    for (const HiddenNodes& layer : map.layers) {
      if (!map.last_only && columns == 0) break;
      add(layer, layer.count());
      layers.push_back(layer.kind);
      if (!map.last_only) columns -= std::min(columns, layer.count());
    }
    return {{"layers", layers}, {"last_only", map.last_only}};
  }
  Json layout_of(const typename Map::Broad& map, uword columns) {
    const typename BroadFeatures<T>::Fitted& fitted = map->fitted();
    const std::string name = next_name(nodes_);
    matrices_[name + "_projection"] = fitted.projection;
    matrices_[name + "_offset"] = arma::Mat<T>(fitted.offset);
    matrices_[name + "_factor"] = arma::Mat<T>(fitted.factor);
    Json parts = Json::array();
    for (const auto& part : fitted.parts) {
      if (part.column >= columns) break;
      const bool enhancement = !part.weights.is_empty();
      parts.push_back({{"column", part.column},
                       {"count", part.count},
                       {"first", part.first},
                       {"inputs", part.inputs},
                       {"enhancement", enhancement}});
      if (enhancement) add(part.weights, part.biases);
    }
    return {{"broad", parts}, {"standardise", fitted.standardise}};
  }

  Json layout_of(const typename Map::Landmarks& map, uword columns) {
    const std::string name = next_name(nodes_);
    matrices_[name + "_landmarks"] = arma::mat(map->landmarks().head_rows(columns));
    matrices_[name + "_factor"] = arma::mat(map->factor().submat(0, 0, columns - 1, columns - 1));
    return {{"landmarks", kernels()[static_cast<std::size_t>(map->function().kernel)].name},
            {"length", map->function().length}};
  }

  void add(const HiddenNodes& nodes, uword columns) {
    add(arma::conv_to<arma::Mat<T>>::from(nodes.W.head_cols(columns)),
        arma::conv_to<arma::Mat<T>>::from(nodes.b.head_cols(columns)));
  }
  void add(arma::Mat<T> weights, arma::Mat<T> biases) {
    const std::string name = next_name(nodes_);
    matrices_[name + "_weights"] = std::move(weights);
    matrices_[name + "_biases"] = std::move(biases);
  }

  NamedMatrices& matrices_;
  std::size_t nodes_ = 0;  // named so far
};

[[noreturn]] void refuse_parts() {
  throw DataError("network/layout", "expected the parts of a broad network one after the other, without gaps");
}

template <class T>
class Reader {
 public:
  using Map = FeatureMap<T>;

  explicit Reader(const TrainedNetwork& network) : network_(network) {}

  Map read(const Json& layout, uword inputs) {
    if (const auto nodes = layout.find("nodes"); nodes != layout.end()) {
      return Map(typename Map::Nodes{nodes_of(*nodes, inputs), layout.at("factor").template get<double>()});
    }
    if (layout.contains("direct")) return Map(typename Map::DirectLinks{inputs});
    if (const auto parts = layout.find("broad"); parts != layout.end()) {
      return Map(broad_of(some_of(*parts), layout.at("standardise"), inputs));
    }
    if (const auto kernel = layout.find("landmarks"); kernel != layout.end())
      return Map(landmarks_of(kernel->get<std::string>(), layout.at("length").get<double>(), inputs));
    if (const auto maps = layout.find("side_by_side"); maps != layout.end()) {
      typename Map::SideBySide all;
      for (const Json& one : some_of(*maps)) all.maps.push_back(read(one, inputs));
      return Map(std::move(all));
    }
    typename Map::Layers all{{}, layout.at("last_only").get<bool>()};
    for (const Json& kind : some_of(layout.at("layers"))) {
      all.layers.push_back(nodes_of(kind, all.layers.empty() ? inputs : all.layers.back().count() + inputs));
    }
    return Map(std::move(all));
  }

 private:
  HiddenNodes nodes_of(const Json& kind, uword inputs) {
    const std::string name = next_name(nodes_), activation = kind.get<std::string>();
    if (activation == "rbf" && std::same_as<T, float>) {
      throw DataError("network/layout", "expected \"rbf\" nodes in double precision, found single");
    }
    const uword L = network_.matrix<T>(name + "_biases").n_cols;
    const arma::Mat<T>&weights = network_.matrix<T>(name + "_weights", inputs, L),
          &biases = network_.matrix<T>(name + "_biases", 1, L);
    return HiddenNodes(activation, arma::conv_to<arma::mat>::from(weights),
                       arma::vectorise(arma::conv_to<arma::mat>::from(biases), 1));
  }

  typename Map::Landmarks landmarks_of(const std::string& kernel, double length, uword inputs) {
    if (std::same_as<T, float>)
      throw DataError("network/layout", "expected \"landmarks\" in double precision, found single");
    if (!(length > 0) || !std::isfinite(length))
      throw DataError("network/layout", "expected a positive length, found " + std::to_string(length));
    const std::string name = next_name(nodes_);
    const uword m = network_.matrix<double>(name + "_landmarks").n_rows;
    if (m == 0) throw DataError("network/" + name + "_landmarks", "expected one or more rows, found none");
    return std::make_shared<const LandmarkNodes>(KernelFunction{kernel_from(kernel), length},
                                                 network_.matrix<double>(name + "_landmarks", m, inputs),
                                                 network_.matrix<double>(name + "_factor", m, m));
  }

  typename Map::Broad broad_of(const Json& parts, bool standardise, uword inputs) {
    typename BroadFeatures<T>::Fitted fitted;
    const std::string name = next_name(nodes_);
    const uword f = network_.matrix<T>(name + "_projection").n_cols;
    fitted.standardise = standardise;
    fitted.projection = network_.matrix<T>(name + "_projection", inputs + 1, f);
    fitted.offset = arma::vectorise(network_.matrix<T>(name + "_offset", 1, f), 1);
    fitted.factor = arma::vectorise(network_.matrix<T>(name + "_factor", 1, f), 1);
    uword columns = 0;
    for (const Json& one : parts) {
      fitted.parts.push_back(part_of(one, f));
      if (fitted.parts.back().column != columns) refuse_parts();
      columns += fitted.parts.back().count;
    }
    fitted.sizes = {columns};
    return std::make_shared<const BroadFeatures<T>>(std::move(fitted));
  }

  typename BroadFeatures<T>::Part part_of(const Json& layout, uword feature_nodes) {
    const uword count = count_from(layout.at("count")), first = count_from(layout.at("first")),
                inputs = count_from(layout.at("inputs"));
    const bool enhancement = layout.at("enhancement");
    if (first > feature_nodes || (enhancement ? inputs : count) > feature_nodes - first) refuse_parts();
    typename BroadFeatures<T>::Part part{count_from(layout.at("column")), count, first, inputs, {}, {}};
    if (!enhancement) return part;
    const std::string name = next_name(nodes_);
    part.weights = network_.matrix<T>(name + "_weights", inputs, count);
    part.biases = arma::vectorise(network_.matrix<T>(name + "_biases", 1, count), 1);
    if (part.weights.is_empty()) refuse_parts();
    return part;
  }

  static const Json& some_of(const Json& maps) {
    if (!maps.is_array() || maps.empty()) throw DataError("network/layout", "expected one or more maps, found none");
    return maps;
  }

  const TrainedNetwork& network_;
  std::size_t nodes_ = 0;  // named so far
};

}  // namespace

template <class T, class W>
TrainedNetwork mapped_network(const FeatureMap<T>& map, const arma::Mat<W>& output_weights) {
  TrainedNetwork network;
  network.matrices["output_weights"] = output_weights;
  network.layout["map"] = Writer<T>(network).write(map, output_weights.n_rows);
  return network;
}

template <class T>
FeatureMap<T> restore_map(const TrainedNetwork& network, uword inputs) {
  return Reader<T>(network).read(network.layout.at("map"), inputs);
}

namespace {

/// Restores a network. W: the type of the output weights.
template <class T, class W>
std::unique_ptr<Predictor> restore_mapped_network(const TrainedNetwork& network, const NetworkShape& shape) {
  FeatureMap<T> map = restore_map<T>(network, shape.inputs);
  const arma::Mat<W>& weights = network.matrix<W>("output_weights");
  if (weights.n_rows > map.columns() || weights.is_empty() || weights.n_cols != shape.outputs) {
    throw DataError("network/output_weights",
                    fmt::format("expected at most {} rows (columns of the map) and {} columns (outputs), found {} x {}",
                                map.columns(), shape.outputs, weights.n_rows, weights.n_cols));
  }
  return std::make_unique<MappedNetwork<T, W>>(std::move(map), weights,
                                               kept_left_out<T>(network, weights.n_rows, weights.n_cols));
}

}  // namespace

std::unique_ptr<Predictor> RidgeNetworkOptions::restore(const TrainedNetwork& network,
                                                        const NetworkShape& shape) const {
  const Precision stored = precision_of(precision, network);
  const auto restored = [&](const TrainedNetwork& one) {
    if (!stored.single_features()) return restore_mapped_network<double, double>(one, shape);
    return stored.single_answers() ? restore_mapped_network<float, float>(one, shape)
                                   : restore_mapped_network<float, double>(one, shape);
  };
  return averages() ? restore_average(network, restored) : restored(network);
}

template TrainedNetwork mapped_network(const FeatureMap<double>&, const arma::mat&);
template TrainedNetwork mapped_network(const FeatureMap<float>&, const arma::fmat&);
template TrainedNetwork mapped_network(const FeatureMap<float>&, const arma::mat&);
template FeatureMap<double> restore_map(const TrainedNetwork&, uword);
template FeatureMap<float> restore_map(const TrainedNetwork&, uword);

}  // namespace elmx
