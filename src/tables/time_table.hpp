#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/record_rows.hpp"
#include "statistics/time_ratio.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// Case -> the algorithm that speed-ups are over, of those that the case has rows of: `told`, else that of `baselines`
/// ("" = none is said), else "existing" or "orig", else the first one; "" where there is no other to compare it with.
std::map<std::string, std::string> reference_algorithms(const std::vector<RecordRow>& rows, const std::string& told,
                                                        const std::map<std::string, std::string>& baselines = {});

/// The row of `algorithm` with the same case, dataset, point and nodes as `row`; null where there is none. Of an
/// algorithm that iterates it is the row with the most iterations: a speed-up is over its finished training. Of several
/// choices it is that of `row`, else the first.
const RecordRow* counterpart(const std::vector<RecordRow>& rows, const RecordRow& row, const std::string& algorithm);

/// The measurements of one trial: of a step that was measured in rounds one a round, else one; none where it was not
/// measured. `time` as value_of takes it.
std::vector<double> times_of(const RecordedStep& recorded, const std::string& time);

/// Whether the times of two trials may be compared: as far as is known both were measured on one machine, with the same
/// kernel of the BLAS library and as many threads. A trial that went on elsewhere is like no other.
bool measured_alike(const Record& a, const Record& b);

/// The times of both rows in each trial (repeat and fold) that both have measured alike; none where one is null. `time`
/// as value_of takes it.
std::vector<TimesOfTrial> times_of_trials(const RecordRow* a, const RecordRow* b, const std::string& time);

/// In how many trials both rows have times that were not measured alike.
std::size_t times_apart(const RecordRow* a, const RecordRow* b);

/// "2 trials left out: the two times were measured on different machines, ..."
std::string times_apart_text(std::size_t trials);

/// How many times longer the reference (its counterpart) takes than `row`, with its 95 % interval: time_ratio of the
/// trials (repeat and fold) that both have. No interval where `row` is the counterpart. `time` as value_of takes it.
Ratio speed_up(const std::vector<RecordRow>& rows, const RecordRow& row, const std::string& reference,
               const std::string& time);

/// What the times say of the machine: how many rows have outliers or a slow first trial; "" where none has.
std::string unrest(const std::vector<RecordRow>& rows);

/// Seconds of the growth step, of the whole training and, where measured, of the testing, mean +- standard deviation,
/// and, where algorithms are compared, the speed-up of the step over the reference with its 95 % interval (speed_up).
/// Remarks: speed-ups without an interval, trials that were not measured alike, and unrest.
Table time_table(const std::vector<RecordRow>& rows, const std::map<std::string, std::string>& references);

}  // namespace elmx
