#pragma once

#include <armadillo>
#include <optional>
#include <string>

#include "linalg/blas.hpp"

namespace elmx {

/// The quantities that an optimiser needs from a layer beside the product D = X'dZ.
struct GradientNeeds {
  bool average = false;  ///< x, the mean of the rows of X
  bool factors = false;  ///< X and dZ instead of D, if the layer can keep them
};

/// One parameter matrix of a network, and the gradient of the last batch:
///
///     Z = X Theta,   X: B x q, last column 1,   Theta: q x r, last row the bias
///
/// The B rows of X stand for all samples, output positions of a convolution and time steps. The layer that
/// owns the parameter fills in everything except Theta and `needs`. Gradients refer to the loss of the batch,
/// before clipping.
template <class T>
struct Parameter {
  std::string name;  ///< "1", "2.w": number of the layer, and part
  std::size_t layer = 0;
  arma::Mat<T> Theta;
  uword steps = 1;  ///< time steps among the rows of X
  GradientNeeds needs;

  arma::Mat<T> D;  ///< X'dZ: q x r; out of date if the factors are kept
  /// the kept factors: views of the signals of the batch, until the next forward
  std::optional<View<const T>> X, dZ;
  arma::Col<T> x;  ///< q, the last entry is 1

  uword inputs() const { return Theta.n_rows; }
  uword outputs() const { return Theta.n_cols; }

  /// Returns W: Theta without the row of the bias.
  View<const T> weights() const { return View<const T>(Theta).block(0, 0, Theta.n_rows - 1, Theta.n_cols); }
};

/// Computes parameter.x, the mean of the rows of X, if it is needed.
template <class T>
void average_rows(View<const T> X, Parameter<T>& parameter) {
  if (!parameter.needs.average) return;
  const arma::Col<T> ones(X.rows, arma::fill::value(T(1) / static_cast<T>(X.rows)));
  parameter.x.set_size(X.cols);
  gemv(Op::transpose, T(1), X, ones.memptr(), T(0), parameter.x.memptr());
  parameter.x(X.cols - 1) = 1;
}

/// Computes D = X'dZ, or keeps its factors if they are needed.
template <class T>
void keep_gradient(View<const T> X, View<const T> dZ, Parameter<T>& parameter) {
  if (parameter.needs.factors) {
    parameter.X = X;
    parameter.dZ = dZ;
    return;
  }
  parameter.D.set_size(X.cols, dZ.cols);
  gemm(Op::transpose, Op::none, T(1), X, dZ, T(0), View<T>(parameter.D));
}

}  // namespace elmx
