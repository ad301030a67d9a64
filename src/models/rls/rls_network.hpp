#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "models/rls/rls.hpp"
#include "nets/network.hpp"
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

/// Returns the shape of a sample of `inputs` numbers. Throws ConfigError.
Shape input_shape(const RlsModelOptions& options, uword inputs, const std::string& place);

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

}  // namespace elmx
