#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "models/rls/rls.hpp"
#include "nets/training.hpp"

namespace elmx {

/// A parameter matrix of a network that is not built yet.
struct PlannedParameter {
  std::string name;       ///< number of its layer, with .w or .v for recurrent layers
  std::size_t layer = 0;  ///< counted from 1; the output layer follows the hidden layers
  bool output = false;
  uword inputs = 0;   ///< q
  uword outputs = 0;  ///< r
  uword rows = 0;     ///< rows of X per sample: positions or steps
  double bound = 0;   ///< parameters start uniform on +- bound
  double k, eta, forgetting;
};

/// A layer between two shapes.
struct PlannedLayer {
  LayerOptions options;
  std::string kind;  ///< as in the options, "output" or "last_step"
  Shape input, output;
  std::vector<PlannedParameter> parameters;
};

/// Plans the network of these options for samples of `inputs` numbers and `outputs` targets. Throws
/// ConfigError with a place below `place` if the inputs cannot be shaped as requested, or if a layer cannot
/// follow the layer before.
std::vector<PlannedLayer> plan_network(const RlsModelOptions& options, uword inputs, uword outputs,
                                       const std::string& place);

/// Returns "time_ratio INxOUT" and "space_ratio INxOUT" for each layer. The former is the flops of the
/// gradient of its parameters and of their RLS step relative to the gradient alone, the latter the stored
/// numbers relative to the parameters alone. Both describe Rls (the cheaper form of P D, including the terms
/// in q^2) without the norms for clipping.
std::map<std::string, double> rls_ratios(const std::vector<PlannedLayer>& plan, double batch);

inline constexpr const char* kWords = "words";

/// The parameter matrices by name, and kWords, the vectors of an embedding (words x dimension).
template <class T>
using NetworkParameters = std::map<std::string, arma::Mat<T>>;

/// Draws the parameters from `rng`, the same for every algorithm. As in PyTorch they are uniform on +-
/// 1 / sqrt(inputs), or +- 1 / sqrt(nodes) for recurrent layers. Vectors of words are standard normal, and
/// the vector of word 0 (padding) is zero.
template <class T>
NetworkParameters<T> draw_parameters(const std::vector<PlannedLayer>& plan, const Rng& rng);

/// Builds the network with these parameters, whose shapes must agree with the plan.
template <class T>
Network<T> build_network(const std::vector<PlannedLayer>& plan, NetworkParameters<T> parameters);

/// Builds the training of that network by an algorithm.
template <class T>
Training<T> build_training(const RlsModelOptions& options, const RlsAlgorithm& algorithm,
                           const std::vector<PlannedLayer>& plan, const Rng& rng);

/// Returns the stored form of a deep network: each parameter matrix Theta (q x r, last row the bias) under
/// its name in the plan, and the vectors of an embedding (words x dimension) as "words". The layout lists
/// layers, shapes and parameters. rng: the Rng of the training.
template <class T>
TrainedNetwork deep_network(const std::vector<PlannedLayer>& plan, Network<T>& network, const Rng& rng);

/// Restores a network. Throws DataError if matrices are missing or do not fit.
template <class T>
std::unique_ptr<Predictor> restore_deep_network(const RlsModelOptions& model, const TrainedNetwork& network,
                                                const NetworkShape& shape);

/// Throws ConfigError if the inputs of an embedding are not numbers of its words.
void check_words(const std::vector<PlannedLayer>& plan, const Inputs& inputs);

template <class T>
Samples<T> samples_of(const Inputs& inputs, uword steps);

/// Copies the outputs ((steps m) x c) of m samples into their rows of Z (n x (steps c)).
template <class T>
void put_outputs(const arma::Mat<T>& outputs, std::span<const std::uint64_t> samples, arma::mat& Z);

inline constexpr uword kSamplesTogether = 128;

/// Calls visit(numbers of m samples, their outputs before a softmax) for all samples in order; the outputs,
/// (steps m) x c, may be overwritten. The network always gets the same number of samples, padded by the last
/// sample: the outputs of a sample do not depend on the others, to the last bit.
template <class T, class Visit>
void for_each_output(Network<T>& network, const Samples<T>& inputs, const Visit& visit) {
  const uword n = inputs.size(), steps = network.output().steps, c = network.output().features();
  std::vector<std::uint64_t> numbers(kSamplesTogether);
  arma::Mat<T> X, outputs;
  for (uword first = 0; first < n; first += kSamplesTogether) {
    const uword count = std::min(kSamplesTogether, n - first);
    for (uword m = 0; m < kSamplesTogether; ++m) numbers[m] = first + std::min(m, count - 1);
    inputs.gather(numbers, signal(X, inputs.steps() * kSamplesTogether, inputs.features()));
    const View<const T> Z = network.forward(X, kSamplesTogether);
    outputs.set_size(steps * count, c);
    for (uword t = 0; t < steps; ++t)
      outputs.rows(t * count, (t + 1) * count - 1) = Z.block(t * kSamplesTogether, 0, count, c).copy();
    visit(std::span<const std::uint64_t>(numbers).first(count), outputs);
  }
}

}  // namespace elmx
