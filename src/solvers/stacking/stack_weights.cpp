#include "solvers/stacking/stack_weights.hpp"

#include <algorithm>

#include "solvers/stacking/nonnegative_least_squares.hpp"

namespace elmx {
namespace {

/// The products of the least-squares problem for the weights.
struct StackProducts {
  arma::mat G;  // m x m: sum_i s_i z_i z_i'
  arma::vec b;  // m: sum_i s_i z_i t_i

  /// Adds `factor` times the contribution of sample i.
  void add(const std::vector<arma::mat>& Z, const arma::mat& T, arma::uword i, double factor) {
    const arma::uword m = b.n_elem;
    for (arma::uword k = 0; k < T.n_cols; ++k) {
      for (arma::uword j = 0; j < m; ++j) {
        const double z = factor * Z[j](i, k);
        b(j) += z * T(i, k);
        for (arma::uword l = 0; l <= j; ++l) G(j, l) += z * Z[l](i, k);
      }
    }
  }

  arma::vec solved(const arma::vec& start = {}) const { return nonnegative_least_squares(arma::symmatl(G), b, start); }
};

arma::uvec known_samples(const std::vector<arma::mat>& Z, const arma::mat& T) {
  arma::uvec known(T.n_rows);
  arma::uword count = 0;
  for (arma::uword i = 0; i < T.n_rows; ++i) {
    if (std::ranges::all_of(Z, [&](const arma::mat& one) { return one.row(i).is_finite(); })) known(count++) = i;
  }
  return known.head(count);
}

}  // namespace

StackWeights stack_weights(const std::vector<arma::mat>& Z, const arma::mat& T, const arma::vec& s) {
  const arma::uword m = Z.size();
  const arma::uvec known = known_samples(Z, T);
  const auto share = [&](arma::uword i) { return s.is_empty() ? 1 : s(i); };
  StackProducts all{arma::mat(m, m, arma::fill::zeros), arma::vec(m, arma::fill::zeros)};
  for (const arma::uword i : known) all.add(Z, T, i, share(i));
  StackWeights found{all.solved(), arma::mat(m, T.n_rows, arma::fill::value(arma::datum::nan))};
  for (const arma::uword i : known) {
    StackProducts others = all;
    others.add(Z, T, i, -share(i));
    found.without_each.col(i) = others.solved(found.weights);
  }
  return found;
}

arma::mat weighted_sum(const std::vector<arma::mat>& Z, const arma::vec& weights) {
  arma::mat sum(arma::size(Z.front()), arma::fill::zeros);
  for (arma::uword j = 0; j < weights.n_elem; ++j) {
    if (weights(j) != 0) sum += weights(j) * Z[j];
  }
  return sum;
}

}  // namespace elmx
