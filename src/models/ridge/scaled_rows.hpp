#pragma once

#include <memory>

#include "linalg/blas.hpp"
#include "linalg/tall_matrix.hpp"

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

  /// Returns S^-1 Z.   Z: n x c.
  arma::mat undo(arma::mat Z) const {
    if (!none()) Z.each_col() /= roots_;
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

}  // namespace elmx
