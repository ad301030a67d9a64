#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/table/infer.hpp"

namespace elmx {

/// Decides which decimal mark the numbers of each column have, where the config does not say it. Most columns
/// show it: "1.5" has a point and "1,5" a comma. "1,234" shows nothing, and is decided
///
///     1. by the other columns of the file, if all that show a mark show the same,
///     2. by the column that a model or the first file of the set has, if its spelling reads all numbers.
///
/// "1.234" alone has a point. Gives the columns their profiles in that spelling, and the report the marks for
/// the next reading. Returns the columns that remain undecided, by number, each with what to do.
std::vector<std::pair<std::size_t, std::string>> decide_decimal_marks(TextTable& table, const TableOptions& options,
                                                                      std::vector<ColumnProfile>& profiles);

}  // namespace elmx
