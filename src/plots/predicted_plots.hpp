#pragma once

#include <map>
#include <string>
#include <vector>

#include "plots/plot.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// The predictions of one method for the rows of a test part.
struct PredictedValues {
  std::string data_set;
  std::string method;
  std::vector<std::string> targets;  ///< their names
  arma::mat actual;                  ///< rows x targets
  arma::mat predicted;               ///< likewise
};

/// For each target two diagrams: the predicted against the actual values with the line where they are equal, and the
/// residuals, actual - predicted, against the predicted values.
std::vector<Figure> predicted_plots(const std::vector<PredictedValues>& all);

/// The confusion matrix of each row that has counts: sums over its repeats and folds, a trial that is no further
/// observation left out. classes: data set -> names; classes without a name are numbered from 0.
std::vector<ConfusionMatrix> confusion_matrices(const std::vector<RecordRow>& rows,
                                                const std::map<std::string, std::vector<std::string>>& classes);

}  // namespace elmx
