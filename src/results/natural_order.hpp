#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/json.hpp"

namespace elmx {

/// < 0, 0 or > 0 as a comes before, is or comes after b; runs of digits compare as numbers ("alg2" before
/// "alg10").
int compare_naturally(std::string_view a, std::string_view b);

/// The same, but what `first` names comes first, in that order.
int compare_listed(const std::vector<std::string>& first, const std::string& a, const std::string& b);

/// Numbers by size, then texts in natural order, then all else by its text.
int compare_values(const Json& a, const Json& b);

/// The number that `text` is from its first to its last character; none for "16lK", "NA", "inf" or "".
std::optional<double> number_in(std::string_view text);

}  // namespace elmx
