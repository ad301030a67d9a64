#include "preprocess/scaler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace elmx {
namespace {

struct Range {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
};

Range range_of(const double* column, const arma::uvec& rows) {
  Range range;
  for (const arma::uword row : rows) {
    range.min = std::min(range.min, column[row]);
    range.max = std::max(range.max, column[row]);
  }
  return range;
}

double mean_of(const double* column, const arma::uvec& rows) {
  double sum = 0;
  for (const arma::uword row : rows) sum += column[row];
  return sum / static_cast<double>(rows.n_elem);
}

double deviation_of(const double* column, const arma::uvec& rows, double mean) {
  double sum = 0;
  for (const arma::uword row : rows) sum += (column[row] - mean) * (column[row] - mean);
  return std::sqrt(sum / static_cast<double>(rows.n_elem));
}

/// 1 / width, or 0 where the column is constant (or so nearly that the quotient is not finite).
double inverse(double width) {
  const double factor = 1 / width;
  return std::isfinite(factor) ? factor : 0;
}

}  // namespace

const std::vector<std::string>& scalings() {
  static const std::vector<std::string> kinds = {"none", "zero_one", "minus_one_one", "standard", "centred", "byte"};
  return kinds;
}

Scaler Scaler::fit(const std::string& scaling, const arma::mat& X, const arma::uvec& rows) {
  expects(std::ranges::count(scalings(), scaling) == 1, "Scaler::fit: scaling is one of scalings()");
  expects(!rows.empty(), "Scaler::fit: at least one row");
  Scaler scaler{arma::rowvec(X.n_cols, arma::fill::zeros), arma::rowvec(X.n_cols, arma::fill::ones)};
  if (scaling == "byte") scaler.factor.fill(1 / 255.0);
  if (scaling == "none" || scaling == "byte") return scaler;

  for (arma::uword j = 0; j < X.n_cols; ++j) {
    const double* column = X.colptr(j);
    const auto [min, max] = range_of(column, rows);
    const double half_range = max / 2 - min / 2;
    if (scaling == "zero_one") {
      scaler.offset(j) = min;
      scaler.factor(j) = inverse(max - min);
    } else if (scaling == "minus_one_one") {
      scaler.offset(j) = min + half_range;
      scaler.factor(j) = inverse(half_range);
    } else if (scaling == "centred") {
      scaler.offset(j) = std::clamp(mean_of(column, rows), min, max);  // the mean of a constant column is the constant
      scaler.factor(j) = inverse(std::max(max - scaler.offset(j), scaler.offset(j) - min));
    } else {
      scaler.offset(j) = mean_of(column, rows);
      scaler.factor(j) = max > min ? inverse(deviation_of(column, rows, scaler.offset(j))) : 0;
    }
  }
  return scaler;
}

arma::mat Scaler::apply(const arma::mat& X, const arma::uvec& rows) const {
  expects(X.n_cols == offset.n_elem, "Scaler::apply: X has the d columns of the fit");
  arma::mat Z(rows.n_elem, X.n_cols);
  for (arma::uword j = 0; j < X.n_cols; ++j) {
    const double* column = X.colptr(j);
    double* scaled = Z.colptr(j);
    for (const arma::uword row : rows) *scaled++ = (column[row] - offset(j)) * factor(j);
  }
  return Z;
}

arma::mat Scaler::undo(const arma::mat& Z) const {
  expects(Z.n_cols == offset.n_elem, "Scaler::undo: Z has the d columns of the fit");
  arma::mat X = Z;
  for (arma::uword j = 0; j < X.n_cols; ++j) X.col(j) = X.col(j) * inverse(factor(j)) + offset(j);
  return X;
}

}  // namespace elmx
