#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "features/draws/node_draw.hpp"
#include "features/feature_map.hpp"
#include "features/network_output.hpp"
#include "models/ridge/mapped_network.hpp"
#include "models/ridge/scaled_rows.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The matrix A of a ridge problem: the columns of a feature map, which is made for the training samples.
template <class T>
class Expansion {
 public:
  using Make = std::function<FittedMap<T>(const Inputs& train)>;

  /// Rows of a block where A is streamed.
  static constexpr uword kStreamedRows = 2048;

  /// Expands by a map that does not depend on the samples. stored: A is held in memory, N x k numbers; else
  /// it is streamed: formed anew in blocks of rows wherever it is needed.
  Expansion(FeatureMap<T> map, bool stored) : stored_(stored), fitted_(FittedMap<T>{std::move(map)}) {}

  /// Expands by a map that is fitted to the training samples.
  Expansion(Make make, bool stored) : make_(std::move(make)), stored_(stored) {}

  /// A of the training samples `rows`, scaled; `train`, `scale` (of these rows) and this object must outlive
  /// it. The map is made here, for all training samples. Called once.
  std::unique_ptr<TallMatrix<T>> form(const Inputs& train, Part rows, const RowScale<T>& scale);

  /// A is not held in memory, whatever was said before.
  void stream() { stored_ = false; }

  /// The columns named, ascending, of all training samples, streamed, rows scaled. After form.
  std::unique_ptr<TallMatrix<T>> form_only(const arma::uvec& columns, const Inputs& train,
                                           const RowScale<T>& scale) const;

  /// A_k W_i of several weights W_i (k x c, of the first k columns of A), for any samples: each n x c. A row
  /// does not depend on the other rows, to the last bit (see Inputs::full_blocks). The weights may be wider
  /// than A.
  template <class W>
  std::vector<arma::mat> outputs(const Inputs& inputs, const std::vector<arma::Mat<W>>& weights) const {
    return network_outputs(fitted_->map, inputs, weights);
  }

  /// The network with these output weights, as it is kept.   W: k x c, of the first k columns.
  template <class W>
  TrainedNetwork network(const arma::Mat<W>& weights) const {
    return mapped_network(fitted_->map, weights);
  }

 private:
  FormColumns<T> training(const Inputs& train) const;

  Make make_;
  bool stored_ = true;
  std::optional<FittedMap<T>> fitted_;  // empty until it is made
  arma::Mat<T> A_;                      // N x k where it is stored, rows scaled
};

/// The columns that draw(samples, inputs) makes: at once where the draw does not look at samples, which are
/// then null, else for the training samples of the fold.
template <class T, class Draw>
Expansion<T> drawn_expansion(const NodeDraw& how, const Draw& draw, const FoldView& fold, bool stored) {
  if (!how.looks_at_samples()) return Expansion<T>(draw(nullptr, fold.train.dimension()), stored);
  return Expansion<T>(
      [draw, targets = fold.targets](const Inputs& train) {
        const TrainingSamples samples{train, targets};
        return FittedMap<T>{draw(&samples, train.dimension())};
      },
      stored);
}

}  // namespace elmx
