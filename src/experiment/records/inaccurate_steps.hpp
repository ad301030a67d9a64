#pragma once

#include <cstddef>
#include <vector>

#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// Steps of algorithms that solve a ridge problem whose backward error is above the square root of the working
/// precision, or not known: half the digits are lost. A step that failed is one of them.
std::size_t count_inaccurate_steps(const std::vector<Record>& records, const Plan& plan);

}  // namespace elmx
