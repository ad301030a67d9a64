#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/config/select_options.hpp"
#include "results/record_rows.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// Of grid points, at least one, the one with the best mean of the quantity. One whose trials all have a
/// number goes first; of those that are equal but for rounding, the first.
const RecordRow& best_point(const std::vector<const RecordRow*>& points, const std::string& quantity);

/// Of several grid points the one with the best mean test_acc, or test_rmse where there is none of that, as a
/// row kBestOnTest.
RecordRow best_on_test(std::span<const RecordRow> points);

/// Case -> what its trials choose.
using Selections = std::map<std::string, SelectOptions>;

/// Where a case selects, the rows that differ in SelectOptions::over (places, sizes, parameters of a grid)
/// become one grid, followed by
///
///     best on the test part   the point whose mean over all trials is best
///     by METRIC               of each trial (repeat, fold) the step that is best by its own metric of the training
///     part; none where the metric is "none"
///
/// Of steps with the same value the one with fewer nodes is taken, then that with the larger /model/ridge,
/// then the first. Steps without the metric are never chosen; a trial that has no other counts as failed.
/// A single row stays as it is.
std::vector<RecordRow> with_selections(std::vector<RecordRow> rows, const Selections& selections);

/// What each trial has chosen: a line for each step of the rows "by METRIC", with its metrics of the test
/// part. Without rows where there are none.
Table selected_table(std::vector<RecordRow> rows);

}  // namespace elmx
