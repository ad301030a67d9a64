#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "experiment/records/record.hpp"

namespace elmx {

/// The rank of a step in the choice of a trial: larger is better.
using StepMerit = std::tuple<double, double, double>;

/// Ranks a step by the value of a metric, then by fewer nodes, then by the larger /model/ridge. Returns none
/// if the step lacks the metric.
std::optional<StepMerit> merit_of(const Record& record, const StepRecord& step, const std::string& metric);

}  // namespace elmx
