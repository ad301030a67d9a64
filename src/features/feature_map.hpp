#pragma once

#include <variant>
#include <vector>

#include "features/hidden_nodes.hpp"

namespace elmx {

/// How the columns of A in min ||A W - Y||^2 + lambda ||W||^2 are made of the inputs of a sample. Nothing depends on
/// the targets, and a column does not depend on those after it: the first k columns are the map of a smaller network.
class FeatureMap {
 public:
  /// factor f(X W + 1 b) of random nodes.
  struct Nodes {
    HiddenNodes nodes;
    double factor = 1;
  };
  /// The d scaled inputs as they are: direct links from inputs to outputs.
  struct DirectLinks {
    uword inputs;
  };
  /// [A_1 A_2 ...] of the same inputs.
  struct SideBySide {
    std::vector<FeatureMap> maps;
  };
  /// Layers of which each is fed by the outputs of the one below it and by the inputs: H_1 = f(X), H_s = f([H_{s-1} X]).
  struct Layers {
    std::vector<HiddenNodes> layers;
    bool last_only = false;  ///< the columns are H_S, else [H_1 ... H_S]
  };
  using Kind = std::variant<Nodes, DirectLinks, SideBySide, Layers>;

  FeatureMap(Kind kind);

  const Kind& kind() const { return kind_; }
  uword columns() const;

  /// The first A.cols columns of the samples first .. first + A.rows - 1 of `inputs`. T is float or double.
  /// 2 n d k flops for nodes that d columns feed; layers are formed in blocks of samples.
  template <class T>
  void outputs(const Inputs& inputs, uword first, View<T> A) const;

 private:
  Kind kind_;
};

}  // namespace elmx
