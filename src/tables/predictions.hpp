#pragma once

#include <string>
#include <vector>

#include "experiment/saved/new_samples.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// Of the outputs of a regression: as the target columns of its file are called, else y or y1, y2, ...
std::vector<std::string> target_names(const std::vector<KnownColumn>& columns, arma::uword outputs);

/// One line a sample, numbers in full: row (counted from 1), then for a classification the class and the outputs, for a
/// regression the predictions in
/// original units; last the target, empty where it is not known, a column that is lacking where none is.   Z: n x c.
std::string predictions_csv(const SavedModel& model, const NewSamples& samples, const arma::mat& Z);

/// Metrics of the samples whose targets are known, in the order of the registry, in full. No rows where none is.
Table prediction_metrics(const SavedModel& model, const NewSamples& samples, const arma::mat& Z,
                         const std::string& prefix);

}  // namespace elmx
