#pragma once

#include <string>
#include <vector>

#include "report/frame/quantities.hpp"
#include "report/tables/cell_statistics.hpp"
#include "report/tables/pivot.hpp"

namespace elmx {

/// A statistic of a metric, for the levels "metric", "stat" and "part".
struct Measure {
  Quantity quantity;
  const CellStatistic* statistic;
  std::string metric;         ///< the requested name
  std::string name;           ///< value in "metric"
  std::string part = {};      ///< value in "part"; "" = none
  std::size_t reference = 0;  ///< index of the reference of a speed-up

  bool is_speed_up() const;
  bool can_be_best() const { return statistic->kind == StatisticKind::level && quantity.better.has_value(); }
};

/// Returns every statistic of every metric of a pivot, speed-ups once for each reference. Throws ConfigError
/// for an unknown metric or statistic, and for options that contradict one another.
std::vector<Measure> measures_of(const PivotOptions& options, const std::vector<RecordRow>& rows);

}  // namespace elmx
