#include "metrics/regression.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double sum_of_squared_errors(const arma::mat& T, const arma::mat& P) {
  expects(T.n_rows == P.n_rows && T.n_cols == P.n_cols, "regression metrics: T and P are N x c");
  return arma::accu(arma::square(P - T));
}

}  // namespace

double mean_squared_error(const arma::mat& T, const arma::mat& P) {
  const double sse = sum_of_squared_errors(T, P);
  return T.is_empty() ? nan : sse / static_cast<double>(T.n_elem);
}

double root_mean_squared_error(const arma::mat& T, const arma::mat& P) {
  return std::sqrt(mean_squared_error(T, P));
}

double r_squared(const arma::mat& T, const arma::mat& P) {
  const double sse = sum_of_squared_errors(T, P);
  if (T.is_empty()) return nan;
  const double sst = arma::accu(arma::square(T.each_row() - arma::mean(T, 0)));
  return sst > 0 ? 1 - sse / sst : nan;
}

}  // namespace elmx
