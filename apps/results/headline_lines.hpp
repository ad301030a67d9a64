#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/tables/headlines.hpp"

namespace elmx {

/// Returns the first lines of the output of a run, `elmx table` and the report page: the sentences of every
/// headline, then the suggested next commands. Empty if the folder has no headline.
std::vector<std::string> headline_lines(const std::vector<Headline>& headlines, const std::string& config,
                                        const std::filesystem::path& folder);

/// Prints the summary of a run: the headlines, the comparison of the methods, and the table of all methods.
void print_summary(const Frame& frame, const std::filesystem::path& folder);

}  // namespace elmx
