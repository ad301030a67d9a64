#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// A published table, and the folder of its run.
struct TableOfRun {
  std::string id;
  std::filesystem::path run;
};

/// How many cells of each published table are met, from the comparisons that runs have left in RUN/tables/ID.json: one
/// row a published table, in the natural order of their names, and one for each family's sum. Agreeing, disagreeing,
/// undecided and tied cells, cells without a number here and cells that are shown without a verdict. A table that was
/// not run says so. Throws DataError where a file is not a comparison.
Table paper_summary(std::vector<TableOfRun> tables);

}  // namespace elmx
