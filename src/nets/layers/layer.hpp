#pragma once

#include <memory>
#include <vector>

#include "nets/layers/parameter.hpp"

namespace elmx {

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
