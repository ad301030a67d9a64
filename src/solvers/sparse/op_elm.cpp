#include "solvers/sparse/op_elm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/decompositions.hpp"

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

namespace {

constexpr double kLeverage = 1e-10;

arma::mat with_ones(const arma::mat& H, bool bias) {
  return bias ? arma::join_rows(arma::mat(H.n_rows, 1, arma::fill::ones), H) : H;
}

}  // namespace

std::vector<double> leave_one_out_errors(const arma::mat& H, const arma::mat& T, bool bias) {
  const uword first = bias ? 1 : 0, n = H.n_rows;
  const uword K = std::min(H.n_cols, n > 1 + first ? n - 1 - first : 0);
  if (K == 0) return {};
  const arma::mat A = with_ones(H.head_cols(K), bias);
  arma::mat Q(n, A.n_cols), residual = T;
  uword rank = 0;
  std::vector<double> errors;
  arma::vec hat(n, arma::fill::zeros);
  for (uword k = 0; k < A.n_cols; ++k) {
    if (const arma::vec q = orthogonal_direction(Q.head_cols(rank), A.col(k)); !q.is_empty()) {
      Q.col(rank++) = q;
      hat += arma::square(q);
      residual -= q * (q.t() * T);
    }
    if (k < first) continue;
    const arma::vec left = 1 - hat;
    arma::mat e = residual;
    e.each_col() /= left;
    errors.push_back(left.min() < kLeverage ? std::numeric_limits<double>::infinity()
                                            : arma::accu(arma::square(e)) / static_cast<double>(e.n_elem));
  }
  return errors;
}

uword choose_size(const std::vector<double>& errors, SizeRule rule) {
  expects(!errors.empty(), "choose_size: at least one size");
  if (rule == SizeRule::global_minimum)
    return static_cast<uword>(std::min_element(errors.begin(), errors.end()) - errors.begin()) + 1;
  std::size_t k = errors.size();
  while (k > 1 && errors[k - 2] <= errors[k - 1]) --k;
  return k;
}

Status train_op_elm(const arma::mat& H, const arma::mat& T, const OpElmOptions& options, OpElmFit& fit) {
  expects(H.n_rows == T.n_rows, "train_op_elm: H is n x L, T is n x C");
  if (H.n_rows < 3) return Status::too_few_samples;
  if (!H.is_finite()) return Status::not_finite;
  const arma::mat ranked_H = options.standardise ? standardised(H) : H,
                  ranked_T = options.standardise ? standardised(T) : T;
  const NodeRanking ranking =
      options.least_angle ? rank_by_mrsr(ranked_H, ranked_T) : rank_greedily(ranked_H, ranked_T);
  if (ranking.order.empty()) return Status::all_pruned;
  const arma::uvec order(ranking.order);
  const std::vector<double> errors = leave_one_out_errors(H.cols(order), T, options.bias);
  const uword size = choose_size(errors, options.size);
  fit.active = arma::sort(order.head(size));
  fit.loo = errors[size - 1];
  const Status status = minimum_norm(with_ones(H.cols(fit.active), options.bias), T, fit.W);
  if (status != Status::ok) return status;
  fit.bias = options.bias ? arma::rowvec(fit.W.row(0)) : arma::rowvec();
  if (options.bias) fit.W.shed_row(0);
  return Status::ok;
}

}  // namespace elmx
