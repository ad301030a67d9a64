#pragma once

#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// The planned time above which a number must be mistyped, and the time above which a run warns at its start.
inline constexpr double kMostSeconds = 100 * 365.25 * 86400, kLongSeconds = 86400;

/// Estimates the time of a plan: loading (as measured), arithmetic and memory traffic at the rates of this
/// machine, and the overhead of each trial.
double planned_seconds(const Plan& plan);

/// Estimates the time of work and the overhead of trials at the fixed rates of an ordinary machine with two
/// cores. The result does not depend on this machine.
double ordinary_seconds(const Work& work, std::size_t trials = 0);

/// Estimates one trial of a case at the rates of an ordinary machine: the weight of the trial in the work of
/// a run.
double trial_seconds(const PlannedCase& planned);

/// Estimates the time from the catalogue's facts about the data, at the rates of an ordinary machine, without
/// reading data or measuring anything. Files, and costs that a family cannot know without its data, count as
/// nearly nothing.
double likely_seconds(const std::vector<CaseSpec>& specs);

/// Throws ConfigError if the planned time exceeds kMostSeconds and can only be a mistake.
void refuse_beyond_time(double seconds);

/// Formats a duration: "12 s", "3 min 5 s", "2 h 10 min", "12 days", "3.2e+05 years".
std::string show_seconds(double seconds);

}  // namespace elmx
