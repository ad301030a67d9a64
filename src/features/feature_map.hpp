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
  /// Layers: all columns of a map are the inputs of the next one, and the last one's columns are those of A.
  struct Stacked {
    std::vector<FeatureMap> layers;
  };
  using Kind = std::variant<Nodes, DirectLinks, SideBySide, Stacked>;

  FeatureMap(Kind kind) : kind_(std::move(kind)) {}

  const Kind& kind() const { return kind_; }
  uword columns() const;

  /// The first A.cols columns of the samples first .. first + A.rows - 1 of `inputs`. T is float or double.
  /// 2 n d k flops a layer; layers below the last one are formed in blocks of samples.
  template <class T>
  void outputs(const Inputs& inputs, uword first, View<T> A) const;

 private:
  Kind kind_;
};

}  // namespace elmx
