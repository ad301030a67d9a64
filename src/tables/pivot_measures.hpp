#pragma once

#include <string>
#include <vector>

#include "results/quantities.hpp"
#include "tables/cell_statistics.hpp"
#include "tables/pivot.hpp"

namespace elmx {

/// A statistic of a metric, as the levels "metric", "stat" and "part" have it.
struct Measure {
  Quantity quantity;
  const CellStatistic* statistic;
  std::string metric;         ///< as it was asked for
  std::string name;           ///< in "metric"
  std::string part = {};      ///< in "part"; "" = none
  std::size_t reference = 0;  ///< the one of several that a speed-up is over

  bool is_speed_up() const;
  bool can_be_best() const { return statistic->kind == StatisticKind::level && quantity.better.has_value(); }
};

/// Every statistic of every metric of a pivot, a speed-up once for each reference. Throws ConfigError: a
/// metric or statistic that is not there, or options that contradict one another.
std::vector<Measure> measures_of(const PivotOptions& options, const std::vector<RecordRow>& rows);

}  // namespace elmx
