#include "models/single_layer.hpp"

#include <concepts>

#include "features/hidden_nodes.hpp"
#include "features/network_output.hpp"

namespace elmx {
namespace {

template <class T>
class SingleLayer final : public Predictor {
 public:
  SingleLayer(HiddenNodes nodes, arma::Mat<T> weights, arma::rowvec biases)
      : nodes_(std::move(nodes)), weights_(std::move(weights)), biases_(std::move(biases)) {}

  arma::mat outputs(const Inputs& inputs) override { return network_output(nodes_, inputs, weights_, biases_); }

 private:
  HiddenNodes nodes_;
  arma::Mat<T> weights_;  // L x c
  arma::rowvec biases_;   // empty: none
};

template <class T>
arma::mat widened(const arma::Mat<T>& M) {
  return arma::conv_to<arma::mat>::from(M);
}

}  // namespace

template <class T>
TrainedNetwork single_layer(const std::string& activation, const arma::mat& hidden, const arma::Mat<T>& output_weights,
                            const arma::rowvec& output_biases) {
  expects(hidden.n_cols == output_weights.n_rows, "single_layer: output weights of every hidden node");
  TrainedNetwork network;
  network.layout["activation"] = activation;
  network.matrices["weights"] = arma::conv_to<arma::Mat<T>>::from(hidden.head_rows(hidden.n_rows - 1));
  network.matrices["biases"] = arma::conv_to<arma::Mat<T>>::from(hidden.tail_rows(1));
  network.matrices["output_weights"] = output_weights;
  if (!output_biases.is_empty()) network.matrices["output_biases"] = arma::mat(output_biases);
  return network;
}

template <class T>
std::unique_ptr<Predictor> restore_single_layer(const TrainedNetwork& network, const NetworkShape& shape) {
  const arma::uword L = network.matrix<T>("biases").n_cols;
  const arma::mat weights = widened(network.matrix<T>("weights", shape.inputs, L));
  const arma::rowvec biases = arma::vectorise(widened(network.matrix<T>("biases", 1, L)), 1);
  arma::rowvec output_biases;
  if (network.matrices.contains("output_biases"))
    output_biases = arma::vectorise(network.matrix<double>("output_biases", 1, shape.outputs), 1);
  const std::string activation = network.layout.at("activation");
  if (activation == "rbf" && std::same_as<T, float>)
    throw DataError("network/layout", "expected \"rbf\" nodes in double precision, found single");
  HiddenNodes nodes = HiddenNodes(activation, weights, biases);
  return std::make_unique<SingleLayer<T>>(std::move(nodes), network.matrix<T>("output_weights", L, shape.outputs),
                                          std::move(output_biases));
}

template TrainedNetwork single_layer(const std::string&, const arma::mat&, const arma::mat&, const arma::rowvec&);
template TrainedNetwork single_layer(const std::string&, const arma::mat&, const arma::fmat&, const arma::rowvec&);
template std::unique_ptr<Predictor> restore_single_layer<double>(const TrainedNetwork&, const NetworkShape&);
template std::unique_ptr<Predictor> restore_single_layer<float>(const TrainedNetwork&, const NetworkShape&);

}  // namespace elmx
