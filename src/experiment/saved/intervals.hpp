#pragma once

#include "experiment/saved/saved_model.hpp"
#include "statistics/calibration.hpp"

namespace elmx {

/// Computes intervals that contain a new target with probability `level` (see jackknife_plus), in the units
/// of the outputs. X, rows: as in predict; Z: n x c, the predictions. Works in blocks of some hundred rows,
/// each with m c numbers of memory. Throws ConfigError: a classification, a model with no or too few
/// leave-one-out solutions for this level.
Intervals prediction_intervals(const SavedModel& model, Predictor& predictor, const InputRows& X,
                               const arma::uvec& rows, const arma::mat& Z, double level);

}  // namespace elmx
