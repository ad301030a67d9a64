#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "experiment/records/record.hpp"

namespace elmx {

/// The rank of a step in the choice of a trial: larger is better.
using StepMerit = std::tuple<double, double, double>;

/// By the value of a metric, of equal ones by fewer nodes, then by the larger /model/ridge. None where the
/// step lacks the metric.
std::optional<StepMerit> merit_of(const Record& record, const StepRecord& step, const std::string& metric);

}  // namespace elmx
