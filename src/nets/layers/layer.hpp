#pragma once

#include <armadillo>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// The shape of one sample between two layers: `steps` time steps of C channels of U x V positions. Vectors
/// have U = V = 1.
struct Shape {
  uword steps = 1;
  uword channels = 1;
  uword rows = 1;
  uword cols = 1;

  uword features() const { return channels * rows * cols; }
  bool operator==(const Shape&) const = default;
};

/// One layer of a network, on batches of M samples.
///
/// A signal is a matrix of (steps M) x (features + 1) with row t M + m for step t of sample m. Its last
/// column is 1, so that a bias is one more row of Theta. Features are ordered by channel, row, column, the
/// column fastest. Matrices are stored by columns with the samples fastest in memory, so the same numbers
/// form the (U V M) x C matrix of all positions of all images.
template <class T>
class Layer {
 public:
  virtual ~Layer() = default;

  virtual Shape output() const = 0;

  /// Returns Y for X, which must stay unchanged until `backward`. Y is valid until the next call.
  virtual View<const T> forward(View<const T> X, uword samples) = 0;

  /// Computes the gradients of the parameters from dY, the gradient of the loss with respect to Y (steps
  /// M x features; overwritten). If dX is not null, it receives the gradient with respect to X without the
  /// last column.
  virtual void backward(View<T> dY, View<T>* dX) = 0;

  virtual std::vector<Parameter<T>*> parameters() { return {}; }
};

/// Resizes `room` to a signal of the given size, with ones in the last column.
template <class T>
View<T> signal(arma::Mat<T>& room, uword rows, uword features) {
  if (room.n_rows != rows || room.n_cols != features + 1) {
    room.set_size(rows, features + 1);
    room.col(features).ones();
  }
  return View<T>(room);
}

}  // namespace elmx
