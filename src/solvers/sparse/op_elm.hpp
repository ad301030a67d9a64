#pragma once

#include <vector>

#include "linalg/view.hpp"

namespace elmx {

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
