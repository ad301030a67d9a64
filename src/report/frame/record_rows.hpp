#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "statistics/summary.hpp"

namespace elmx {

/// The names that come first in tables. All other names follow in natural order ("alg2" before "alg10").
struct RecordOrder {
  std::vector<std::string> cases;
  std::vector<std::string> algorithms;
};

/// Appends the names of `names` that `all` lacks.
void add_missing(std::vector<std::string>& all, const std::vector<std::string>& names);

/// The result of one trial in one row: a step or a failure. All members are null for a row as such.
struct RecordTrial {
  const Record* record = nullptr;
  const StepRecord* step = nullptr;  ///< null: the trial failed
  TrialStatus status = {};
};

/// One repeat and fold at one network size and number of iterations.
struct RecordedStep {
  RecordedStep(const Record& of, const StepRecord& reported);
  operator RecordTrial() const { return {record, step}; }

  std::size_t repeat;
  std::size_t fold;
  const StepRecord* step;  ///< points into the records
  const Record* record;    ///< the record of the step
  /// Equal for repeated results: steps of one case, sweep point (except the seed), size and algorithm without
  /// random numbers that have the same samples and the same metrics. Unique if the samples are not recorded.
  std::size_t observation;
};

/// The value of RecordRow::chosen for a grid point that was chosen by its results on the test part.
inline constexpr const char* kBestOnTest = "best on the test part";
inline constexpr const char* kBestOnTestInShort = "best on test";  ///< its short form in conditions

/// A row of a table: all repeats and folds of one (case, dataset, sweep point, nodes, algorithm, iterations,
/// choice, grid point).
struct RecordRow {
  std::string experiment_case;
  std::string dataset;
  std::map<std::string, Json> point;
  std::optional<std::size_t> nodes;  ///< none: every trial failed before its first report
  std::string algorithm;
  std::size_t iterations = 0;  ///< 0: the algorithm does not iterate
  std::string chosen;          ///< how the parameters were chosen; "" = they were not chosen
  /// parameters of all steps; empty if each trial chose its own
  std::map<std::string, double> parameters = {};
  std::vector<RecordedStep> steps = {};    ///< successful steps, by repeat and fold
  std::vector<RecordTrial> failures = {};  ///< trials that failed here
  bool one_of_grid = false;                ///< true if a row kBestOnTest summarises this row and others
  /// true for predictions made outside elmx, which have no nodes and nothing swept in their model
  bool imported = false;
  /// units of errors: "" = the units of the targets, otherwise the scaling of the targets (Frame)
  std::string units = {};
  /// swept places and "nodes" that were chosen: each step has its own values
  std::vector<std::string> over = {};
  /// number of trials before a predicate on chosen values removed some; 0: no such predicate
  std::size_t chose_this = 0;

  std::size_t failed() const { return failures.size(); }
  std::size_t trials() const { return steps.size() + failed(); }
};

/// Returns all trials of a row: first the successful ones, then the failed ones.
std::vector<RecordTrial> trials_of(const RecordRow& row);

/// Counts of the trials of some rows. A trial counts once, whatever the number of its sizes or points.
struct TrialCounts {
  std::size_t all = 0;
  std::size_t failed = 0;  ///< trials that failed in at least one row
};
TrialCounts count_trials(const std::vector<const RecordRow*>& rows);

/// Returns the row to which a step of a trial belongs, without any step.
RecordRow row_of(const Record& record, const std::optional<std::size_t>& nodes, const StepRecord& step = {});

/// Groups records into rows, sorted by case, dataset (imported methods last), sweep point, nodes, algorithm
/// and iterations; then the points of the algorithm's grid in the order of its steps, then the choices among
/// them. The rows do not depend on the order of the records and point into `records`. A failed trial counts
/// as failed at each network size that another trial of its case, dataset and point has reported and it has
/// not: at all iterations, grid points and choices that its algorithm reports there, or anywhere if none of
/// its trials reached that size.
///
/// Several grid points are followed by a row kBestOnTest: the steps of the point with the best mean test_acc
/// over its trials, or test_rmse if there is no test_acc; of equal points the first. A point with a failed
/// trial is only chosen if every point has one.
std::vector<RecordRow> group_records(const std::vector<Record>& records, const RecordOrder& order = {});
std::vector<RecordRow> group_records(std::vector<Record>&& records, const RecordOrder& order = {}) = delete;

/// The names of the classes of each data set, in their order.
using ClassesOfSets = std::map<std::string, std::vector<std::string>>;

/// Returns the names of n classes of a data set; classes without a name have their numbers.
std::vector<std::string> names_of_classes(const ClassesOfSets& classes, const std::string& dataset, std::size_t n);

/// Returns the rows except for points that a row kBestOnTest summarises.
std::vector<RecordRow> without_grids(std::vector<RecordRow> rows);

/// Splits a sequence into runs of neighbours that are the `same` as the first element of the run.
template <class T, class Same>
std::vector<std::span<T>> neighbours(std::span<T> all, const Same& same) {
  std::vector<std::span<T>> runs;
  for (std::size_t first = 0, end = 1; first < all.size(); first = end++) {
    while (end < all.size() && same(all[first], all[end])) ++end;
    runs.push_back(all.subspan(first, end - first));
  }
  return runs;
}

/// Returns the steps that count as observations of a quantity: all steps for a time, otherwise the first of
/// the steps with equal RecordedStep::observation.
std::vector<RecordedStep> observations(const std::vector<RecordedStep>& steps, const std::string& quantity);

/// Returns a sentence with the number of distinct results; "" if all results are distinct.
std::string repeated_text(std::span<const RecordRow> rows);

/// Summarises one quantity over the observations of a row: a metric by its name in the records,
/// "step_seconds" (all measurements pooled), "total_seconds", "test_seconds" or "feature_seconds". n = 0 if
/// no step has it.
Summary summary_of(const RecordRow& row, const std::string& quantity);

/// Returns true if the metric is an average over the classes of a part that lacks some of them.
bool leaves_out_classes(const StepRecord& step, const std::string& metric);

/// Returns one quantity of one step: "step_seconds" as the mean of its measurements, "feature_seconds" from
/// its record; none if the step lacks it, or if it leaves out classes.
std::optional<double> value_of(const RecordedStep& recorded, const std::string& quantity);

}  // namespace elmx
