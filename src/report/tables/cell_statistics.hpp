#pragma once

#include <string>
#include <vector>

#include "report/frame/quantities.hpp"

namespace elmx {

/// The kind of a statistic: level (better values of the quantity give better values), spread or count.
enum class StatisticKind { level, spread, count };

struct CellStatistic {
  const char* name;
  const char* heading;
  StatisticKind kind;
  const char* doc;
  /// `all` summarises the non-empty `values`, or the measurements behind them (step_seconds).
  double (*of)(const Summary& all, const std::vector<double>& values, Better better);
  bool with_sd = false;  ///< the sample standard deviation is shown beside it
};

/// Returns all statistics of a cell. A new statistic is added here only.
const std::vector<CellStatistic>& cell_statistics();

/// Throws ConfigError that suggests the nearest known name.
const CellStatistic& find_cell_statistic(const std::string& name);

/// Returns the statistic of one quantity over the steps of `row`; NA if no step has it. `digits` overrides
/// the digits of the quantity. A pooled quantity is one number without a spread.
Cell statistic_cell(const CellStatistic& statistic, const Quantity& quantity, const RecordRow& row,
                    std::optional<int> digits);

}  // namespace elmx
