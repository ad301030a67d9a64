#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "models/ridge/expansion.hpp"
#include "models/ridge/node_draw_options.hpp"

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
  SampleGrowth growth;

  RvflOptions() : RidgeNetworkOptions("rvfl", {"panel"}) {}

  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  SampleGrowth sample_growth() const override { return growth; }

  /// Returns one size per layer: results are reported after each layer.
  std::vector<std::size_t> sizes() const override;

  // An ensemble has one matrix A for each layer.
  RidgeSetup setup(std::size_t inputs) const override;
  template <class T>
  std::vector<Expansion<T>> expansions(const FoldView& fold, const Rng& rng, bool stored) const;
  ExpansionCost expansion_cost(const RidgeSetup& setup, const Sizes& sizes, bool stored) const override;
  void adjust_cost(const ExpansionCost& expansion, const Sizes& sizes, Cost& cost) const override;
  bool stores_columns(const RidgeSetup& setup, double samples) const override;
  bool averages() const override { return ensemble; }
  std::optional<ConfigError> needs_one_rank() const override;
  std::optional<ConfigError> not_saved(bool updatable) const override;
};

}  // namespace elmx
