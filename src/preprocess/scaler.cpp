#include "preprocess/scaler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr double kSmallestRoot = 1e-140;  // squares of less lose digits

struct Range {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
};

Range range_of(const arma::vec& x) {
  Range range;
  for (const double value : x) {
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
  }
  return range;
}

double mean_of(const arma::vec& x) {
  const auto n = static_cast<double>(x.n_elem);
  double sum = 0;
  for (const double value : x) sum += value;
  if (std::isfinite(sum)) return sum / n;
  sum = 0;
  for (const double value : x) sum += value / n;
  return sum;
}

/// sqrt(mean of (x - mean)^2), x not constant; of (x - mean) / largest where the squares over- or underflow.
double deviation_of(const arma::vec& x, double mean) {
  const auto root_mean_square = [&](double unit) {
    double sum = 0;
    for (const double value : x) sum += ((value - mean) / unit) * ((value - mean) / unit);
    return std::sqrt(sum / static_cast<double>(x.n_elem));
  };
  const double deviation = root_mean_square(1);
  if (std::isfinite(deviation) && deviation > kSmallestRoot) return deviation;
  const auto [min, max] = range_of(x);
  const double largest = std::max(max - mean, mean - min);
  return largest * root_mean_square(largest);
}

/// 1 / width, or 0 where that is not finite.
double inverse(double width) {
  const double factor = 1 / width;
  return std::isfinite(factor) ? factor : 0;
}

/// Of the largest absolute value: a column that spans less is constant, written with other roundings (0.3 and 0.1 +
/// 0.2).
constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();

/// 1 / width, or 0 where the column is constant.
double factor_of(double width, const Range& range) {
  const bool constant = range.max - range.min <= kRounding * std::max(std::abs(range.min), std::abs(range.max));
  return constant ? 0 : inverse(width);
}

/// Column j of X on the rows.
arma::vec values_of(const arma::mat& X, arma::uword j, const arma::uvec& rows) {
  const double* column = X.colptr(j);
  arma::vec x(rows.n_elem);
  std::ranges::transform(rows, x.begin(), [&](arma::uword row) { return column[row]; });
  return x;
}

/// The mean of the values that are there, which the others become.
double fill_missing(arma::vec& x) {
  const arma::vec there = x.elem(arma::find_finite(x));
  expects(!there.is_empty(), "Scaler::fit: a value in each column of the rows");
  const double mean = mean_of(there);
  x.replace(arma::datum::nan, mean);
  return mean;
}

void fit_column(const std::string& scaling, const arma::vec& x, double& offset, double& factor) {
  const Range range = range_of(x);
  const auto [min, max] = range;
  const double half_range = max / 2 - min / 2;
  if (scaling == "zero_one") {
    offset = min;
    factor = factor_of(max - min, range);
  } else if (scaling == "minus_one_one") {
    offset = min + half_range;
    factor = factor_of(half_range, range);
  } else if (scaling == "centred") {
    offset = std::clamp(mean_of(x), min, max);  // the mean of a constant column is the constant
    factor = factor_of(std::max(max - offset, offset - min), range);
  } else if (scaling == "standard") {
    offset = mean_of(x);
    factor = max > min ? factor_of(deviation_of(x, offset), range) : 0;
  } else {
    offset = 0;
    factor = scaling == "byte" ? 1 / 255.0 : 1;
  }
}

}  // namespace

const std::vector<std::string>& scalings() {
  static const std::vector<std::string> kinds = {"none", "zero_one", "minus_one_one", "standard", "centred", "byte"};
  return kinds;
}

Scaler Scaler::fit(const std::string& scaling, const arma::mat& X, const arma::uvec& rows, bool missing,
                   arma::uvec columns) {
  expects(std::ranges::count(scalings(), scaling) == 1, "Scaler::fit: scaling is one of scalings()");
  expects(!rows.empty(), "Scaler::fit: at least one row");
  const arma::uword d = columns.is_empty() ? X.n_cols : columns.n_elem;
  Scaler scaler{arma::rowvec(d), arma::rowvec(d), arma::rowvec(missing ? d : 0), std::move(columns)};
  const bool looks = missing || (scaling != "none" && scaling != "byte");
  arma::vec x;
  for (arma::uword j = 0; j < d; ++j) {
    if (looks) x = values_of(X, scaler.column(j), rows);
    if (missing) scaler.fill(j) = fill_missing(x);
    fit_column(scaling, x, scaler.offset(j), scaler.factor(j));
  }
  return scaler;
}

arma::mat Scaler::apply(const arma::mat& X, const arma::uvec& rows) const {
  expects(columns.is_empty() ? X.n_cols == dimension() : X.n_cols > columns.max(),
          "Scaler::apply: X has the d columns of the fit");
  arma::mat Z(rows.n_elem, dimension());
  for (arma::uword j = 0; j < dimension(); ++j) {
    const double* from = X.colptr(column(j));
    double* scaled = Z.colptr(j);
    for (const arma::uword row : rows)
      *scaled++ = ((std::isnan(from[row]) ? fill_of(j) : from[row]) - offset(j)) * factor(j);
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
