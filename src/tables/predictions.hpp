#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/saved/new_samples.hpp"
#include "statistics/jackknife_plus.hpp"
#include "table_formats/named_values.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// The names of n class indices; "" of one that is not below the number of classes, which is not known.
std::vector<std::string> class_names(const Dataset& data, const arma::uvec& labels);

/// Columns beside the predictions.
struct PredictionOptions {
  std::optional<double> interval = {};  ///< the share of new targets that lie between two bounds
  bool probabilities = false;           ///< of each class
  bool imputed = false;                 ///< 1 for a row with an imputed value, else 0
};

/// Columns of the rows predicted: row (counted from 1), then for a classification the class, the outputs and,
/// where wanted, the probability of each class, for a regression the predictions in original units; last the
/// target, "" or NaN where it is not known, a column that is lacking where none is. intervals: n x c, where
/// wanted. Columns that are kept stand behind the row. Z: n x c. Throws DataError: a prediction overflows;
/// probabilities of a model that has no calibration.
std::vector<NamedValues> prediction_columns(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                                            const PredictionOptions& options, const Intervals& intervals = {});

/// Number of rows whose predicted class, with the largest output, does not have the largest probability.
std::size_t contradicting_rows(const SavedModel& model, const Dataset& data, const arma::mat& Z);

/// Metrics of the samples whose targets are known, in the order of the registry, in full, then those of each
/// of several targets. No rows where no target is known.
Table prediction_metrics(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                         const std::string& prefix);

}  // namespace elmx
