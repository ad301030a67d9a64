#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"

namespace elmx {

/// The numbers among which --best-by marks the best: a row, or a column on one data set.
enum class BestBy { row, column };

/// The fields and statistics of a pivot.
///
/// Besides the fields of the records, rows and columns can have "metric" and "stat", for several metrics and
/// statistics, and "part" (test, train, unlabelled), which removes the part from the names in "metric".
/// Several metrics or statistics that are in neither become the innermost levels of columns.
struct PivotOptions {
  std::vector<std::string> rows;     ///< fields whose values head the rows
  std::vector<std::string> columns;  ///< fields whose values head the columns, outermost first
  std::vector<std::string> metrics;
  std::vector<std::string> statistics = {"mean_sd"};
  Predicate only = {};  ///< metrics shown only in cells under one of the values, such as "alg2"
  /// algorithms that speed-ups are over; none: the baseline of the config
  std::vector<std::string> references = {};
  std::vector<std::string> percent = {};  ///< metrics shown in percent
  std::optional<int> digits;              ///< overrides the digits of each metric
  std::optional<BestBy> best;
  Predicate where = {};  ///< the trials to show
};

/// Returns a statistic of metrics over all steps of the records that share the values of the fields: one row
/// and one column for each combination of values that occurs, in natural order (algorithms and cases in the
/// order of the run). A remark names the other fields in which steps of a cell differ. All points of a grid
/// count; choices among the points, which copy their steps, only count if `chosen` is requested. NA: no step
/// has the metric. Failed trials are footnotes. The best value and values that look the same are marked if
/// the better direction of the metric is known and the statistic is not a spread.
///
/// Throws ConfigError for an unknown field, metric, statistic or value, a field named twice, and several
/// choices that would count a step more than once.
Table pivot_table(const Frame& frame, const PivotOptions& options);

}  // namespace elmx
