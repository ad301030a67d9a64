#include "preprocess/fit_inputs.hpp"

#include <algorithm>
#include <vector>

namespace elmx {
namespace {

/// The columns of X that the rows have anything in; empty: all.
arma::uvec used_columns(const Dataset& data, const arma::uvec& rows) {
  const auto occurs = [&](arma::uword j) {
    return std::ranges::any_of(rows, [&](arma::uword row) { return data.X(row, j) != 0; });
  };
  arma::uvec used(data.X.n_cols, arma::fill::ones);
  for (const arma::uword j : data.one_hot) used(j) = occurs(j);
  if (data.sparse) {
    for (arma::uword j = data.X.n_cols; --j > 0 && !occurs(j);) used(j) = 0;
  }
  if (arma::all(used)) return {};
  return arma::find(used);
}

}  // namespace

Scaler fit_inputs(const Dataset& data, const std::string& scaling, const arma::uvec& rows) {
  return Scaler::fit(scaling, data.X, rows, data.missing, used_columns(data, rows));
}

}  // namespace elmx
