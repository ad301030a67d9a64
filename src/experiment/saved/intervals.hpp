#pragma once

#include "experiment/saved/saved_model.hpp"
#include "statistics/jackknife_plus.hpp"

namespace elmx {

/// Intervals in which a new target lies with probability `level` (see jackknife_plus), in the units of the
/// outputs. X, rows: as in predict; Z: n x c, the predictions. Throws ConfigError: a classification, a model
/// that keeps no leave-one-out solutions or too few of them for this level. In blocks of rows: m c numbers of
/// memory for each of some hundred.
Intervals prediction_intervals(const SavedModel& model, Predictor& predictor, const InputRows& X,
                               const arma::uvec& rows, const arma::mat& Z, double level);

}  // namespace elmx
