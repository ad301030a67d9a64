#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "features/feature_map.hpp"
#include "models/model.hpp"
#include "models/ridge/node_draw_options.hpp"
#include "models/ridge/ridge_options.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The options of a random vector functional link network: hidden layers of random nodes, and direct links
/// from the inputs to the outputs.
///
///     H_1 = f(X A_1 + 1 b_1),   H_s = f([H_{s-1} X] A_s + 1 b_s)                    s = 2 ... S
///
///     RVFL (S = 1), deep RVFL     [X H_1 ... H_S] W                                 one ridge solution
///     ensemble deep RVFL          mean over s of [X H_s] W_s                        a solution per layer
///
/// Y.-H. Pao, G.-H. Park, D. J. Sobajic, "Learning and generalization characteristics of the random vector
/// functional-link net", Neurocomputing 6, 1994; Q. Shi, R. Katuwal, P. N. Suganthan, M. Tanveer, "Random
/// vector functional link neural network based ensemble deep learning", Pattern Recognition 117, 2021.
struct RvflOptions : RidgeNetworkOptions {
  NodeDrawOptions drawing;
  std::size_t nodes = 100;
  std::size_t layers = 1;
  bool ensemble = false;

  RvflOptions() : RidgeNetworkOptions("rvfl", {"panel"}) {}
  void fields(FieldVisitor& field);

  /// Returns one size per layer: results are reported after each layer.
  std::vector<std::size_t> sizes() const;

  /// Returns the maps to the matrices whose ridge solutions are averaged, for `inputs` inputs: one per layer
  /// for an ensemble, otherwise one. `samples` may be null if the draw does not need samples.
  template <class T>
  std::vector<FeatureMap<T>> feature_maps(std::size_t inputs, const Rng& rng, const TrainingSamples* samples) const;

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

/// Makes the setup of each averaged solution, for models that differ in the ridge parameter only.
RidgeSetup ridge_setup(const std::vector<RvflOptions>& models, std::size_t inputs);

/// Trains models that differ in the ridge parameter. Memory: N (d + layers x nodes) numbers, for an ensemble
/// N (d + nodes) per layer, and the state of the running algorithm.
std::unique_ptr<Trainer> make_rvfl(const std::vector<RvflOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_rvfl(const RvflOptions& model, const TrainedNetwork& network,
                                        const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another).
Cost rvfl_cost(const std::vector<RvflOptions>& models, const Sizes& sizes);

}  // namespace elmx
