#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/saved/new_samples.hpp"
#include "models/calibration.hpp"
#include "report/formats/named_values.hpp"
#include "report/formats/table.hpp"

namespace elmx {

/// Returns the names of n class indices; "" for an unknown class (an index beyond the number of classes).
std::vector<std::string> class_names(const Dataset& data, const arma::uvec& labels);

/// Columns to add to the predictions.
struct PredictionOptions {
  std::optional<double> interval = {};  ///< the share of new targets that lie between two bounds
  bool probabilities = false;           ///< probabilities of each class
  bool imputed = false;                 ///< 1 for a row with an imputed value, else 0
};

/// Returns the columns of the predictions: the row (counted from 1); for a classification the class, the
/// outputs and, if requested, the probability of each class, for a regression the predictions in original
/// units; last the target, "" or NaN if it is unknown. The target column is omitted if no target is known.
/// Kept columns follow the row. intervals: n x c, if requested. Z: n x c. Throws DataError if a prediction
/// overflows or the model has no calibration for probabilities.
std::vector<NamedValues> prediction_columns(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                                            const PredictionOptions& options, const Intervals& intervals = {});

/// Counts the rows whose predicted class (with the largest output) does not have the largest probability.
std::size_t contradicting_rows(const SavedModel& model, const Dataset& data, const arma::mat& Z);

/// Returns the metrics of the samples with known targets at full precision, in the order of the registry,
/// then the metrics of each of several targets. The table has no rows if no target is known.
Table prediction_metrics(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                         const std::string& prefix);

}  // namespace elmx
