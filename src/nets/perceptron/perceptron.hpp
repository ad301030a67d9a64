#pragma once

#include <algorithm>
#include <armadillo>

#include "linalg/view.hpp"

namespace elmx {

/// A multilayer perceptron with one hidden layer of sigmoid units, H = g(X W) with g(t) = 1 / (1 + e^-t), and
/// linear outputs, and its regularised error (5), (7):
///
///     E(Lambda, W) = 1/2 ||H Lambda - Y||_F^2 + tau_lambda/2 ||Lambda||_F^2 + tau_w/2 ||W||_F^2
///
///     X: P x n, first column -1     W: n x N, its first row the thresholds     H: P x N
///     Lambda: N x C                 Y: P x C
///
/// Grippo, Manno, Sciandrone, "Decomposition techniques for multilayer perceptron training" (C = 1 there).
struct PerceptronProblem {
  View<const double> X;
  View<const double> Y;
  double tau_w;
  double tau_lambda;

  uword samples() const { return X.rows; }
  uword inputs() const { return X.cols; }
  uword outputs() const { return Y.cols; }
};

/// Computes H = g(X W).   X: P x n, W: n x N, H: P x N.   2 P n N flops.
void hidden_outputs(View<const double> X, View<const double> W, View<double> H);

/// Returns E and computes its gradient, accumulated over blocks of samples: H is never held as a whole.
///
///     grad_Lambda = H'R + tau_lambda Lambda                   (9),   R = H Lambda - Y
///     grad_W      = X'[(R Lambda') o H o (1 - H)] + tau_w W   (11)
///
/// grad_W: n x N, grad_Lambda: N x C.   4 P N (n + C) flops.
double error_and_gradient(const PerceptronProblem& problem, View<const double> W, View<const double> Lambda,
                          View<double> grad_W, View<double> grad_Lambda);

/// Sums over the samples 0 .. samples - 1, with the same bits for any number of threads. The samples are cut
/// into blocks and the blocks into at most 16 parts, one thread per part; the sums of the parts are added in
/// order. body(first, count, sum) adds the contribution of the samples first .. first + count - 1
/// (count <= block) to sum[0 .. length).
template <class Body>
arma::vec sum_over_samples(arma::uword samples, arma::uword block, arma::uword length, const Body& body) {
  constexpr arma::uword kParts = 16;
  const arma::uword blocks = (samples + block - 1) / block, parts = std::min(kParts, blocks);
  arma::mat sums(length, parts, arma::fill::zeros);
#pragma omp parallel for schedule(dynamic, 1) if (parts > 1)
  for (arma::uword part = 0; part < parts; ++part) {
    for (arma::uword b = part * blocks / parts; b < (part + 1) * blocks / parts; ++b) {
      body(b * block, std::min(block, samples - b * block), sums.colptr(part));
    }
  }
  arma::vec total(length, arma::fill::zeros);
  for (arma::uword part = 0; part < parts; ++part) total += sums.col(part);
  return total;
}

}  // namespace elmx
