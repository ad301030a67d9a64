#pragma once

#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"

namespace elmx {

/// Who plans for longer has mistyped a number; and what a run says at its start that it will take.
inline constexpr double kMostSeconds = 100 * 365.25 * 86400, kLongSeconds = 86400;

/// Loading (as long as it took), arithmetic and memory at the rates of this machine, and what each trial
/// costs beside.
double planned_seconds(const Plan& plan);

/// Arithmetic, memory and what each trial costs beside, at the rates of an ordinary machine of two cores: the
/// same on every machine.
double ordinary_seconds(const Cost& cost, std::size_t trials);

/// One trial of a case at the rates of an ordinary machine: the weights of the trials in the work of a run.
double trial_seconds(const PlannedCase& planned);

/// What the models that a finished run leaves take, at the same rates: those of the folds, trained again,
/// and, case by case, all points on all rows.
struct FinalSeconds {
  double folds = 0, all_rows = 0;
};
FinalSeconds final_seconds(const Plan& plan);
double all_rows_seconds(const PlannedCase& planned);

/// planned_seconds without data, at rates that no machine has: a bound from below. Of files, and of what a
/// family cannot know without its data, nothing is counted.
double least_seconds(const std::vector<CaseSpec>& specs);

/// The same by what the catalogue says of the data, at the rates of an ordinary machine of two cores: for a
/// list, which reads no data and measures nothing. Within a few times of what `elmx plan` says.
double likely_seconds(const std::vector<CaseSpec>& specs);

/// Throws ConfigError where the work can only be a mistake: kMostSeconds.
void refuse_beyond_time(double seconds);

/// "12 s", "3 min 5 s", "2 h 10 min", "12 days", "3.2e+05 years".
std::string show_seconds(double seconds);

}  // namespace elmx
