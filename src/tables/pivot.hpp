#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/frame.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// The numbers among which --best-by marks the best: one row, or one column on one data
/// set.
enum class BestBy { row, column };

/// The fields and statistics of a pivot.
///
/// Beside the fields of the records, rows and columns can have "metric" and "stat", for several metrics and
/// statistics, and "part" (test, train, unlabelled), which leaves "metric" the name of the metric without
/// it. Where several metrics or statistics are in neither, they are the innermost levels of columns.
struct PivotOptions {
  std::vector<std::string> rows;     ///< fields whose values head the rows
  std::vector<std::string> columns;  ///< fields whose values head the columns, outermost first
  std::vector<std::string> metrics;
  std::vector<std::string> statistics = {"mean_sd"};
  Predicate only = {};  ///< metrics that the cells alone show that one of the values heads, such as "alg2"
  /// algorithms that speed-ups are over; none: the baseline of the config
  std::vector<std::string> references = {};
  std::vector<std::string> percent = {};  ///< metrics that are shown in percent
  std::optional<int> digits;              ///< in place of the digits of each metric
  std::optional<BestBy> best;
  Predicate where = {};  ///< the trials that are shown
};

/// A statistic of metrics over all steps of the records that share the values of the fields: one row and one
/// column for each combination of values that occurs, in natural order (algorithms and cases as the run
/// orders them). Over what else the steps of a cell differ stands in a remark. Of a grid every point counts,
/// and choices among the points, which are copies of their steps, only where `chosen` is asked for. NA: no
/// step has the metric; failed trials are footnotes. The best, ties as shown included, is marked where the
/// metric says which is better and the statistic is no spread.
///
/// Throws ConfigError: a field, metric, statistic or value that is not there; a field named twice; several
/// choices that would count a step more than once.
Table pivot_table(const Frame& frame, const PivotOptions& options);

}  // namespace elmx
