#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "features/broad_features.hpp"
#include "features/hidden_nodes.hpp"
#include "features/landmark_nodes.hpp"

namespace elmx {

/// How the columns of A in min ||A W - Y||^2 + lambda ||W||^2 are made of the inputs of a sample. Nothing
/// depends on the targets, and a column does not depend on those after it: the first k columns are the map of
/// a smaller network. T is float or double.
template <class T>
class FeatureMap {
 public:
  using Number = T;

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
  /// Layers of which each is fed by the outputs of the one below it and by the inputs:
  /// H_1 = f(X), H_s = f([H_{s-1} X]).
  struct Layers {
    std::vector<HiddenNodes> layers;
    bool last_only = false;  ///< the columns are H_S, else [H_1 ... H_S]
  };
  /// Feature and enhancement nodes, fitted to training samples; copies of the map share them.
  using Broad = std::shared_ptr<const BroadFeatures<T>>;
  /// Nodes of a kernel at training samples, in double precision; copies of the map share them.
  using Landmarks = std::shared_ptr<const LandmarkNodes>;
  using Kind = std::variant<Nodes, DirectLinks, SideBySide, Layers, Broad, Landmarks>;

  FeatureMap(Kind kind);

  const Kind& kind() const { return kind_; }
  uword columns() const;

  /// The first A.cols columns of the samples first .. first + A.rows - 1 of `inputs`.
  /// 2 n d k flops for nodes that d columns feed; layers and broad features are formed in blocks of samples.
  void outputs(const Inputs& inputs, uword first, View<T> A) const;

  /// The columns named, ascending. Of random nodes side by side these alone are formed; of layers and broad
  /// features all columns up to the last one named.
  void outputs_of(const arma::uvec& columns, const Inputs& inputs, uword first, View<T> A) const;

 private:
  Kind kind_;
};

/// Forms the first A.cols columns of the samples first .. first + A.rows - 1, the samples being known.
template <class T>
using FormColumns = std::function<void(uword first, View<T> A)>;

/// The columns named, ascending, of columns that are formed from the first one on.
template <class T>
void form_only(const arma::uvec& columns, const FormColumns<T>& form, uword first, View<T> A);

/// A map that was made for the training samples.
template <class T>
struct FittedMap {
  FeatureMap<T> map;
  FormColumns<T> training = {};  ///< of those samples, with what is left of the fitting; empty: by the map
};

}  // namespace elmx
