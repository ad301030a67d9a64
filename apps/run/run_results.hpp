#pragma once

#include <filesystem>
#include <vector>

#include "commands.hpp"
#include "experiment/plan/plan.hpp"
#include "report/frame/frame.hpp"

namespace elmx {

/// Prints the results of a finished run. `shown` has its records and the imported ones, `tables` the tables
/// in its files. As Markdown, prints all tables. On a terminal, prints the results with the best ones marked,
/// the times, and a line about the diagnostics (their table if something is wrong).
void print_results(const RunOutcome& outcome, const std::vector<CaseSpec>& specs, const Frame& shown,
                   const std::vector<Table>& tables, const std::filesystem::path& folder);

/// Prints a line to stderr with commands that show more of a finished run.
void name_what_is_next(const std::vector<Record>& records, const std::vector<CaseSpec>& specs,
                       const std::filesystem::path& folder);

}  // namespace elmx
