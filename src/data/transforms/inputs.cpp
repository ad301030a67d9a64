#include "data/transforms/inputs.hpp"

#include <algorithm>
#include <vector>

#include "data/table/dataset.hpp"

namespace elmx {
namespace {

/// Returns the columns of X that are not zero in all of the rows; empty = all columns.
arma::uvec used_columns(const Dataset& data, const arma::uvec& rows) {
  const arma::uword d = data.dimension();
  std::vector<char> seen;  // used for inputs on disk, filled in one pass
  if (data.on_disk && (data.sparse || !data.one_hot.is_empty())) {
    seen.assign(d, 0);
    for_each_block(*data.on_disk, rows, [&](arma::uword, const arma::mat& block) {
      for (arma::uword j = 0; j < d; ++j) seen[j] |= arma::any(block.col(j) != 0);
    });
  }
  const auto occurs = [&](arma::uword j) {
    if (data.on_disk) return seen[j] != 0;
    return std::ranges::any_of(rows, [&](arma::uword row) { return data.X(row, j) != 0; });
  };
  arma::uvec used(d, arma::fill::ones);
  for (const arma::uword j : data.one_hot) used(j) = occurs(j);
  if (data.sparse) {
    for (arma::uword j = d; --j > 0 && !occurs(j);) used(j) = 0;
  }
  if (arma::all(used)) return {};
  return arma::find(used);
}

}  // namespace

Scaler fit_inputs(const Dataset& data, const std::string& scaling, const arma::uvec& rows) {
  const bool of_table = !data.columns.empty() && !data.on_disk;
  return Scaler::fit(scaling, data.input_rows(), rows, data.missing || of_table, used_columns(data, rows));
}

}  // namespace elmx
