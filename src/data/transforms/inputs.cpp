#include "data/transforms/inputs.hpp"

#include <algorithm>
#include <vector>

#include "data/table/dataset.hpp"

namespace elmx {
namespace {

/// Returns the columns of X that are not zero in all of the rows; empty = all columns.
arma::uvec used_columns(const Dataset& data, const arma::uvec& rows) {
  if (!data.sparse && data.one_hot.is_empty()) return {};
  const std::vector<char> occurs = columns_with(data.input_rows(), rows, [](double x) { return x != 0; });
  arma::uvec used(occurs.size(), arma::fill::ones);
  for (const arma::uword j : data.one_hot) used(j) = occurs[j];
  if (data.sparse) {
    for (arma::uword j = used.n_elem; --j > 0 && !occurs[j];) used(j) = 0;
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
