#pragma once

#include <vector>

#include "published/paper_rules.hpp"

namespace elmx {

/// The cells whose rule has a relative_to, divided by what that names: published by published, measured by measured.
/// Throws ConfigError where it does not name exactly one cell of the same metric and statistic.
std::vector<PaperCell> relative_cells(std::vector<PaperCell> cells);

}  // namespace elmx
