#pragma once

#include <string>
#include <vector>

#include "results/record_rows.hpp"
#include "table_formats/table.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {

/// What the times say of the machine: how many rows have outliers or a slow first trial; "" where none has.
std::string unrest(const std::vector<RecordRow>& rows);

/// Seconds of the growth step, of the whole training and, where measured, of the testing, mean +- standard
/// deviation, and, where algorithms are compared, the speed-ups of the step and of the whole training over
/// the reference with their 95 % intervals (SpeedUps). Remarks: speed-ups without an interval, trials that
/// were not measured alike, and unrest. `all`: the rows of the run; points of grids are no rows of the table.
Table time_table(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups);

}  // namespace elmx
