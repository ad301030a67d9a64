#pragma once

#include <string>
#include <vector>

#include "results/record_rows.hpp"

namespace elmx {

/// Of grid points, at least one, the one with the best mean of the quantity. One whose trials all have a number goes
/// first; of those that are equal but for rounding, the first.
const RecordRow& best_point(const std::vector<const RecordRow*>& points, const std::string& quantity);

/// Of several grid points [first, last) the one with the best mean test_acc, or test_rmse where there is none of that,
/// as a row kBestOnTest.
RecordRow best_on_test(std::vector<RecordRow>::const_iterator first, std::vector<RecordRow>::const_iterator last);

/// The rows of one algorithm in one block, sorted by nodes and iterations, then grid points before choices; the points
/// in the order given. Where there are several of them, a row kBestOnTest follows them.
std::vector<RecordRow> with_best_on_test(std::vector<RecordRow> rows);

}  // namespace elmx
