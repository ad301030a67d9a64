#include "solvers/sparse/op_elm.hpp"

#include <algorithm>
#include <limits>

#include "linalg/minimum_norm.hpp"
#include "linalg/orthogonal_direction.hpp"
#include "solvers/sparse/node_ranking.hpp"

namespace elmx {
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
