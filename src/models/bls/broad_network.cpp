#include "models/bls/broad_network.hpp"

#include "base/config/count_from.hpp"

namespace elmx {
namespace {

template <class T>
class BroadNetwork final : public Predictor {
 public:
  BroadNetwork(typename BroadFeatures<T>::Fitted fitted, arma::Mat<T> weights)
      : features_(std::move(fitted)), weights_({std::move(weights)}) {}

  arma::mat outputs(const Inputs& inputs) override { return features_.outputs(inputs, weights_).front(); }

 private:
  BroadFeatures<T> features_;
  std::vector<arma::Mat<T>> weights_;  // one
};

std::string enhancement(std::size_t number) { return "enhancement" + std::to_string(number); }

[[noreturn]] void refuse_parts() {
  throw DataError("network/layout: parts that do not lie one behind the other; a broad network is expected");
}

}  // namespace

template <class T>
TrainedNetwork broad_network(const BroadFeatures<T>& features, const arma::Mat<T>& output_weights) {
  const typename BroadFeatures<T>::Fitted fitted = features.fitted();
  TrainedNetwork network;
  network.matrices = {{"projection", fitted.projection},
                      {"feature_offset", arma::Mat<T>(fitted.offset)},
                      {"feature_factor", arma::Mat<T>(fitted.factor)},
                      {"output_weights", output_weights}};
  Json parts = Json::array();
  std::size_t enhancements = 0;
  for (const auto& part : fitted.parts) {
    if (part.column >= output_weights.n_rows) break;
    const bool is_enhancement = !part.weights.is_empty();
    parts.push_back({{"column", part.column},
                     {"count", part.count},
                     {"first", part.first},
                     {"inputs", part.inputs},
                     {"enhancement", is_enhancement}});
    if (!is_enhancement) continue;
    network.matrices[enhancement(++enhancements) + "_weights"] = part.weights;
    network.matrices[enhancement(enhancements) + "_biases"] = arma::Mat<T>(part.biases);
  }
  network.layout["standardise"] = fitted.standardise;
  network.layout["parts"] = std::move(parts);
  return network;
}

template <class T>
std::unique_ptr<Predictor> restore_broad_network(const TrainedNetwork& network, const NetworkShape& shape) {
  typename BroadFeatures<T>::Fitted fitted;
  const uword f = network.matrix<T>("projection").n_cols;
  fitted.standardise = network.layout.at("standardise");
  fitted.projection = network.matrix<T>("projection", shape.inputs + 1, f);
  fitted.offset = arma::vectorise(network.matrix<T>("feature_offset", 1, f), 1);
  fitted.factor = arma::vectorise(network.matrix<T>("feature_factor", 1, f), 1);
  uword columns = 0;
  std::size_t enhancements = 0;
  for (const Json& one : network.layout.at("parts")) {
    typename BroadFeatures<T>::Part part{count_from(one.at("column")),
                                         count_from(one.at("count")),
                                         count_from(one.at("first")),
                                         count_from(one.at("inputs")),
                                         {},
                                         {}};
    const bool is_enhancement = one.at("enhancement");
    if (part.column != columns || part.first > f || (is_enhancement ? part.inputs : part.count) > f - part.first)
      refuse_parts();
    if (is_enhancement) {
      part.weights = network.matrix<T>(enhancement(++enhancements) + "_weights", part.inputs, part.count);
      part.biases = arma::vectorise(network.matrix<T>(enhancement(enhancements) + "_biases", 1, part.count), 1);
      if (part.weights.is_empty()) refuse_parts();
    }
    columns += part.count;
    fitted.parts.push_back(std::move(part));
  }
  const arma::Mat<T>& weights = network.matrix<T>("output_weights");
  if (weights.n_rows > columns || weights.is_empty()) refuse_parts();
  fitted.sizes = {columns};
  return std::make_unique<BroadNetwork<T>>(std::move(fitted),
                                           network.matrix<T>("output_weights", weights.n_rows, shape.outputs));
}

template TrainedNetwork broad_network(const BroadFeatures<double>&, const arma::mat&);
template TrainedNetwork broad_network(const BroadFeatures<float>&, const arma::fmat&);
template std::unique_ptr<Predictor> restore_broad_network<double>(const TrainedNetwork&, const NetworkShape&);
template std::unique_ptr<Predictor> restore_broad_network<float>(const TrainedNetwork&, const NetworkShape&);

}  // namespace elmx
