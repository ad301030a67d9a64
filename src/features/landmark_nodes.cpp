#include "features/landmark_nodes.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/inverse_cholesky.hpp"

namespace elmx {
namespace {

constexpr uword kUnitSamples = 1000;  // samples whose typical scale is the unit of length
// The smallest jitter e relative to the mean of the diagonal, and the factor by which e may grow.
constexpr double kLeastJitter = 1e-10, kJitters = 1e5;

/// Returns F with F F' = (K + e I)^-1. e grows while rounding leaves K + e I indefinite.
arma::mat jittered_factor(const arma::mat& K) {
  const double unit = arma::trace(K) / static_cast<double>(K.n_rows);
  for (double jitter = kLeastJitter; jitter <= kLeastJitter * kJitters; jitter *= 10) {
    arma::mat F = K;
    F.diag() += jitter * unit;
    if (inverse_cholesky(View<double>(F)) == Status::ok && F.is_finite()) return arma::trimatu(F);
  }
  throw std::runtime_error("the kernel matrix of the landmarks has no Cholesky factor");
}

}  // namespace

LandmarkNodes LandmarkNodes::draw(Kernel kernel, double length, const Rng& rng, const Inputs& train, uword nodes) {
  const arma::uvec order = arma::conv_to<arma::uvec>::from(rng.permutation(train.samples()));
  const auto samples_at = [&](const arma::uvec& places) {
    const Inputs chosen{train.X, train.rows.elem(order.elem(places)), train.scaler};
    arma::mat X(places.n_elem, train.dimension(), arma::fill::none);
    chosen.block(0, places.n_elem, X.memptr());
    train.X.rethrow();
    return X;
  };
  const uword scaled = std::min(kUnitSamples, order.n_elem);
  const double unit = typical_scale(kernel, samples_at(arma::regspace<arma::uvec>(0, 1, scaled - 1)));
  const KernelFunction function{kernel, length * unit};
  arma::uvec places = arma::regspace<arma::uvec>(0, 1, nodes - 1);
  places.transform([&](uword i) { return i % order.n_elem; });
  arma::mat Z = samples_at(places);
  const KernelPoints<double> points = kernel_points(function, Z);
  arma::mat K(nodes, nodes, arma::fill::none);
  kernel_entries(kernel, points, 0, points, 0, View<double>(K));
  return LandmarkNodes(function, std::move(Z), jittered_factor(K));
}

LandmarkNodes::LandmarkNodes(const KernelFunction& function, arma::mat Z, arma::mat F)
    : function_(function), Z_(std::move(Z)), F_(std::move(F)), points_(kernel_points(function_, Z_)) {
  expects(F_.n_rows == Z_.n_rows && F_.n_cols == Z_.n_rows, "LandmarkNodes: F is m x m");
}

void LandmarkNodes::outputs(const Inputs& inputs, uword first, View<double> A) const {
  expects(inputs.dimension() == Z_.n_cols && A.cols <= count(), "LandmarkNodes: A is n x k with k landmarks");
  expects(first + A.rows <= inputs.samples(), "LandmarkNodes: samples exist");
  const View<const double> F = View<const double>(F_).block(0, 0, A.cols, A.cols);
  const auto blocks = static_cast<long>((A.rows + kFullBlock - 1) / kFullBlock);
#pragma omp parallel for schedule(dynamic, 1)
  for (long b = 0; b < blocks; ++b) {
    const uword row = static_cast<uword>(b) * kFullBlock, count = std::min(kFullBlock, A.rows - row);
    arma::mat X(count, inputs.dimension());
    inputs.block(first + row, count, X.memptr());
    const View<double> block = A.block(row, 0, count, A.cols);
    kernel_entries(function_.kernel, kernel_points(function_, X), 0, points_, 0, block);
    trmm_right(Op::none, F, block);
  }
}

}  // namespace elmx
