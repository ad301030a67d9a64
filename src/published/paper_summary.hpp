#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// How many cells of each published table are met, from the comparisons (ID.json) that runs have left in
/// FOLDER/*/tables: one row a published table, in the order of `ids`, and one for each family's sum. Agreeing,
/// disagreeing, undecided and tied cells, cells without a number here and cells that are shown without a verdict. A table that was not run says so. Throws DataError where a file is not a comparison.
Table paper_summary(const std::filesystem::path& folder, const std::vector<std::string>& ids);

}  // namespace elmx
