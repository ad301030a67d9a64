#pragma once

#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// One sentence for each thing that a config asks for in vain: repeats that repeat, a choice by an error that
/// an algorithm does not have, a stratification that has no effect. No data are needed.
std::vector<std::string> config_warnings(const std::vector<CaseSpec>& specs);

/// The same of a plan, with what only its data and folds say: repeats of the same folds, classes that a test
/// part lacks, large inputs that nobody scales, targets far from 0 of a network without a constant term.
std::vector<std::string> plan_warnings(const Plan& plan);

}  // namespace elmx
