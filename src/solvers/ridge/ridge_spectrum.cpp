#include "solvers/ridge/ridge_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/gram.hpp"

namespace elmx {

RidgePath::RidgePath(arma::mat H, arma::mat T) : H_(std::move(H)), right_(std::move(T)) {
  expects(H_.n_rows == right_.n_rows, "RidgePath: H is n x L, T is n x C");
  const uword m = std::min(H_.n_rows, H_.n_cols);
  G_.set_size(m, m);
  if (primal()) {
    right_ = gemm(Op::transpose, Op::none, 1.0, H_, right_);
    syrk(1.0, H_, 0.0, View<double>(G_));
  } else {
    const arma::mat Ht = H_.t();
    syrk(1.0, Ht, 0.0, View<double>(G_));
  }
}

Status RidgePath::solve(double lambda, arma::mat& W) {
  R_ = G_;
  R_.diag() += lambda;
  const Status status = cholesky(View<double>(R_));
  if (status != Status::ok) return status;
  arma::mat B = right_;
  cholesky_solve(R_, View<double>(B));
  W = primal() ? std::move(B) : gemm(Op::transpose, Op::none, 1.0, H_, B);
  return W.is_finite() ? Status::ok : Status::not_finite;
}

namespace {

constexpr uword kRows = 1024;       // samples per block of leverages
constexpr uword kTileRows = 64;     // samples per tile of a criterion, which stays in the cache
constexpr double kOneDigit = 10;    // least ratio of 1 - h to its rounding error
constexpr double kWorthIt = 1e9;    // least saving in flops
constexpr double kEigenFlops = 22;  // in r^3: 9 r^3, half of them at memory speed or on one thread
constexpr double kUnit = std::numeric_limits<double>::epsilon();

/// Returns the given rows of A, transposed: k x count.
arma::mat samples_of(const TallMatrix<double>& A, uword k, const std::map<uword, uword>& place_of) {
  arma::mat a(k, place_of.size());
  A.for_each_block(k, [&](uword first, View<const double> block) {
    for (auto it = place_of.lower_bound(first); it != place_of.end() && it->first < first + block.rows; ++it)
      transpose(block.block(it->first - first, 0, 1, k), View<double>(a).col(it->second));
  });
  return a;
}

/// Returns the samples whose leverages are checked: evenly spread samples and the samples of largest weight.
arma::uvec probes_of(const arma::vec& weights) {
  const uword n = weights.n_elem, every = std::max<uword>(1, n / kProbes),
              spread = std::min(kProbes, (n + every - 1) / every);
  arma::uvec heaviest = arma::stable_sort_index(weights, "descend");
  heaviest = heaviest.head(std::min(kProbes, n));
  const arma::uvec evenly = every * arma::regspace<arma::uvec>(0, spread - 1);
  return arma::unique(arma::join_cols(evenly, heaviest));
}

}  // namespace

Status RidgeSpectrum::decompose(const TallMatrix<double>& A, View<const double> Y, uword k, bool keep_rows) {
  expects(k >= 1 && k <= A.cols() && Y.rows == A.rows(), "RidgeSpectrum: A is N x k or wider, Y is N x c");
  A_ = &A;
  Y_ = Y;
  n_ = A.rows();
  k_ = k;
  B_.reset();
  a_.reset();
  const Status status = dual() ? decompose_rows(Y) : decompose_columns(Y, keep_rows);
  if (status != Status::ok || B_.is_empty()) return status;
  const arma::vec f = numerators();
  a_.zeros(n_);
  for (uword j = 0; j < s_.n_elem; ++j) {
    const double* b = B_.colptr(j);
    for (uword i = 0; i < n_; ++i) a_(i) += f(j) * b[i] * b[i];
  }
  return Status::ok;
}

Status RidgeSpectrum::decompose_columns(View<const double> Y, bool keep_rows) {
  V_.set_size(k_, k_);
  arma::mat AY(k_, Y.cols);
  A_->for_each_block(k_, [&](uword first, View<const double> block) {
    const double beta = first == 0 ? 0 : 1;
    syrk(1.0, block, beta, View<double>(V_));
    gemm(Op::transpose, Op::none, 1.0, block, Y.block(first, 0, block.rows, Y.cols), beta, View<double>(AY));
  });
  // The strict lower triangle has not been written yet.
  for (uword j = 0; j < k_; ++j) std::fill(V_.colptr(j) + j + 1, V_.colptr(j) + k_, 0.0);
  // Columns of zeros in A get weights of exactly 0.
  const arma::uvec zero_columns = arma::find(V_.diag() == 0);
  if (const Status status = symmetric_eigen(V_, s_); status != Status::ok) return status;
  V_.rows(zero_columns).zeros();
  s_ = arma::clamp(s_, 0.0, std::numeric_limits<double>::infinity());
  BY_ = gemm(Op::transpose, Op::none, 1.0, V_, AY);
  if (!keep_rows) return Status::ok;
  B_.set_size(n_, k_);
  A_->for_each_block(k_, [&](uword first, View<const double> block) {
    gemm(Op::none, Op::none, 1.0, block, V_, 0.0, View<double>(B_).block(first, 0, block.rows, k_));
  });
  return Status::ok;
}

Status RidgeSpectrum::decompose_rows(View<const double> Y) {
  arma::mat At(k_, n_, arma::fill::none);
  A_->for_each_block(k_, [&](uword first, View<const double> block) {
    transpose(block, View<double>(At).block(0, first, k_, block.rows));
  });
  B_.zeros(n_, n_);
  syrk(1.0, At, 0.0, View<double>(B_));
  if (const Status status = symmetric_eigen(B_, s_); status != Status::ok) return status;
  s_ = arma::clamp(s_, 0.0, std::numeric_limits<double>::infinity());
  V_ = gemm(Op::none, Op::none, 1.0, At, B_);
  BY_ = gemm(Op::transpose, Op::none, 1.0, B_, Y);
  return Status::ok;
}

arma::mat RidgeSpectrum::weights(double lambda) const {
  const arma::mat scaled = BY_.each_col() / (s_ + lambda);
  return gemm(Op::none, Op::none, 1.0, V_, scaled);
}

double RidgeSpectrum::degrees_of_freedom(double lambda) const { return arma::accu(s_ / (s_ + lambda)); }

bool RidgeSpectrum::determined(double lambda) const {
  return s_(0) + lambda > kUnit * s_(s_.n_elem - 1) && (lambda > 0 || !dual());
}

void RidgeSpectrum::apply_inverse(double lambda, uword first, View<double> X) const {
  arma::mat scaled(s_.n_elem, X.cols);
  if (dual()) {
    transpose(View<const double>(B_).block(first, 0, X.cols, s_.n_elem), View<double>(scaled));
  } else {
    gemm(Op::transpose, Op::none, 1.0, V_, X, 0.0, View<double>(scaled));
  }
  scaled.each_col() /= s_ + lambda;
  gemm(Op::none, Op::none, 1.0, V_, scaled, 0.0, X);
}

std::vector<Leverages> RidgeSpectrum::leverages(const std::vector<double>& lambdas,
                                                const std::vector<arma::mat>& gradients) const {
  expects(gradients.empty() || gradients.size() == lambdas.size(), "RidgeSpectrum: a gradient for each lambda");
  const uword m = lambdas.size(), r = s_.n_elem, c = gradients.empty() ? 0 : gradients.front().n_cols;
  const arma::vec f = numerators();
  arma::mat of_squares(r, 2 * m + 1), of_rows(r, m * c);  // factors of b_ij^2 and of b_ij
  of_squares.tail_cols(1) = f;
  for (uword l = 0; l < m; ++l) {
    const arma::vec D = 1 / (s_ + lambdas[l]);
    of_squares.col(l) = f % D;
    of_squares.col(m + l) = f % D % D;
    if (c == 0) continue;
    const arma::mat VG = gemm(Op::transpose, Op::none, -1.0, V_, gradients[l]);
    of_rows.cols(l * c, (l + 1) * c - 1) = VG.each_col() % D;
  }

  arma::mat sums(n_, 2 * m + 1, arma::fill::none), refined(n_, m * c, arma::fill::none);
  arma::mat squares;
  const auto take = [&](uword first, View<const double> rows) {
    squares.set_size(rows.rows, r);
    for (uword j = 0; j < r; ++j) {
      for (uword i = 0; i < rows.rows; ++i) squares(i, j) = rows(i, j) * rows(i, j);
    }
    gemm(Op::none, Op::none, 1.0, squares, of_squares, 0.0, View<double>(sums).block(first, 0, rows.rows, 2 * m + 1));
    if (c > 0)
      gemm(Op::none, Op::none, 1.0, rows, of_rows, 0.0, View<double>(refined).block(first, 0, rows.rows, m * c));
  };
  if (!B_.is_empty()) {
    for (uword first = 0; first < n_; first += kRows)
      take(first, View<const double>(B_).block(first, 0, std::min(kRows, n_ - first), r));
  } else {
    A_->for_each_part(
        k_, kRows, [&](uword first, View<const double> rows) { take(first, gemm(Op::none, Op::none, 1.0, rows, V_)); });
  }

  std::vector<Leverages> all(m);
  std::vector<arma::vec> x(m);
  for (uword l = 0; l < m; ++l) {
    all[l].h = sums.col(l);
    x[l] = sums.col(m + l);
    all[l].rounding = leverage_rounding(kUnit, arma::accu(sums.col(2 * m)), sums.col(2 * m), x[l], all[l].h);
    all[l].columns = k_;
    if (c > 0) all[l].refined = refined.cols(l * c, (l + 1) * c - 1);
  }
  probe(lambdas, x, all);
  return all;
}

/// Checks the leverages against A itself and sets the drift of each. x: ||R^-1 a_i||^2 for each lambda.
void RidgeSpectrum::probe(const std::vector<double>& lambdas, const std::vector<arma::vec>& x,
                          std::vector<Leverages>& all) const {
  std::vector<arma::uvec> probes;
  std::map<uword, uword> place_of;  // for the probes of all lambdas
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    const arma::vec left = arma::clamp(1 - all[l].h, kUnit, std::numeric_limits<double>::infinity());
    probes.push_back(probes_of(arma::vec(x[l] / left)));
    for (const uword i : probes.back()) place_of.emplace(i, 0);
  }
  uword places = 0;
  for (auto& [sample, place] : place_of) place = places++;
  const arma::mat a = samples_of(*A_, k_, place_of);
  arma::mat b(s_.n_elem, a.n_cols);
  if (dual()) {
    for (const auto& [sample, place] : place_of) b.col(place) = B_.row(sample).t();
  } else {
    gemm(Op::transpose, Op::none, 1.0, V_, a, 0.0, View<double>(b));
  }

  uword count = 0;
  for (const arma::uvec& some : probes) count += some.n_elem;
  arma::mat Db(s_.n_elem, count), RX(k_, count, arma::fill::zeros);
  uword at = 0;
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    const arma::vec D = 1 / (s_ + lambdas[l]);
    for (const uword i : probes[l]) Db.col(at++) = b.col(place_of.at(i)) % D;
  }
  const arma::mat X = gemm(Op::none, Op::none, 1.0, V_, Db);
  A_->for_each_part(k_, kRows, [&](uword, View<const double> rows) {
    const arma::mat outputs = gemm(Op::none, Op::none, 1.0, rows, X);
    gemm(Op::transpose, Op::none, 1.0, rows, outputs, 1.0, View<double>(RX));
  });

  at = 0;
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    const uword last = at + probes[l].n_elem - 1;
    arma::mat residuals = -RX.cols(at, last) - lambdas[l] * X.cols(at, last);
    for (uword j = 0; j < probes[l].n_elem; ++j) residuals.col(j) += a.col(place_of.at(probes[l](j)));
    all[l].drift = drift_at_probes(X.cols(at, last), residuals, all[l].rounding.elem(probes[l]),
                                   inverse_norm_of_samples(x[l], all[l].h));
    at = last + 1;
  }
}

double RidgeSpectrum::criterion(RidgeCriterion which, double lambda) const {
  expects(!B_.is_empty(), "RidgeSpectrum: a criterion needs the rows");
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const uword r = s_.n_elem, c = BY_.n_cols, tiles = (n_ + kTileRows - 1) / kTileRows;
  const arma::vec D = 1 / (s_ + lambda), h_of = numerators() % D, x_of = h_of % D;
  // Coefficients of the outputs, or for k > N of the errors themselves: E = lambda B D B'Y, and
  // 1 - h_i = lambda sum_j b_ij^2 D_j.
  const arma::mat of_rows = (dual() ? lambda : 1.0) * (BY_.each_col() % D);
  const double all_a = arma::accu(a_);
  arma::vec losses(tiles), roundings(tiles), unknown(tiles, arma::fill::zeros);
#pragma omp parallel for schedule(dynamic, 8)
  for (uword t = 0; t < tiles; ++t) {
    const uword first = t * kTileRows, rows = std::min(kTileRows, n_ - first);
    double h[kTileRows] = {}, x[kTileRows] = {}, left[kTileRows] = {};
    for (uword j = 0; j < r; ++j) {
      const double* b = B_.colptr(j) + first;
      const double of_h = h_of(j), of_x = x_of(j), of_left = lambda * D(j);
#pragma omp simd
      for (uword i = 0; i < rows; ++i) {
        const double square = b[i] * b[i];
        h[i] += square * of_h;
        x[i] += square * of_x;
        left[i] += square * of_left;
      }
    }
    const arma::mat E = gemm(Op::none, Op::none, 1.0, View<const double>(B_).block(first, 0, rows, r), of_rows);
    double loss = 0, rounding = 0;
    for (uword i = 0; i < rows; ++i) {
      const double a = a_(first + i), error = kUnit * (all_a * x[i] + std::sqrt(a * x[i]) + h[i]);
      const double without = dual() ? left[i] : 1 - h[i];
      double squares = 0;
      for (uword j = 0; j < c; ++j) {
        const double e = dual() ? E(i, j) : Y_(first + i, j) - E(i, j);
        squares += e * e;
      }
      if (which == RidgeCriterion::loo_mse) squares /= without * without;
      loss += squares;
      rounding += error;
      if (!(without > kOneDigit * error)) unknown(t) = 1;
    }
    losses(t) = loss;
    roundings(t) = rounding;
  }
  const auto n = static_cast<double>(n_);
  const double loss = arma::accu(losses) / n;
  if (which == RidgeCriterion::loo_mse) return arma::any(unknown) ? kUnknown : loss;
  const double freedom = degrees_of_freedom(lambda), left = 1 - freedom / n;
  return n - freedom > kOneDigit * arma::accu(roundings) ? loss / (left * left) : kUnknown;
}

RidgeChoice RidgeSpectrum::choose(const RidgeAim& aim) const {
  const double mean = mean_eigenvalue();
  if (!(mean > 0) || !std::isfinite(mean)) return {1, RidgeChoice::Place::upper_bound, false};  // A = 0
  return choose_ridge({aim.from * mean, aim.to * mean},
                      [&](double lambda) { return criterion(aim.criterion, lambda); });
}

double spectrum_numbers(double N, double k, bool keep_rows) {
  const double r = std::min(N, k), rows = std::min<double>(N, kRows);
  const bool dual = k > N;
  const double decomposing = 3 * r * r + (dual ? k * r : 0);
  const double decomposed = (dual ? 2 : 1) * k * r + (keep_rows || dual ? N * r : rows * r);
  return std::max(decomposing, decomposed + rows * r);
}

double spectrum_flops(double N, double k) {
  const double r = std::min(N, k);
  return 3 * N * k * r + kEigenFlops * r * r * r;
}

bool spectrum_pays(uword N, uword k, std::size_t lambdas) {
  const auto n = static_cast<double>(N), nodes = static_cast<double>(k), m = static_cast<double>(lambdas);
  const double each = 2 * n * nodes * nodes, of_lambda = 6 * n * std::min(n, nodes);
  return m * (each - of_lambda) - spectrum_flops(n, nodes) > kWorthIt;
}

}  // namespace elmx
