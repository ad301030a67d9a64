#pragma once

#include <map>
#include <string>
#include <vector>

#include "final_models/test_predictions.hpp"
#include "plots/plot.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// For each target two diagrams: the predicted against the actual values with the line where they are equal, and the
/// residuals, actual - predicted, against the predicted values.
std::vector<Figure> predicted_plots(const std::vector<TestPredictions>& all);

/// The confusion matrix of each row that has counts: sums over its repeats and folds, a trial that is no further
/// observation left out. classes: data set -> names; classes without a name are numbered from 0.
std::vector<ConfusionMatrix> confusion_matrices(const std::vector<RecordRow>& rows,
                                                const std::map<std::string, std::vector<std::string>>& classes);

}  // namespace elmx
