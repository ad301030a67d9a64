#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "features/broad_features.hpp"
#include "features/hidden_nodes.hpp"
#include "features/landmark_nodes.hpp"

namespace elmx {

/// A map from the inputs of samples to the columns of A in min ||A W - Y||^2 + lambda ||W||^2. The map does
/// not depend on the targets, and a column does not depend on later columns: the first k columns are the map
/// of a smaller network. T is float or double.
template <class T>
class FeatureMap {
 public:
  using Number = T;

  /// The columns factor f(X W + 1 b) of random nodes.
  struct Nodes {
    HiddenNodes nodes;
    double factor = 1;
  };
  /// The d scaled inputs themselves: direct links from inputs to outputs.
  struct DirectLinks {
    uword inputs;
  };
  /// The columns [A_1 A_2 ...] of several maps of the same inputs.
  struct SideBySide {
    std::vector<FeatureMap> maps;
  };
  /// Layers that are each fed by the outputs of the layer below and by the inputs: H_1 = f(X),
  /// H_s = f([H_{s-1} X]).
  struct Layers {
    std::vector<HiddenNodes> layers;
    bool last_only = false;  ///< true: the columns are H_S; false: [H_1 ... H_S]
  };
  /// Feature and enhancement nodes, fitted to training samples. Copies of the map share them.
  using Broad = std::shared_ptr<const BroadFeatures<T>>;
  /// Kernel nodes at training samples, in double precision. Copies of the map share them.
  using Landmarks = std::shared_ptr<const LandmarkNodes>;
  using Kind = std::variant<Nodes, DirectLinks, SideBySide, Layers, Broad, Landmarks>;

  FeatureMap(Kind kind);

  const Kind& kind() const { return kind_; }
  uword columns() const;

  /// Computes the first A.cols columns of the samples first .. first + A.rows - 1 of `inputs`. 2 n d k flops
  /// for nodes with d inputs each; layers and broad features are formed in blocks of samples.
  void outputs(const Inputs& inputs, uword first, View<T> A) const;

  /// Computes the given columns (ascending). Only these are formed for random nodes side by side; layers and
  /// broad features form all columns up to the last one.
  void outputs_of(const arma::uvec& columns, const Inputs& inputs, uword first, View<T> A) const;

 private:
  Kind kind_;
};

/// A function that forms the first A.cols columns of the samples first .. first + A.rows - 1.
template <class T>
using FormColumns = std::function<void(uword first, View<T> A)>;

/// Computes the given columns (ascending) with a function that can only form leading columns.
template <class T>
void form_only(const arma::uvec& columns, const FormColumns<T>& form, uword first, View<T> A);

/// A map that was fitted to the training samples.
template <class T>
struct FittedMap {
  FeatureMap<T> map;
  FormColumns<T> training = {};  ///< for the training samples, reusing results of the fit; empty: use `map`
};

}  // namespace elmx
