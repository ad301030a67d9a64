#pragma once

#include <vector>

#include "published/paper.hpp"
#include "published/paper_rules.hpp"
#include "results/record_rows.hpp"

namespace elmx {

/// The cells of a published table, each with what `rows` or `symbols` have for it and the rule that judges it. `grids`:
/// the points of grids, which kBestInItsMetric chooses among.
std::vector<PaperCell> match_cells(const PaperOptions& options, const Published& published,
                                   const std::vector<RecordRow>& rows, const std::vector<RecordRow>& grids,
                                   const SymbolicCells& symbols);

}  // namespace elmx
