#pragma once

#include <vector>

#include "published/verdicts.hpp"
#include "report/formats/table.hpp"

namespace elmx {

/// Returns the claims of a table in the order of the config: for each sentence the numbers of its facts that
/// hold, are open and fail, and that hold in the published table. `judgements`: the judgements of the cells
/// by their own rules. Orders of pairs of cells are tested as in judge_orders, all claims on one table of the
/// paper together. Throws ConfigError if "than" names no cell or several cells.
Table judge_claims(const PaperOptions& options, const std::vector<PaperCell>& cells,
                   const std::vector<Judgement>& judgements, const std::string& name);

}  // namespace elmx
