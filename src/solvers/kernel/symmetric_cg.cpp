#include "solvers/kernel/symmetric_cg.hpp"

#include <limits>

namespace elmx {
namespace {

constexpr uword kRestart = 20, kMostRounds = 10;
constexpr double kSmall = 1e-15;      // of a residual, relative to its right side
constexpr double kFalls = 0.5;        // what a round must at least make of the residual
constexpr double kRoundGains = 1e-9;  // what one round can gain before rounding shows

arma::rowvec column_dots(const arma::mat& A, const arma::mat& B) { return arma::sum(A % B, 0); }

/// a / b, and 0 where b is.
arma::rowvec ratios(const arma::rowvec& a, const arma::rowvec& b) {
  arma::rowvec quotient(a.n_elem, arma::fill::zeros);
  for (uword j = 0; j < a.n_elem; ++j)
    if (b(j) > 0) quotient(j) = a(j) / b(j);
  return quotient;
}

}  // namespace

uword symmetric_cg(const std::function<arma::mat(const arma::mat&)>& times,
                   const std::function<void(arma::mat&)>& precondition, const arma::mat& B, arma::mat& X) {
  const arma::rowvec size = arma::sqrt(column_dots(B, B));
  double before = std::numeric_limits<double>::infinity();
  arma::mat best = X;
  uword products = 0;
  for (uword round = 0; round < kMostRounds; ++round) {
    arma::mat r = B - times(X);
    ++products;
    const double left = ratios(arma::sqrt(column_dots(r, r)), size).max();
    if (left < before) best = X;
    if (!(left < kFalls * before) || left < kSmall) break;
    before = left;
    arma::mat z = r;
    precondition(z);
    arma::mat p = z;
    arma::rowvec rz = column_dots(r, z);
    for (uword step = 0; step < kRestart; ++step) {
      const arma::mat Rp = times(p);
      ++products;
      const arma::rowvec alpha = ratios(rz, column_dots(p, Rp));
      X += p.each_row() % alpha;
      r -= Rp.each_row() % alpha;
      const double rest = ratios(arma::sqrt(column_dots(r, r)), size).max();
      if (rest < kSmall || rest < kRoundGains * left) break;
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
