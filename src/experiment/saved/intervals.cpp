#include "experiment/saved/intervals.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/printable.hpp"

namespace elmx {
namespace {

void require_enough(double level, arma::uword kept) {
  if (jackknife_rank(level, kept) <= kept) return;
  arma::uword needed = kept;
  while (jackknife_rank(level, needed) > needed) ++needed;
  throw ConfigError("--interval", fmt::format("{} needs at least {} training rows, but the model keeps {}; use a "
                                              "smaller share",
                                              level, needed, kept));
}

}  // namespace

Intervals prediction_intervals(const SavedModel& model, Predictor& predictor, const InputRows& X,
                               const arma::uvec& rows, const arma::mat& Z, double level) {
  if (model.data.task != "regression")
    throw ConfigError("--interval", "the model is a classification; use --probabilities");
  Intervals all{arma::mat(arma::size(Z)), arma::mat(arma::size(Z))};
  for (arma::uword first = 0; first < rows.n_elem; first += kFullBlock) {
    const arma::span part(first, std::min(first + kFullBlock, rows.n_elem) - 1);
    const LeftOutOutputs of = with_inputs(model.preprocessing, X, rows(part),
                                          [&](const Inputs& inputs) { return predictor.left_out(inputs); });
    if (of.residuals.is_empty())
      throw ConfigError("--interval",
                        "the model keeps no leave-one-out solutions; use the model.h5 of a regression with elm, bls, "
                        "rvfl, kernel, linear, mean or stack, written by this version, that does not fit its training "
                        "rows exactly");
    require_enough(level, of.residuals.n_rows);
    const Intervals some = jackknife_plus(Z.rows(part), of.changes, of.residuals, level);
    all.lower.rows(part) = some.lower;
    all.upper.rows(part) = some.upper;
  }
  return all;
}

}  // namespace elmx
