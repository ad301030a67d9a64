#include "nets/perceptron/perceptron.hpp"

#include <algorithm>

#include "features/activation.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kSamplesOfBlock = 512;  // samples per block, whose H stays in the cache between its products

/// Returns the sum of A^2 over all entries; A is small.
double squares(View<const double> A) {
  double sum = 0;
  for (uword j = 0; j < A.cols; ++j) sum += dot(A.rows, &A(0, j), &A(0, j));
  return sum;
}

/// Computes H = g(X W) of one block of samples.
void activate_block(View<const double> X, View<const double> W, View<double> H) {
  gemm(Op::none, Op::none, 1.0, X, W, 0.0, H);
  for (uword j = 0; j < H.cols; ++j) activate(Activation::sigmoid, &H(0, j), H.rows, 0.0);
}

/// Computes D = D o H o (1 - H).
void times_slope(View<const double> H, View<double> D) {
  for (uword j = 0; j < H.cols; ++j) {
    const double* h = &H(0, j);
    double* d = &D(0, j);
    for (uword i = 0; i < H.rows; ++i) d[i] *= h[i] * (1 - h[i]);
  }
}

}  // namespace

void hidden_outputs(View<const double> X, View<const double> W, View<double> H) {
  expects(H.rows == X.rows && W.rows == X.cols && H.cols == W.cols, "hidden_outputs: X is P x n, W n x N, H P x N");
  const uword blocks = (X.rows + kSamplesOfBlock - 1) / kSamplesOfBlock;
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (uword b = 0; b < blocks; ++b) {
    const uword first = b * kSamplesOfBlock, count = std::min(kSamplesOfBlock, X.rows - first);
    activate_block(X.block(first, 0, count, X.cols), W, H.block(first, 0, count, H.cols));
  }
}

double error_and_gradient(const PerceptronProblem& problem, View<const double> W, View<const double> Lambda,
                          View<double> grad_W, View<double> grad_Lambda) {
  const uword n = problem.inputs(), N = W.cols, C = problem.outputs();
  expects(W.rows == n && Lambda.rows == N && Lambda.cols == C, "error_and_gradient: W is n x N, Lambda N x C");
  expects(grad_W.rows == n && grad_W.cols == N && grad_W.ld == n && grad_Lambda.rows == N && grad_Lambda.cols == C &&
              grad_Lambda.ld == N,
          "error_and_gradient: gradients of the shapes of W and Lambda, contiguous");
  const arma::vec sums =
      sum_over_samples(problem.samples(), kSamplesOfBlock, 1 + N * (n + C), [&](uword first, uword count, double* sum) {
        const View<const double> X = problem.X.block(first, 0, count, n);
        arma::mat H(count, N, arma::fill::none), D(count, N, arma::fill::none),
            R = problem.Y.block(first, 0, count, C).copy();
        activate_block(X, W, View<double>(H));
        gemm(Op::none, Op::none, 1.0, H, Lambda, -1.0, View<double>(R));      // R = H Lambda - Y
        gemm(Op::none, Op::transpose, 1.0, R, Lambda, 0.0, View<double>(D));  // D = (R Lambda') o H o (1 - H)
        times_slope(H, View<double>(D));
        sum[0] += 0.5 * squares(R);
        gemm(Op::transpose, Op::none, 1.0, X, D, 1.0, View<double>(sum + 1, n, N, n));
        gemm(Op::transpose, Op::none, 1.0, H, R, 1.0, View<double>(sum + 1 + n * N, N, C, N));
      });
  std::copy_n(sums.memptr() + 1, n * N, grad_W.data);
  std::copy_n(sums.memptr() + 1 + n * N, N * C, grad_Lambda.data);
  add(problem.tau_w, W, grad_W);
  add(problem.tau_lambda, Lambda, grad_Lambda);
  return sums(0) + 0.5 * problem.tau_lambda * squares(Lambda) + 0.5 * problem.tau_w * squares(W);
}

}  // namespace elmx
