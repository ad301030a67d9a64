#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/communicator.hpp"
#include "features/feature_map.hpp"
#include "features/node_draw.hpp"
#include "linalg/blas.hpp"
#include "linalg/tall_matrix.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Turns weighted least squares into unweighted least squares: with S = diag(sqrt(w)),
///
///     sum_i w_i ||a_i W - y_i||^2 + lambda ||W||^2 = ||S A W - S Y||_F^2 + lambda ||W||_F^2
///
/// Without weights nothing changes.
template <class T>
class RowScale {
 public:
  /// weights: n, positive; or empty.
  explicit RowScale(const arma::vec& weights)
      : roots_(arma::sqrt(weights)), factors_(arma::conv_to<arma::Col<T>>::from(roots_)) {}

  bool none() const { return roots_.is_empty(); }

  /// Computes S A of the rows first ... first + A.rows - 1.
  void apply(View<T> A, uword first = 0) const {
    if (!none()) scale_rows(factors_.memptr() + first, A);
  }

  /// Returns S^-1 Z of the first n rows.   Z: n x c.
  arma::mat undo(arma::mat Z) const {
    if (!none()) Z.each_col() /= roots_.head(Z.n_rows);
    return Z;
  }

 private:
  arma::vec roots_;
  arma::Col<T> factors_;
};

/// The matrix S A of a matrix that is formed in blocks.
template <class T>
class ScaledRows final : public TallMatrix<T> {
 public:
  /// scale must outlive the object.
  ScaledRows(std::unique_ptr<TallMatrix<T>> A, const RowScale<T>& scale) : A_(std::move(A)), scale_(scale) {}

  uword rows() const override { return A_->rows(); }
  uword cols() const override { return A_->cols(); }
  std::unique_ptr<TallMatrix<T>> leading(uword rows, uword cols) const override {
    return std::make_unique<ScaledRows>(A_->leading(rows, cols), scale_);
  }
  void for_each_block(uword k, const typename TallMatrix<T>::Visit& visit) const override {
    A_->for_each_block(k, [&](uword first, View<const T> block) {
      arma::Mat<T> scaled = block.copy();
      scale_.apply(View<T>(scaled), first);
      visit(first, View<const T>(scaled));
    });
  }

 private:
  std::unique_ptr<TallMatrix<T>> A_;
  const RowScale<T>& scale_;
};

/// Returns the stored form of a network of the first columns of a map: output_weights (k x c) and the
/// matrices of the nodes of each part of the map, numbered in the order of the layout ("map"), which
/// describes their composition. Random and enhancement nodes have nodesI_weights (d x L) and nodesI_biases
/// (1 x L); feature nodes have nodesI_projection ((d + 1) x f), nodesI_offset and nodesI_factor (1 x f).
/// docs/reference/model_file.md has the formulas.
///
/// The weights may be wider than the map.
template <class T, class W>
TrainedNetwork mapped_network(const FeatureMap<T>& map, const arma::Mat<W>& output_weights);

/// Restores the map of a network. Throws DataError if matrices are missing or do not fit.
template <class T>
FeatureMap<T> restore_map(const TrainedNetwork& network, uword inputs);

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

  /// Returns the map. Call it after form.
  const FeatureMap<T>& map() const { return fitted_->map; }

 private:
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
