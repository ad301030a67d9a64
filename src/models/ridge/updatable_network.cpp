#include "models/ridge/updatable_network.hpp"

#include <algorithm>
#include <limits>

#include "features/network_output.hpp"

namespace elmx {
namespace {

constexpr const char* kWeightMatrix = "output_weights";
constexpr const char* kGram = "update_gram";
constexpr const char* kCross = "update_cross";
constexpr const char* kLambda = "update_ridge";
constexpr const char* kPeaks = "update_peaks";

/// Returns S [1 Y].   Y: n x c, rows scaled already.
arma::mat beside_ones(const arma::mat& Y, const RowScale<double>& scale) {
  arma::mat ones(Y.n_rows, 1, arma::fill::ones);
  scale.apply(View<double>(ones));
  return arma::join_rows(ones, Y);
}

/// Returns the sizes of the sums whose largest values are kept: 1 x (k + 1 + c).
arma::rowvec sizes_of(const RidgeSums& sums, double lambda) {
  const arma::vec diagonal = sums.gram.diag();
  arma::vec scale = arma::sqrt(diagonal + lambda);
  scale.replace(0, arma::datum::inf);
  const arma::mat scaled = arma::abs(sums.cross.each_col() / scale);
  return arma::join_rows(diagonal.t(), arma::rowvec(arma::max(scaled, 0)));
}

/// R^-1, R = A'A + lambda I, scaled so that R has a diagonal of ones.
class ScaledInverse final : public InverseOperator<double> {
 public:
  ScaledInverse(const GramRidge& ridge, arma::vec scale) : ridge_(ridge), scale_(std::move(scale)) {}

  void apply_inverse(uword first, View<double> X) const override {
    multiply(X);
    ridge_.apply_inverse(first, X);
    multiply(X);
  }

 private:
  void multiply(View<double> X) const {
    for (uword j = 0; j < X.cols; ++j) {
      for (uword i = 0; i < X.rows; ++i) X(i, j) *= scale_(i);
    }
  }

  const GramRidge& ridge_;
  arma::vec scale_;
};

void put(const RidgeSums& sums, const arma::rowvec& peaks, TrainedNetwork& network) {
  network.matrices[kPeaks] = arma::mat(peaks);
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
  put(sums, sizes_of(sums, lambda), network);
  network.matrices[kLambda] = arma::mat{lambda};
}

UpdatableNetwork::UpdatableNetwork(TrainedNetwork network, const NetworkShape& shape)
    : network_(std::move(network)),
      map_(restore_map<double>(network_, shape.inputs)),
      sums_(sums_of(network_, network_.matrix<double>(kWeightMatrix).n_rows, shape.outputs)),
      lambda_(network_.matrix<double>(kLambda, 1, 1)(0)),
      peaks_(network_.matrix<double>(kPeaks, 1, sums_.cross.n_rows + sums_.cross.n_cols)),
      first_peaks_(peaks_) {
  const uword k = sums_.cross.n_rows;
  if (k == 0 || k > map_.columns())
    throw DataError(std::string("network/") + kWeightMatrix,
                    "expected at most " + std::to_string(map_.columns()) + " rows, found " + std::to_string(k));
  if (!(lambda_ >= 0))
    throw DataError(std::string("network/") + kLambda, "expected a number >= 0, found " + std::to_string(lambda_));
}

void UpdatableNetwork::add_outputs(uword count, double off) {
  sums_.cross = arma::join_rows(sums_.cross, off * arma::repmat(sums_.cross.col(0), 1, count));
  const double peak = std::abs(off) * peaks_(sums_.cross.n_rows);  // of the constant
  peaks_ = arma::join_rows(peaks_, arma::rowvec(count, arma::fill::value(peak)));
  first_peaks_ = peaks_;
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
    peaks_ = arma::max(peaks_, sizes_of(sums_, lambda_));
  }
}

double UpdatableNetwork::shrinkage() const {
  arma::rowvec sizes = sizes_of(sums_, lambda_);
  sizes.head(sums_.cross.n_rows) += lambda_;
  double factor = 1;
  for (uword j = 0; j < sizes.n_elem; ++j) {
    if (peaks_(j) > 0) factor = std::max(factor, peaks_(j) / std::max(sizes(j), 0.0));
  }
  return factor;
}

double UpdatableNetwork::enlargement() const {
  const uword k = sums_.cross.n_rows;
  double factor = arma::accu(peaks_.head(k)) / arma::accu(first_peaks_.head(k));
  for (uword j = k + 1; j < peaks_.n_elem; ++j) {
    if (first_peaks_(j) > 0) factor = std::max(factor, peaks_(j) / first_peaks_(j));
  }
  return factor;
}

Status UpdatableNetwork::solve(TrainedNetwork& network, double& rounding) const {
  GramRidge ridge(sums_, lambda_);
  if (const Status status = ridge.solve(); status != Status::ok) return status;
  const arma::mat& W = ridge.weights();  // the first output is the constant 1
  if (!W.is_finite()) return Status::not_finite;
  const ScaledInverse inverse(ridge, arma::sqrt(sums_.gram.diag() + lambda_));
  const arma::mat none(0, W.n_rows);
  rounding = std::numeric_limits<double>::epsilon() * shrinkage() *
             inverse_norm<double>(inverse, StoredMatrix<double>{View<const double>(none)}, W.n_rows);
  network = network_;
  drop_left_out(network);
  put(sums_, peaks_, network);
  network.matrices[kWeightMatrix] = arma::mat(W.tail_cols(W.n_cols - 1));
  return Status::ok;
}

}  // namespace elmx
