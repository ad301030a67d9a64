#pragma once

#include <string>
#include <vector>

#include "plots/plot.hpp"
#include "results/record_rows.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {

/// Speed-ups in a time ("step_seconds", "total_seconds", "test_seconds") over the reference of the case
/// (reference_algorithms), with their 95 % intervals: for each case, data set and sweep point a chart of the algorithms
/// at each number of nodes. Charts without a speed-up are left out.
std::vector<BarChart> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
                                     const std::string& time);

}  // namespace elmx
