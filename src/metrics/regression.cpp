#include "metrics/regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace elmx {
namespace {

/// Squares of numbers below kSmall are negligible beside the square of 1.
constexpr double kSmall = 1e-140;

void expect_alike(const arma::mat& T, const arma::mat& P) {
  expects(T.n_rows == P.n_rows && T.n_cols == P.n_cols, "regression metrics: T and P are N x c");
}

/// Returns a power of two near the largest |x|; dividing by it does not round.
double scale_of(const arma::mat& X) {
  const double largest = arma::abs(X).max();
  return largest > 0 && std::isfinite(largest) ? std::exp2(std::floor(std::log2(largest))) : 1;
}

/// A mean square as scale^2 mean; scale = 1 unless squares leave the range of double.
struct MeanSquare {
  double scale = 1;
  double mean = 0;
};

MeanSquare mean_square(const arma::mat& E) {
  const auto n = static_cast<double>(E.n_elem);
  const double plain = arma::accu(arma::square(E)) / n;
  if (std::isfinite(plain) && (plain > kSmall || !arma::any(arma::vectorise(E)))) return {1, plain};
  const double scale = scale_of(E);
  return {scale, arma::accu(arma::square(E / scale)) / n};
}

bool is_constant(const arma::vec& t) {
  return t.max() - t.min() <= 16 * std::numeric_limits<double>::epsilon() * arma::abs(t).max();
}

double plain_r_squared(const arma::mat& t, const arma::mat& p) {
  const arma::mat about_mean = t.each_row() - arma::mean(t, 0);
  return 1 - arma::accu(arma::square(p - t)) / arma::accu(arma::square(about_mean));
}

double r_squared_of_column(const arma::mat& t, const arma::mat& p) {
  const double size = std::max(arma::abs(t).max(), arma::abs(p).max());
  if (size < 1 / kSmall && arma::abs(t).max() > kSmall) return plain_r_squared(t, p);
  const double scale = std::max(scale_of(t), scale_of(p));
  return plain_r_squared(t / scale, p / scale);
}

}  // namespace

double mean_squared_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  if (T.is_empty()) return nan;
  const auto [scale, mean] = mean_square(P - T);
  return scale * mean * scale;
}

double root_mean_squared_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  if (T.is_empty()) return nan;
  const auto [scale, mean] = mean_square(P - T);
  return scale * std::sqrt(mean);
}

double mean_absolute_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  return T.is_empty() ? nan : arma::mean(arma::vectorise(arma::abs(P - T)));
}

double median_absolute_error(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  const arma::mat E = arma::abs(P - T);
  return E.is_empty() || E.has_nan() ? nan : arma::mean(arma::vectorise(arma::median(E, 0)));
}

bool constant_targets(const arma::mat& T) {
  for (arma::uword j = 0; j < T.n_cols; ++j) {
    if (!is_constant(T.col(j))) return false;
  }
  return true;
}

double r_squared(const arma::mat& T, const arma::mat& P) {
  expect_alike(T, P);
  if (T.is_empty()) return nan;
  double sum = 0, columns = 0;
  for (arma::uword j = 0; j < T.n_cols; ++j) {
    if (is_constant(T.col(j))) continue;
    sum += r_squared_of_column(T.col(j), P.col(j));
    ++columns;
  }
  return columns > 0 ? sum / columns : nan;
}

}  // namespace elmx
