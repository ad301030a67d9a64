#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tables/headlines.hpp"

namespace elmx {

/// The lines that a run, `elmx table` and the page begin with: the sentences of every headline, then the
/// commands that come next. Empty where the folder has no headline.
std::vector<std::string> headline_lines(const std::vector<Headline>& headlines, const std::string& config,
                                        const std::filesystem::path& folder);

/// Prints what a run has come to: the headlines, how the methods compare, and the table of all methods.
void print_summary(const Frame& frame, const std::filesystem::path& folder);

}  // namespace elmx
