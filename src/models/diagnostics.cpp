#include "models/diagnostics.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/gram.hpp"
#include "linalg/ridge_qr.hpp"
#include "linalg/tall_matrix.hpp"
#include "solvers/blocks/block_solvers.hpp"

namespace elmx {
namespace {

/// Returns ||A||_F^2, with the same order of the sum for any number of threads.
template <class T>
double squared_norm(View<const T> A) {
  arma::rowvec squares(A.cols);
#pragma omp parallel for schedule(static)
  for (uword j = 0; j < A.cols; ++j) {
    double sum = 0;
    for (uword i = 0; i < A.rows; ++i) sum += static_cast<double>(A(i, j)) * static_cast<double>(A(i, j));
    squares(j) = sum;
  }
  return arma::accu(squares);
}

template <class T>
double norm(const arma::Mat<T>& M) {
  return arma::norm(arma::conv_to<arma::mat>::from(M), "fro");
}

/// Returns the norm of the whole from the norms of its parts.
double norm_over(const Communicator& among, double norm) {
  if (among.count() == 1) return norm;
  double square = norm * norm;
  among.sum(&square, 1);
  return std::sqrt(square);
}

/// Returns the backward error. gradient: A'E + lambda W.
double backward_error(const arma::mat& gradient, double a, double w, double y, double lambda) {
  if (!gradient.is_finite()) return arma::datum::nan;  // arma::norm may return 0 for NaN
  const double residual = arma::norm(gradient, "fro");
  // 0 / 0 if W and the targets are 0
  return residual == 0 ? 0 : residual / (a * (a * w + y) + lambda * w);
}

/// Returns A W in the type of W.
template <class T, class W>
arma::Mat<W> product(View<const T> A, const arma::Mat<W>& weights) {
  arma::Mat<W> Z(A.rows, weights.n_cols);
  if constexpr (std::same_as<T, W>) {
    gemm(Op::none, Op::none, T(1), A, weights, T(0), View<T>(Z));
  } else {
    wide_gemm(Op::none, 1.0, A, View<const double>(weights), 0.0, View<double>(Z));
  }
  return Z;
}

/// Computes A'E in double.
template <class T, class W>
void cross(View<const T> A, const arma::Mat<W>& E, arma::mat& C) {
  if constexpr (std::same_as<T, W>) {
    cross_product(A, View<const T>(E), View<double>(C));
  } else {
    wide_gemm(Op::transpose, 1.0, A, View<const double>(E), 0.0, View<double>(C));
  }
}

template <class T>
Status solve_by_qr(const TallMatrix<T>& A, View<const double> targets, double lambda, uword nodes,
                   Reference& reference) {
  RidgeQr qr(nodes, targets.cols, lambda);
  A.for_each_block(nodes, [&](uword first, View<const T> block) {
    qr.add_samples(block, targets.block(first, 0, block.rows, targets.cols));
  });
  reference.condition = qr.condition();
  return qr.solve(reference.weights);
}

}  // namespace

// Every solution is multiplied separately: in a joint product, the last bits of one solution would depend on
// the others.

template <class T, class W>
std::vector<arma::mat> outputs_of(const TallMatrix<T>& A, const std::vector<arma::Mat<W>>& weights) {
  if (weights.empty()) return {};
  std::vector<arma::mat> outputs(weights.size(), arma::mat(A.rows(), weights.front().n_cols));
  A.for_each_block(weights.front().n_rows, [&](uword first, View<const T> block) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      outputs[i].rows(first, first + block.rows - 1) = arma::conv_to<arma::mat>::from(product(block, weights[i]));
  });
  return outputs;
}

template <class T, class W>
std::vector<RidgeFit> ridge_fits(const TallMatrix<T>& A, std::type_identity_t<View<const W>> targets,
                                 const std::vector<arma::Mat<W>>& weights, const std::vector<double>& lambdas,
                                 const Communicator& among) {
  if (weights.empty()) return {};
  const uword k = weights.front().n_rows, c = targets.cols;
  std::vector<RidgeFit> fits(weights.size(), {arma::mat(A.rows(), c), 0, 0, {}});
  std::vector<arma::mat> gradients(weights.size(), arma::mat(k, c));
  arma::mat of_block(k, c);
  double squares = 0;
  A.for_each_block(k, [&](uword first, View<const T> block) {
    const arma::Mat<W> Y = targets.block(first, 0, block.rows, c).copy();
    for (std::size_t i = 0; i < fits.size(); ++i) {
      const arma::Mat<W> Z = product(block, weights[i]);
      fits[i].output.rows(first, first + block.rows - 1) = arma::conv_to<arma::mat>::from(Z);
      cross(block, arma::Mat<W>(Z - Y), of_block);
      gradients[i] += of_block;
    }
    squares += squared_norm(block);
  });
  for (arma::mat& gradient : gradients) among.sum(gradient.memptr(), gradient.n_elem);
  among.sum(&squares, 1);
  const double a = std::sqrt(squares), y = norm_over(among, norm(targets.copy()));
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const arma::mat wide = arma::conv_to<arma::mat>::from(weights[i]);
    fits[i].gradient = gradients[i] + lambdas[i] * wide;
    fits[i].backward_error = backward_error(fits[i].gradient, a, norm(weights[i]), y, lambdas[i]);
    fits[i].squares = squares;
  }
  return fits;
}

const char* doubt_about(double condition, double backward_error, double weight_error) {
  if (!(condition * backward_error > kMostAmplified)) return "";
  return weight_error <= kMostAmplified ? "" : kFarOff;
}

template <class T>
Status solve_reference(const std::string& kind, const TallMatrix<T>& A, const RidgeTargets<T>& targets, double lambda,
                       uword columns, Reference& reference) {
  if (kind == "qr") return solve_by_qr(A, targets.template in<double>(), lambda, columns, reference);
  Standard<double, T> standard(lambda, targets);
  RidgeProducts<T> products(A, targets.template in<T>(), Products::none);
  products.advance(columns);
  const Status status = standard.grow(products);
  reference.weights = standard.wide_weights();
  reference.condition = standard.condition();
  return status;
}

template std::vector<arma::mat> outputs_of(const TallMatrix<double>&, const std::vector<arma::mat>&);
template std::vector<arma::mat> outputs_of(const TallMatrix<float>&, const std::vector<arma::fmat>&);
template std::vector<arma::mat> outputs_of(const TallMatrix<float>&, const std::vector<arma::mat>&);
template std::vector<RidgeFit> ridge_fits(const TallMatrix<double>&, View<const double>, const std::vector<arma::mat>&,
                                          const std::vector<double>&, const Communicator&);
template std::vector<RidgeFit> ridge_fits(const TallMatrix<float>&, View<const float>, const std::vector<arma::fmat>&,
                                          const std::vector<double>&, const Communicator&);
template std::vector<RidgeFit> ridge_fits(const TallMatrix<float>&, View<const double>, const std::vector<arma::mat>&,
                                          const std::vector<double>&, const Communicator&);
template Status solve_reference(const std::string&, const TallMatrix<double>&, const RidgeTargets<double>&, double,
                                uword, Reference&);
template Status solve_reference(const std::string&, const TallMatrix<float>&, const RidgeTargets<float>&, double, uword,
                                Reference&);

}  // namespace elmx
