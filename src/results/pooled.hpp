#pragma once

#include <string>
#include <vector>

#include "metrics/measurements.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// The sum of the confusion matrices of distinct observations, c x c; empty, with the reason as note, where a
/// trial does not have one or where the trials are of several data sets.
struct PooledConfusion {
  arma::mat C;
  std::string note;
};
PooledConfusion pooled_confusion(const std::vector<RecordedStep>& steps);

/// Returns true if the largest class of the test parts has at least kUnbalanced times the rows of the
/// smallest.
bool is_unbalanced(const arma::mat& confusion);

/// One of pooled_quantities() over the test samples of all distinct observations of a row; NaN, with the
/// reason as note, where the trials do not determine it.
Measured pooled_value(const RecordRow& row, const std::string& quantity);

}  // namespace elmx
