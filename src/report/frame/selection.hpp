#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiment/config/options.hpp"
#include "report/formats/table.hpp"
#include "report/frame/record_rows.hpp"

namespace elmx {

/// Returns the point with the best mean test_acc (test_bac if `balanced`), or test_rmse if there is no
/// test_acc, as a row kBestOnTest. Points at which all trials have a number are preferred; of points that are
/// equal up to rounding, the first. Requires at least one point.
RecordRow best_on_test(std::span<const RecordRow> points, bool balanced = false);

/// The selection options of each case.
using Selections = std::map<std::string, SelectOptions>;

/// Returns the options of the case of a row, by default without a choice.
const SelectOptions& select_of(const Selections& selections, const RecordRow& row);

/// For each case with a selection, makes one grid of the rows that differ in SelectOptions::over (places,
/// sizes, parameters of a grid), followed by
///
///     best on the test part   the point whose mean over all trials is best; of balanced accuracy for loo_bac
///     by METRIC               in each trial (repeat, fold) the step that is best by its own metric of the
///                             training part; none if the metric is "none"
///
/// Among steps with the same value, the one with fewer nodes is taken, then the one with the larger
/// /model/ridge, then the first. Steps without the metric are never chosen; a trial that has only such steps
/// counts as failed. A single row stays as it is.
std::vector<RecordRow> with_selections(std::vector<RecordRow> rows, const Selections& selections);

/// Removes the `worse` rows of methods (case, data set, algorithm) whose trials have chosen for themselves.
void prefer_choices_of_trials(std::vector<RecordRow>& rows, const std::function<bool(const RecordRow&)>& worse);

/// Returns a table of the chosen steps: a line for each step of the rows "by METRIC", with its metrics of the
/// test part. The table has no lines if no row chose.
Table selected_table(std::vector<RecordRow> rows);

/// A step chosen within a trial, and the metric by which it was chosen.
struct Choice {
  RecordedStep taken;
  std::string by;
  double value;  ///< of that metric; NaN if the step was the only candidate and lacks it
};

/// Returns the steps chosen by the trials of the cases in `select`. rows: result of with_selections.
std::vector<Choice> choices_of(const std::vector<RecordRow>& rows, const Selections& select);

/// Returns true if choice a precedes choice b, over cases, algorithms and points: the better value wins, of
/// equal values the one with fewer nodes. Choices by different metrics are not comparable, so the first one
/// stays.
bool is_better(const Choice& a, const Choice& b);

/// Returns the best choice of each repeat and fold over all methods: the model that the rule would have
/// saved, given the training part of that fold only. Sorted by repeat and fold.
std::vector<Choice> nested_choices(const std::vector<Choice>& choices);

}  // namespace elmx
