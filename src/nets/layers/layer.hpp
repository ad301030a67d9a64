#pragma once

#include <memory>
#include <vector>

#include "nets/layers/parameter.hpp"

namespace elmx {

/// What one sample is between two layers: `steps` time steps of C channels of U x V positions; of vectors U =
/// V = 1.
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
/// A signal is a matrix of (steps M) x (features + 1), row t M + m for step t of sample m, whose last column
/// is 1, so that a bias is one more row of Theta. Features are ordered by channel, row, column, the column
/// fastest. Matrices are stored by columns, the samples are fastest in memory, so that the same numbers are
/// the (U V M) x C matrix of all positions of all images.
template <class T>
class Layer {
 public:
  virtual ~Layer() = default;

  virtual Shape output() const = 0;

  /// Y of X, which must live and stay as it is until `backward`; Y is valid until the next call.
  virtual View<const T> forward(View<const T> X, uword samples) = 0;

  /// From dY, the gradient of the loss with respect to Y (steps M x features; overwritten), to those of the
  /// parameters and, unless dX is null, to that with respect to X without its last column, which dX gets.
  virtual void backward(View<T> dY, View<T>* dX) = 0;

  virtual std::vector<Parameter<T>*> parameters() { return {}; }
};

/// Room for a signal of a changing number of rows; the last column is 1.
template <class T>
View<T> signal(arma::Mat<T>& room, uword rows, uword features) {
  if (room.n_rows != rows || room.n_cols != features + 1) {
    room.set_size(rows, features + 1);
    room.col(features).ones();
  }
  return View<T>(room);
}

}  // namespace elmx
