#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/communicator.hpp"
#include "features/node_draw.hpp"
#include "features/feature_map.hpp"
#include "features/network_output.hpp"
#include "models/ridge/mapped_network.hpp"
#include "models/ridge/scaled_rows.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The matrix A of a ridge problem: the columns of a feature map for the training samples.
template <class T>
class Expansion {
 public:
  using Make = std::function<FittedMap<T>(const Inputs& train)>;

  /// Rows per block of a streamed A.
  static constexpr uword kStreamedRows = 2048;

  /// Expands by a map that does not depend on the samples. stored: A is held in memory, N x k numbers;
  /// otherwise it is streamed, i.e. formed anew in blocks of rows on each use.
  Expansion(FeatureMap<T> map, bool stored) : stored_(stored), fitted_(FittedMap<T>{std::move(map)}) {}

  /// Expands by a map that is fitted to the training samples.
  Expansion(Make make, bool stored) : make_(std::move(make)), stored_(stored) {}

  /// Makes the map for all training samples and returns A of the training samples `rows`, scaled. `train`,
  /// `scale` (of these rows) and this object must outlive A. Call it once.
  std::unique_ptr<TallMatrix<T>> form(const Inputs& train, Part rows, const RowScale<T>& scale);

  /// Streams A instead of holding it in memory.
  void stream() { stored_ = false; }

  /// Returns the given columns (ascending) of all training samples, streamed, rows scaled. Call it after
  /// form.
  std::unique_ptr<TallMatrix<T>> form_only(const arma::uvec& columns, const Inputs& train,
                                           const RowScale<T>& scale) const;

  /// Returns A_k W_i (n x c) for several weights W_i (k x c, for the first k columns of A) and any samples. A
  /// row does not depend on the other rows, to the last bit (see Inputs::full_blocks). The weights may be
  /// wider than A.
  template <class W>
  std::vector<arma::mat> outputs(const Inputs& inputs, const std::vector<arma::Mat<W>>& weights) const {
    return network_outputs(fitted_->map, inputs, weights);
  }

  /// Returns the network with these output weights in its stored form.   W: k x c, for the first k columns.
  template <class W>
  TrainedNetwork network(const arma::Mat<W>& weights) const {
    return mapped_network(fitted_->map, weights);
  }

 private:
  FormColumns<T> training(const Inputs& train) const;

  Make make_;
  bool stored_ = true;
  std::optional<FittedMap<T>> fitted_;  // empty until it is made
  arma::Mat<T> A_;                      // N x k if it is stored, rows scaled
};

/// Returns the columns that draw(samples, inputs) makes: at once, with null samples, if the draw does not
/// need samples, otherwise for the training samples of the fold.
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
