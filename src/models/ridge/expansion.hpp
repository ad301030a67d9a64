#pragma once

#include <memory>
#include <vector>

#include "models/ridge/scaled_rows.hpp"
#include "models/trained_network.hpp"
#include "preprocess/inputs.hpp"

namespace elmx {

/// The matrix A of a ridge problem, made of the inputs of samples: hidden nodes, direct links, broad features.
template <class T>
class Expansion {
 public:
  virtual ~Expansion() = default;

  /// A of the training samples, rows scaled; both arguments and this object must outlive it. What is fitted is fitted
  /// here. Called once.
  virtual std::unique_ptr<TallMatrix<T>> form(const Inputs& train, const RowScale<T>& scale) = 0;

  /// A_k W_i of several weights W_i (k x c, of the first k columns of A), for any samples: each n x c. A row does not
  /// depend on the other rows, to the last bit (see Inputs::full_blocks).
  virtual std::vector<arma::mat> outputs(const Inputs& inputs, const std::vector<arma::Mat<T>>& weights) const = 0;

  /// The network with these output weights, as it is kept.   W: k x c, of the first k columns.
  virtual TrainedNetwork network(const arma::Mat<T>& W) const = 0;
};

}  // namespace elmx
