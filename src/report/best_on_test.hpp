#pragma once

#include <vector>

#include "report/record_rows.hpp"

namespace elmx {

/// The rows of one algorithm in one block, sorted by nodes and iterations, then grid points before choices; the points in
/// the order given. Where there are several of them, a row kBestOnTest follows them.
std::vector<RecordRow> with_best_on_test(std::vector<RecordRow> rows);

}  // namespace elmx
