#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "models/rls/rls_algorithms.hpp"
#include "models/rls/rls_options.hpp"
#include "nets/network.hpp"
#include "nets/training.hpp"

namespace elmx {

/// One parameter matrix of a network that is not built yet.
struct PlannedParameter {
  std::string name;       ///< number of its layer, for recurrent layers with .w or .v
  std::size_t layer = 0;  ///< counted from 1, the output layer behind the hidden ones
  bool output = false;
  uword inputs = 0;   ///< q
  uword outputs = 0;  ///< r
  uword rows = 0;     ///< of X a sample: positions or steps
  double bound = 0;   ///< parameters begin uniform on +- bound
  double k, eta, forgetting;
};

/// A layer between two shapes.
struct PlannedLayer {
  LayerOptions options;
  std::string kind;  ///< as in the options, "output" or "last_step"
  Shape input, output;
  std::vector<PlannedParameter> parameters;
};

/// What a network of these options is for samples of `inputs` numbers and `outputs` targets. `place` begins
/// the message of what is refused: ConfigError where the inputs cannot be shaped as asked, or a layer cannot
/// follow the one before it.
std::vector<PlannedLayer> plan_network(const RlsModelOptions& options, uword inputs, uword outputs,
                                       const std::string& place);

/// Shape of a sample of `inputs` numbers. Throws ConfigError.
Shape input_shape(const RlsModelOptions& options, uword inputs, const std::string& place);

/// For each layer, "time_ratio INxOUT" and "space_ratio INxOUT": flops of the gradient of its parameters and
/// their step by RLS over those of the gradient alone, and numbers kept over those of the parameters alone,
/// as Rls works (the cheaper form of P D; the terms in q^2 included) but for the norms that clipping needs.
std::map<std::string, double> rls_ratios(const std::vector<PlannedLayer>& plan, double batch);

inline constexpr const char* kWords = "words";

/// Parameter matrices by name, and kWords, the vectors of an embedding (words x dimension).
template <class T>
using NetworkParameters = std::map<std::string, arma::Mat<T>>;

/// Those that `rng` gives, the same whatever trains the network: as PyTorch's defaults, uniform on +- 1 /
/// sqrt(inputs), of recurrent layers on +- 1 / sqrt(nodes). Vectors of words are standard normal, that of
/// word 0 (padding) is zero.
template <class T>
NetworkParameters<T> draw_parameters(const std::vector<PlannedLayer>& plan, const Rng& rng);

/// The network of those parameters, each of which is of the shape that the plan has for it.
template <class T>
Network<T> build_network(const std::vector<PlannedLayer>& plan, NetworkParameters<T> parameters);

/// The training of that network by an algorithm.
template <class T>
Training<T> build_training(const RlsModelOptions& options, const RlsAlgorithm& algorithm,
                           const std::vector<PlannedLayer>& plan, const Rng& rng);

}  // namespace elmx
