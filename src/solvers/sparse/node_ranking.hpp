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

}  // namespace elmx
