#pragma once

#include <string>
#include <vector>

#include "report/frame/quantities.hpp"
#include "report/tables/tables.hpp"

namespace elmx {

/// The kind of a statistic: level (better values of the quantity give better values), spread or count.
enum class StatisticKind { level, spread, count };

/// A statistic of a quantity over the trials of a cell.
struct CellStatistic {
  std::string name;
  StatisticKind kind;
  /// `all` summarises the non-empty `values`, or the measurements behind them (step_seconds). Null for a
  /// count.
  double (*of)(const Summary& all, const std::vector<double>& values, Better better);

  bool with_sd() const { return name == "mean_sd"; }  ///< the sample standard deviation is shown beside it
  std::string heading() const { return with_sd() ? "mean ± sd" : name; }
};

/// Throws ConfigError that suggests the nearest known name.
const CellStatistic& find_cell_statistic(const std::string& name);

/// Returns the statistic of one quantity over the steps of `row`; NA if no step has it. `digits` overrides
/// the digits of the quantity. A pooled quantity is one number without a spread.
Cell statistic_cell(const CellStatistic& statistic, const Quantity& quantity, const RecordRow& row,
                    std::optional<int> digits = {});

/// A statistic of a metric, for the levels "metric", "stat" and "part".
struct Measure {
  Quantity quantity;
  const CellStatistic* statistic;
  std::string metric;         ///< the requested name
  std::string name;           ///< value in "metric"
  std::string part = {};      ///< value in "part"; "" = none
  std::size_t reference = 0;  ///< index of the reference of a speed-up

  bool can_be_best() const { return statistic->kind == StatisticKind::level && quantity.better.has_value(); }
};

/// Returns the options with the full names of metrics, "test_rmse" for "RMSE". Throws ConfigError for an
/// unknown metric.
PivotOptions with_full_names(PivotOptions options, const std::vector<RecordRow>& rows);

/// Returns every statistic of every metric of a pivot, speed-ups once for each reference. Throws ConfigError
/// for an unknown metric or statistic, and for options that contradict one another.
std::vector<Measure> measures_of(const PivotOptions& options, const std::vector<RecordRow>& rows);

}  // namespace elmx
