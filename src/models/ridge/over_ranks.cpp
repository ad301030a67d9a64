#include "models/ridge/over_ranks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "solvers/ridge_algorithms.hpp"

namespace elmx {

std::string needs_one_rank(const std::vector<std::string>& algorithms, const Precision& precision,
                           const std::string& reference, bool leave_one_out) {
  for (const std::string& name : algorithms) {
    if (!ridge_algorithm(name).factor)
      return fmt::format("/algorithms: \"{}\"; allowed over several ranks: {}", name, factor_algorithms());
  }
  const Arithmetic arithmetic = precision.arithmetic();
  if (arithmetic != Arithmetic::of_samples)
    return fmt::format("/precision: {}; allowed over several ranks: \"double\", \"single\"",
                       precision.to_json().dump());
  if (reference != "none") return fmt::format("/reference: \"{}\"; allowed over several ranks: \"none\"", reference);
  if (leave_one_out) return "/leave_one_out: true; allowed over several ranks: false";
  return "";
}

double GramWork::forming(GramOver over, int ranks) const {
  const double all = 2 * samples * inputs * nodes, P = ranks;
  // A rank owns the blocks of some rows and some columns of a grid that is as near to a square as may be.
  return over == GramOver::samples ? all / P : all * std::min(1.0, 2 / std::sqrt(P));
}

double GramWork::sent(GramOver over, int ranks) const {
  const double P = ranks;
  return over == GramOver::samples ? word * nodes * nodes / 2 * (P - 1) / P : 0;
}

GramOver GramWork::best(int ranks) const {
  const auto seconds = [&](GramOver over) {
    return forming(over, ranks) / kRankFlops + sent(over, ranks) / kRankBytes;
  };
  return seconds(GramOver::nodes) < seconds(GramOver::samples) ? GramOver::nodes : GramOver::samples;
}

Inputs part_of(const Inputs& inputs, Part part) {
  return {inputs.X, part.size() > 0 ? inputs.rows.subvec(part.begin, part.end - 1) : arma::uvec(), inputs.scaler};
}

arma::mat rows_of_all(const arma::mat& rows, Part part, uword n) {
  if (ranks().count() == 1) return rows;
  arma::mat all(n, rows.n_cols);
  if (part.size() > 0) all.rows(part.begin, part.end - 1) = rows;
  ranks().sum(all.memptr(), all.n_elem);
  return all;
}

}  // namespace elmx
