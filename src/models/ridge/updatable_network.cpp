#include "models/ridge/updatable_network.hpp"

#include <algorithm>

namespace elmx {
namespace {

constexpr const char* kWeightMatrix = "output_weights";
constexpr const char* kGram = "update_gram";
constexpr const char* kCross = "update_cross";
constexpr const char* kLambda = "update_ridge";

/// Returns S [1 Y].   Y: n x c, rows scaled already.
arma::mat beside_ones(const arma::mat& Y, const RowScale<double>& scale) {
  arma::mat ones(Y.n_rows, 1, arma::fill::ones);
  scale.apply(View<double>(ones));
  return arma::join_rows(ones, Y);
}

void put(const RidgeSums& sums, TrainedNetwork& network) {
  network.matrices[kGram] = arma::mat(sums.gram.elem(arma::trimatu_ind(arma::size(sums.gram))).t());
  network.matrices[kCross] = sums.cross;
}

RidgeSums sums_of(const TrainedNetwork& network, uword k, uword c) {
  RidgeSums sums;
  const arma::mat& triangle = network.matrix<double>(kGram, 1, k * (k + 1) / 2);
  sums.gram.zeros(k, k);
  sums.gram.elem(arma::trimatu_ind(arma::size(sums.gram))) = triangle;
  sums.cross = network.matrix<double>(kCross, k, 1 + c);
  return sums;
}

}  // namespace

void keep_sums(const TallMatrix<double>& A, const arma::mat& Y, const RowScale<double>& scale, double lambda,
               TrainedNetwork& network) {
  const arma::mat targets = beside_ones(Y, scale);
  const uword k = network.matrix<double>(kWeightMatrix).n_rows;
  RidgeSums sums(k, targets.n_cols);
  A.for_each_block(k, [&](uword first, View<const double> block) {
    sums.change(block, View<const double>(targets).block(first, 0, block.rows, targets.n_cols), Change::add);
  });
  put(sums, network);
  network.matrices[kLambda] = arma::mat{lambda};
}

UpdatableNetwork::UpdatableNetwork(TrainedNetwork network, const NetworkShape& shape)
    : network_(std::move(network)),
      map_(restore_map<double>(network_, shape.inputs)),
      sums_(sums_of(network_, network_.matrix<double>(kWeightMatrix).n_rows, shape.outputs)),
      lambda_(network_.matrix<double>(kLambda, 1, 1)(0)) {
  const uword k = sums_.cross.n_rows;
  if (k == 0 || k > map_.columns())
    throw DataError(std::string("network/") + kWeightMatrix,
                    "expected at most " + std::to_string(map_.columns()) + " rows, found " + std::to_string(k));
  if (!(lambda_ >= 0))
    throw DataError(std::string("network/") + kLambda, "expected a number >= 0, found " + std::to_string(lambda_));
}

void UpdatableNetwork::add_outputs(uword count, double off) {
  sums_.cross = arma::join_rows(sums_.cross, off * arma::repmat(sums_.cross.col(0), 1, count));
}

void UpdatableNetwork::change(const Inputs& inputs, const arma::mat& Y, const arma::vec& weights, Change change) {
  expects(Y.n_rows == inputs.samples() && Y.n_cols + 1 == sums_.cross.n_cols, "UpdatableNetwork: n x c targets");
  const RowScale<double> scale(weights);
  arma::mat scaled = Y;
  scale.apply(View<double>(scaled));
  const arma::mat targets = beside_ones(scaled, scale);
  arma::mat A(std::min(kTogether, inputs.samples()), sums_.cross.n_rows, arma::fill::none);
  for (uword first = 0; first < targets.n_rows; first += A.n_rows) {
    const uword count = std::min(A.n_rows, targets.n_rows - first);
    const View<double> block = View<double>(A).block(0, 0, count, A.n_cols);
    map_.outputs(inputs, first, block);
    inputs.X.rethrow();
    scale.apply(block, first);
    sums_.change(block, View<const double>(targets).block(first, 0, count, targets.n_cols), change);
  }
}

Status UpdatableNetwork::solve(TrainedNetwork& network) const {
  GramRidge ridge(sums_, lambda_);
  if (const Status status = ridge.solve(); status != Status::ok) return status;
  const arma::mat& W = ridge.weights();  // the first output is the constant 1
  if (!W.is_finite()) return Status::not_finite;
  network = network_;
  drop_left_out(network);
  put(sums_, network);
  network.matrices[kWeightMatrix] = arma::mat(W.tail_cols(W.n_cols - 1));
  return Status::ok;
}

}  // namespace elmx
