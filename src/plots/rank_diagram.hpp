#pragma once

#include <string>

#include "tables/methods_of_rows.hpp"

namespace elmx {

/// The critical-difference diagram of Demsar as SVG: mean ranks on a line, a bar over methods that are not told apart.
std::string rank_diagram(const MethodRanks& found);

}  // namespace elmx
