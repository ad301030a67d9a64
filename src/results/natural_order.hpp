#pragma once

#include <string_view>

#include "base/config/json.hpp"

namespace elmx {

/// < 0, 0 or > 0 as a comes before, is or comes after b; runs of digits compare as numbers ("alg2" before "alg10").
int compare_naturally(std::string_view a, std::string_view b);

/// Numbers by size, then texts in natural order, then all else by its text.
int compare_values(const Json& a, const Json& b);

}  // namespace elmx
