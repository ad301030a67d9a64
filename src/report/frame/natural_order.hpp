#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/json.hpp"

namespace elmx {

/// Returns < 0, 0 or > 0 if a comes before, equals or comes after b. Runs of digits compare as numbers
/// ("alg2" before "alg10").
int compare_naturally(std::string_view a, std::string_view b);

/// Does the same, but the names in `first` come first, in that order.
int compare_listed(const std::vector<std::string>& first, const std::string& a, const std::string& b);

/// Compares numbers by size, then texts in natural order, then all other values by their text.
int compare_values(const Json& a, const Json& b);

/// Returns the number if the whole `text` is one; none for "16lK", "NA", "inf" or "".
std::optional<double> number_in(std::string_view text);

}  // namespace elmx
