#include "solvers/kernel/symmetric_cg.hpp"

#include <cmath>
#include <limits>

#include "linalg/gram.hpp"

namespace elmx {
namespace {

constexpr uword kSteps = 20, kMostRounds = 10;  // per round; the residual is formed anew between rounds
constexpr double kSmall = 1e-17;                // backward error at which the steps end
constexpr double kFalls = 0.5;                  // a round must reduce the error to less than this part

/// Returns a / b, or 0 unless b is positive.
arma::rowvec ratios(const arma::rowvec& a, const arma::rowvec& b) {
  arma::rowvec quotient(a.n_elem, arma::fill::zeros);
  for (uword j = 0; j < a.n_elem; ++j)
    if (b(j) > 0) quotient(j) = a(j) / b(j);
  return quotient;
}

}  // namespace

uword symmetric_cg(const std::function<arma::mat(const arma::mat&)>& times,
                   const std::function<void(arma::mat&)>& precondition, const arma::mat& B, double bound,
                   arma::mat& X) {
  const arma::rowvec size = arma::sqrt(column_dots(B, B));
  const auto backward_error = [&](const arma::mat& left, const arma::mat& found) {
    return ratios(arma::sqrt(column_dots(left, left)), bound * arma::sqrt(column_dots(found, found)) + size).max();
  };
  X.zeros(B.n_rows, B.n_cols);
  arma::mat r = B, best = X;
  double before = std::numeric_limits<double>::infinity();
  uword products = 0;
  for (uword round = 0; round < kMostRounds; ++round) {
    if (round > 0) {
      r = B - times(X);
      ++products;
    }
    const double error = backward_error(r, X);
    if (error < before || !X.is_finite()) best = X;
    if (!(error < kFalls * before) || error <= kSmall) break;
    before = error;
    arma::mat z = r;
    precondition(z);
    arma::mat p = z;
    arma::rowvec rz = column_dots(r, z);
    for (uword step = 0; step < kSteps; ++step) {
      const arma::mat Rp = times(p);
      ++products;
      const arma::rowvec alpha = ratios(rz, column_dots(p, Rp));
      X += p.each_row() % alpha;
      r -= Rp.each_row() % alpha;
      if (backward_error(r, X) <= kSmall) break;
      z = r;
      precondition(z);
      const arma::rowvec next = column_dots(r, z);
      p = z + p.each_row() % ratios(next, rz);
      rz = next;
    }
  }
  X = best;
  return products;
}

}  // namespace elmx
