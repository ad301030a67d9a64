#pragma once

#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// Returns one sentence for each option of a config without effect: identical repeats, a choice by an error
/// that an algorithm does not have, a stratification without effect. Needs no data.
std::vector<std::string> config_warnings(const std::vector<CaseSpec>& specs);

/// Returns these warnings for a plan, and warnings about its data and folds: repeats with the same folds,
/// classes that a test part lacks, large unscaled inputs, targets far from 0 for a network without a constant
/// term.
std::vector<std::string> plan_warnings(const Plan& plan);

}  // namespace elmx
