#include "models/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "nets/loss.hpp"
#include "nets/optimisers/lbfgs.hpp"

namespace elmx {
namespace {

constexpr LbfgsOptions kToRounding{.memory = 10, .iterations = 500, .accuracy = 1e-9};

arma::mat transformed(const arma::mat& scores, double slope, const arma::rowvec& offsets) {
  arma::mat S = slope * scores;
  S.each_row() += offsets;
  return S;
}

/// Returns the n x m weights of each sample for each class.
arma::mat smoothed_targets(const arma::uvec& classes, arma::uword m) {
  arma::rowvec counts(m, arma::fill::zeros);
  for (const arma::uword k : classes) ++counts(k);
  if (m > 2) counts.fill(static_cast<double>(classes.n_elem));
  arma::mat T(classes.n_elem, m);
  for (arma::uword i = 0; i < classes.n_elem; ++i) {
    const double n = counts(classes(i));
    T.row(i).fill(1 / (n + 2) / static_cast<double>(m - 1));
    T(i, classes(i)) = (n + 1) / (n + 2);
  }
  return T;
}

}  // namespace

arma::mat Calibration::probabilities(const arma::mat& scores) const {
  arma::mat P = transformed(scores, slope, offsets);
  Loss<double>(LossKind::cross_entropy).to_outputs(P);
  return P;
}

Calibration calibrate(const arma::mat& scores, const arma::uvec& classes) {
  const arma::uword m = scores.n_cols;
  expects(!scores.is_empty() && scores.n_rows == classes.n_elem && m > 1, "calibrate: scores are n x m, m > 1");
  // Scales scores to variance 1 about the mean of their row, so that slope and offsets have similar sizes.
  const arma::mat centred = scores.each_col() - arma::mean(scores, 1);
  const double norm = arma::norm(centred, "fro");
  const double spread = norm > 0 ? norm / std::sqrt(static_cast<double>(scores.n_elem)) : 1;
  const arma::mat Z = centred / spread, T = smoothed_targets(classes, m);
  const Loss<double> loss(LossKind::cross_entropy);
  arma::mat dS(arma::size(Z));
  const auto objective = [&](const double* x, double* gradient) {
    const arma::mat S = transformed(Z, x[0], arma::rowvec(x + 1, m));
    const double value = loss.evaluate(S, T, Z.n_rows, dS);
    gradient[0] = arma::accu(dS % Z);
    const arma::rowvec of_offsets = arma::sum(dS, 0);
    std::copy(of_offsets.begin(), of_offsets.end(), gradient + 1);
    return value;
  };
  arma::vec x(m + 1, arma::fill::zeros);
  x(0) = 1;
  minimise_lbfgs(objective, x, kToRounding);
  return {x(0) / spread, x.tail(m).t()};
}

namespace {

/// Returns the k-th smallest value, counted from 1.
double smallest(arma::rowvec values, arma::uword k) {
  double* place = values.memptr() + (k - 1);
  std::nth_element(values.memptr(), place, values.memptr() + values.n_elem);
  return *place;
}

}  // namespace

arma::uword jackknife_rank(double level, arma::uword m) {
  constexpr double kRounding = 1e-9;  // 0.55 * 100 is above 55
  return static_cast<arma::uword>(std::ceil(level * static_cast<double>(m + 1) - kRounding));
}

Intervals jackknife_plus(const arma::mat& outputs, const arma::cube& changes, const arma::mat& residuals,
                         double level) {
  const arma::uword n = outputs.n_rows, c = outputs.n_cols, m = residuals.n_rows, r = jackknife_rank(level, m);
  expects(r >= 1 && r <= m, "jackknife_plus: enough samples are left out");
  Intervals of{arma::mat(n, c), arma::mat(n, c)};
  for (arma::uword j = 0; j < c; ++j) {
    const arma::rowvec R = arma::abs(residuals.col(j)).t();
#pragma omp parallel for schedule(static)
    for (arma::uword i = 0; i < n; ++i) {
      const arma::rowvec without = outputs(i, j) - changes.slice(j).row(i);
      of.lower(i, j) = smallest(without - R, m + 1 - r);
      of.upper(i, j) = smallest(without + R, r);
    }
  }
  return of;
}

}  // namespace elmx
