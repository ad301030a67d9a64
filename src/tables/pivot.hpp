#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/frame.hpp"
#include "table_formats/table.hpp"

namespace elmx {

struct PivotOptions {
  std::vector<std::string> rows;     ///< fields whose values head the rows
  std::vector<std::string> columns;  ///< fields whose values head the columns
  std::vector<std::string> metrics;  ///< quantities; several are a further level of columns
  std::vector<std::string> statistics = {"mean_sd"};
  std::optional<int> digits;   ///< in place of those of each metric
  bool best = false;           ///< marks the best of each row
  Predicate where = {};        ///< the trials that are shown
  std::string reference = {};  ///< the algorithm that speed-ups are over; "" = that of the config
};

/// A statistic of metrics over all steps of the records that share the values of the fields: one row and one
/// column for each combination of values that occurs, in natural order (algorithms and cases as the run orders
/// them). Over what else the steps of a cell differ stands in a remark. Of a grid every point counts, and
/// choices among the points, which are copies of their steps, only where `chosen` is asked for. NA: no step
/// has the metric; failed trials are footnotes. The best of a row, ties as shown included, is marked where
/// the metric says which is better and the statistic is no spread.
///
/// Throws ConfigError: a field, metric, statistic or value that is not there; a field named twice; several
/// choices that would count a step more than once.
Table pivot_table(const Frame& frame, const PivotOptions& options);

}  // namespace elmx
