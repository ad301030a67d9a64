#pragma once

#include <vector>

#include "published/verdicts.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// The claims of a table in the order of the config: for each sentence how many of its facts hold, are open and
/// fail, and for how many it holds in the published table. `judgements` are those of the cells by their own
/// rules. Orders of pairs of cells are tested as in judge_orders, those of all claims of a table of the paper
/// together. Throws ConfigError where "than" names no cell or several.
Table judge_claims(const PaperOptions& options, const std::vector<PaperCell>& cells,
                   const std::vector<Judgement>& judgements, const std::string& name);

}  // namespace elmx
