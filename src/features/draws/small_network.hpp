#pragma once

#include "features/random_layer.hpp"

namespace elmx {

/// A ridge network of additive nodes with a constant term, f(X W + 1 b) weights + constants, and its
/// gradients.
///
///     min ||Hc weights - Yc||^2 + lambda ||weights||^2,   Hc = H - 1 mean(H),  Yc = Y - 1 mean(Y)      H: n x L
///
/// lambda is the one of 19 values, 1e-7 to 1e2 times trace(Hc'Hc) / L, with the least sum of squared
/// leave-one-out errors; with leverages within 1e-3 of 1 an error counts as 1000 residuals. All numbers are
/// doubles in memory.
struct SmallNetwork {
  RandomLayer nodes;
  arma::mat weights;       // L x c
  arma::rowvec constants;  // 1 x c
  double lambda = 0;

  /// X: n x d, Y: n x c. About 2 n L^2 + 9 L^3 + 40 n L (c + 1) flops and 2 n L numbers. not_finite where the
  /// eigenvalues of Hc'Hc are not found.
  [[nodiscard]] static Status fit(const arma::mat& X, const arma::mat& Y, RandomLayer nodes, SmallNetwork& network);

  /// n x c.
  arma::mat outputs(const arma::mat& X) const;

  /// The average gradient outer product (1 / n) sum_i sum_k g_ik g_ik', d x d, g_ik the gradient of output k
  /// at x_i with respect to the inputs. With S the n x L slopes f'(X W + 1 b) of the nodes it is
  ///
  ///     W ((S'S / n) % (weights weights')) W'          n L^2 + 2 d L^2 + 2 d^2 L flops
  arma::mat average_gradient_products(const arma::mat& X) const;
};

}  // namespace elmx
