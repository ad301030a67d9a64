#pragma once

#include <filesystem>
#include <vector>

#include "commands.hpp"
#include "experiment/plan/plan.hpp"
#include "results/frame.hpp"

namespace elmx {

/// Prints what a finished run has found. `shown` are its records and those that were imported into the
/// folder, `tables` the ones in its files. As Markdown these are all tables, one after the other. A person
/// gets the results with the best of them, the times, and a line about the diagnostics (their table where
/// something is wrong).
void print_results(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const Frame& shown,
                   const std::vector<Table>& tables, const std::filesystem::path& folder);

/// A line on stderr for a person: commands that show more of a finished run.
void name_what_is_next(const std::vector<Record>& records, const std::vector<CaseSpec>& specs,
                       const std::filesystem::path& folder);

}  // namespace elmx
