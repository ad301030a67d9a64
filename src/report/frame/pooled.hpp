#pragma once

#include <string>
#include <vector>

#include "metrics/registry.hpp"
#include "report/frame/record_rows.hpp"

namespace elmx {

/// The c x c sum of the confusion matrices of distinct observations. It is empty, with the reason as note, if
/// a trial has no matrix or the trials are from several data sets.
struct PooledConfusion {
  arma::mat C;
  std::string note;
};
PooledConfusion pooled_confusion(const std::vector<RecordedStep>& steps);

/// Returns true if the largest class has at least kUnbalanced times the test samples of the smallest.
bool is_unbalanced(const arma::mat& confusion);

/// Returns one of pooled_quantities() over the test samples of all distinct observations of a row; NaN, with
/// the reason as note, if the trials do not determine it.
Measured pooled_value(const RecordRow& row, const std::string& quantity);

}  // namespace elmx
