#pragma once

#include <vector>

#include "linalg/view.hpp"

namespace elmx {

/// Nodes in the order in which a greedy search adds them (11). It repeatedly takes the column h_j of H with
/// the largest ||h_j'(T - H_S W_S)||_1, W_S = H_S^+ T (ties: the lowest index), until min(n, L) columns are
/// chosen. A column is dependent, and omitted, if its part orthogonal to the chosen columns is below 1e-10 of
/// its norm. H: n x L, T: n x C. Gram-Schmidt, twice: 2 n L C + 4 n s flops for the s-th node.
struct NodeRanking {
  std::vector<uword> order;
  std::vector<double> criterion;  ///< the criterion (MRSR: c_max) when the node was added
  std::vector<double> step;       ///< MRSR: gamma of the step; greedy: empty
};
NodeRanking rank_greedily(const arma::mat& H, const arma::mat& T);

/// Ranks nodes by multiresponse sparse regression (Simila & Tikka 2005), a least-angle method. It starts from
/// the estimate T^0 = 0. Each step adds the inactive node of largest c_max = ||h_j'(T - T^k)||_1, takes for
/// T- the least-squares fit to the active nodes, and sets T^k+1 = T^k + gamma (T- - T^k), where gamma is the
/// smallest value in (0, 1] at which an inactive node has
///
///     ||h_j'(T - T^k) - gamma h_j'(T- - T^k)||_1 = (1 - gamma) c_max
///
/// The columns of H and T must be centred and of unit variance (standardised).
NodeRanking rank_by_mrsr(const arma::mat& H, const arma::mat& T);

/// Returns columns with mean 0 and standard deviation 1 (divisor n - 1); a constant column becomes 0.
arma::mat standardised(arma::mat M);

/// Returns the mean squared leave-one-out errors (over samples and outputs) of least squares on the first k
/// columns of H, k = 1 .. K, by PRESS: e_i = (t_i - t^_i) / (1 - hat_ii). An orthonormal basis Q of the
/// columns (Gram-Schmidt, twice) serves all k: hat_ii = sum_{q <= k} Q_iq^2, T^ = Q_k Q_k'T. With `bias` a
/// column of ones precedes the first column. K = min(columns, n - 1, less one with bias). The error is
/// infinite if 1 - hat_ii < 1e-10. A column that depends on earlier columns (on the ones, say) adds nothing.
/// H: n x L'.   4 n K^2 + 4 n K C flops.
std::vector<double> leave_one_out_errors(const arma::mat& H, const arma::mat& T, bool bias);

enum class SizeRule {
  global_minimum,  ///< the size with the smallest error
  first_increase   ///< down from the largest size, until the error would rise
};

/// Returns the number of columns, 1 .. errors.size().
uword choose_size(const std::vector<double>& errors, SizeRule rule);

struct OpElmOptions {
  bool least_angle = false;  ///< rank_by_mrsr instead of rank_greedily
  bool standardise = false;  ///< standardise columns and targets, for the ranking only
  bool bias = false;
  SizeRule size = SizeRule::global_minimum;
};

struct OpElmFit {
  arma::uvec active;  ///< remaining nodes, ascending
  arma::mat W;        ///< s x C
  arma::rowvec bias;  ///< 1 x C; empty without one
  double loo = 0;     ///< leave-one-out mean squared error
};

/// Trains an optimally pruned ELM (Miche et al. 2010): ranks the nodes, chooses their number by leave-one-out
/// errors and fits them by least squares. Returns too_few_samples if n < 3.   H: n x L, T: n x C.
[[nodiscard]] Status train_op_elm(const arma::mat& H, const arma::mat& T, const OpElmOptions& options, OpElmFit& fit);

}  // namespace elmx
