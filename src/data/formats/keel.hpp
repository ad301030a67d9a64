#pragma once

#include "data/content/content.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// KEEL .dat: the header of ARFF with @inputs and @outputs. The outputs are the target where the options name none; a
/// column that is neither input nor output is dropped. Throws DataError.
RawTable read_keel(const Content& content, const TableOptions& options);

}  // namespace elmx
