#include "statistics/jackknife_plus.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace elmx {
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
