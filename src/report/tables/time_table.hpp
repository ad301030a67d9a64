#pragma once

#include <string>
#include <vector>

#include "report/formats/table.hpp"
#include "report/frame/record_rows.hpp"
#include "report/tables/speed_ups.hpp"

namespace elmx {

/// Describes noise in the times: the number of rows that have outliers or a slow first trial; "" if none has.
std::string timing_noise(const std::vector<RecordRow>& rows);

/// Returns the seconds of the growth step, of the whole training and, if measured, of the test,
/// mean +- standard deviation. If algorithms are compared, it also has the speed-ups of the step and of the
/// whole training over the reference with their 95 % intervals (SpeedUps). Remarks name speed-ups without an
/// interval, trials that were not measured alike, and timing noise. `all`: the rows of the run; points of
/// grids are not rows of the table.
Table time_table(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups);

}  // namespace elmx
