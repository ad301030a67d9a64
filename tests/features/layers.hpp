#pragma once

#include "base/rng.hpp"
#include "features/feature_map.hpp"

namespace elmx {

/// Where the layers of these tests are drawn from.
inline const Rng kRng(17, Purpose::layer, 2, 1);

/// All columns of a map for all rows of X as they are.
inline arma::mat columns_of(const FeatureMap<double>& map, const arma::mat& X) {
  arma::mat A(X.n_rows, map.columns());
  const arma::uvec all = arma::regspace<arma::uvec>(0, X.n_rows - 1);
  map.outputs(Inputs{X, all, Scaler::fit("none", X, all)}, 0, View<double>(A));
  return A;
}

}  // namespace elmx
