#pragma once

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

}  // namespace elmx
