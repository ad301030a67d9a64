#include "solvers/sparse/node_ranking.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/orthogonal_direction.hpp"

namespace elmx {
namespace {

/// The chosen nodes, as an orthonormal basis of their columns.
class Chosen {
 public:
  Chosen(const arma::mat& H, const arma::mat& T)
      : H_(H), fit_(arma::size(T), arma::fill::zeros), Q_(H.n_rows, 0), open_(H.n_cols, true) {}

  /// Adds a node. Returns false, and never offers the node again, if it depends on the chosen nodes.
  bool add(uword j, const arma::mat& T) {
    open_[j] = false;
    const arma::vec q = orthogonal_direction(Q_, H_.col(j));
    if (q.is_empty()) return false;
    Q_.insert_cols(Q_.n_cols, q);
    fit_ += q * (q.t() * T);
    return true;
  }

  /// Returns true if a node depends on the chosen nodes, and then never offers it again.
  bool drop_if_dependent(uword j) {
    if (orthogonal_direction(Q_, H_.col(j)).is_empty()) open_[j] = false;
    return !open_[j];
  }

  bool full() const { return Q_.n_cols == std::min(H_.n_rows, H_.n_cols); }
  bool is_open(uword j) const { return open_[j]; }

  /// Returns the least-squares fit of T to the chosen columns.
  const arma::mat& fit() const { return fit_; }

  /// Returns the open node of the largest ||row of p||_1 (ties: the lowest); L if none is open.
  uword best(const arma::mat& p, double& value) const {
    uword best = H_.n_cols;
    value = -1;
    for (uword j = 0; j < H_.n_cols; ++j) {
      if (!open_[j]) continue;
      if (const double norm = arma::accu(arma::abs(p.row(j))); norm > value) {
        value = norm;
        best = j;
      }
    }
    return best;
  }

 private:
  const arma::mat& H_;
  arma::mat fit_;
  arma::mat Q_;
  std::vector<bool> open_;
};

/// Returns the smallest gamma in [0, 1] with  ||p - gamma q||_1 = (1 - gamma) c.  The difference of both
/// sides is convex and piecewise linear, not positive at 0 and not negative at 1: the root lies in the first
/// interval between breakpoints p_i / q_i with a change of sign.
double meeting_point(const arma::rowvec& p, const arma::rowvec& q, double c) {
  const auto f = [&](double gamma) { return arma::accu(arma::abs(p - gamma * q)) - (1 - gamma) * c; };
  std::vector<double> ends;
  for (uword i = 0; i < p.n_elem; ++i) {
    const double gamma = p(i) / q(i);
    if (gamma > 0 && gamma < 1) ends.push_back(gamma);
  }
  std::sort(ends.begin(), ends.end());
  ends.push_back(1);
  double low = 0, f_low = f(0);
  for (const double high : ends) {
    const double f_high = f(high);
    if (f_high >= 0) return f_low < 0 ? low + (high - low) * f_low / (f_low - f_high) : f_high > 0 ? low : high;
    low = high;
    f_low = f_high;
  }
  return 1;
}

}  // namespace

NodeRanking rank_greedily(const arma::mat& H, const arma::mat& T) {
  expects(H.n_rows == T.n_rows, "rank_greedily: H is n x L, T is n x C");
  NodeRanking ranking;
  Chosen chosen(H, T);
  arma::mat p = H.t() * T;
  double value = 0;
  for (uword j; !chosen.full() && (j = chosen.best(p, value)) < H.n_cols;) {
    if (!chosen.add(j, T)) continue;
    ranking.order.push_back(j);
    ranking.criterion.push_back(value);
    p = H.t() * (T - chosen.fit());
  }
  return ranking;
}

NodeRanking rank_by_mrsr(const arma::mat& H, const arma::mat& T) {
  expects(H.n_rows == T.n_rows, "rank_by_mrsr: H is n x L, T is n x C");
  NodeRanking ranking;
  Chosen chosen(H, T);
  arma::mat estimate(arma::size(T), arma::fill::zeros), p = H.t() * T;
  double c = 0;
  for (uword j; !chosen.full() && (j = chosen.best(p, c)) < H.n_cols;) {
    if (!chosen.add(j, T)) continue;
    const arma::mat q = H.t() * (chosen.fit() - estimate);
    // A dependent column stays level with the columns on which it depends: rounding would decide where it
    // ends the step.
    double gamma = 1;
    for (uword next = H.n_cols;; next = H.n_cols) {
      gamma = 1;
      for (uword i = 0; i < H.n_cols; ++i) {
        if (!chosen.is_open(i)) continue;
        if (const double meeting = meeting_point(p.row(i), q.row(i), c); meeting < gamma) {
          gamma = meeting;
          next = i;
        }
      }
      if (next == H.n_cols || !chosen.drop_if_dependent(next)) break;
    }
    ranking.order.push_back(j);
    ranking.criterion.push_back(c);
    ranking.step.push_back(gamma);
    estimate += gamma * (chosen.fit() - estimate);
    p = H.t() * (T - estimate);
  }
  return ranking;
}

arma::mat standardised(arma::mat M) {
  for (uword j = 0; j < M.n_cols; ++j) {
    auto column = M.col(j);
    if (column.max() == column.min()) {  // the mean may have a rounding error
      column.zeros();
      continue;
    }
    column -= arma::mean(column);
    column *= std::sqrt(static_cast<double>(M.n_rows - 1)) / arma::norm(column);
  }
  return M;
}

}  // namespace elmx
