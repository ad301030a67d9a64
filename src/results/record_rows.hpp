#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "statistics/summary.hpp"

namespace elmx {

/// What comes first in tables. What is not named follows in natural order ("alg2" before "alg10").
struct RecordOrder {
  std::vector<std::string> cases;
  std::vector<std::string> algorithms;
};

/// Appends the names that `all` lacks.
void add_missing(std::vector<std::string>& all, const std::vector<std::string>& names);

/// By case, dataset, sweep point, algorithm, repeat and fold; nothing depends on the order of the records.
std::vector<const Record*> sorted_records(const std::vector<Record>& records, const RecordOrder& order);
std::vector<const Record*> sorted_records(std::vector<Record>&& records, const RecordOrder& order) = delete;

/// One repeat and fold at one network size and number of iterations.
struct RecordedStep {
  RecordedStep(const Record& of, const StepRecord& reported);

  arma::uword repeat;
  arma::uword fold;
  const StepRecord* step;  ///< points into the records
  const Record* record;    ///< the record of the step
  /// Equal for steps of one case, sweep point (but for the seed), size and algorithm without random numbers
  /// that had the same samples and have the same metrics: a repeat that drew nothing anew is no further
  /// observation. Differs from all others where the samples are not recorded.
  std::size_t observation;
};

/// RecordRow::chosen of a grid point that was chosen by its results on the test part.
inline constexpr const char* kBestOnTest = "best on the test part";
inline constexpr const char* kBestOnTestInShort = "best on test";  ///< the same in conditions

/// All repeats and folds of one (case, dataset, sweep point, nodes, algorithm, iterations, choice, grid
/// point): a row of a table.
struct RecordRow {
  std::string experiment_case;
  std::string dataset;
  std::map<std::string, Json> point;
  std::optional<arma::uword> nodes;  ///< none: every trial failed before its first report
  std::string algorithm;
  arma::uword iterations = 0;  ///< 0: the algorithm does not iterate
  std::string chosen;          ///< how the parameters were chosen; "" = they were not
  /// of all its steps; empty where each trial has chosen its own
  std::map<std::string, double> parameters = {};
  std::vector<RecordedStep> steps = {};                             ///< those that succeeded, by repeat and fold
  std::map<std::string, std::vector<const Record*>> failures = {};  ///< why -> trials that failed here
  bool one_of_grid = false;  ///< a row "best on the test part" stands for it and its like
  /// of a method of the user's own, which has no nodes and nothing swept in its model
  bool imported = false;
  /// of errors: "" = the units of the targets, else how the config scales the targets (Frame)
  std::string units = {};
  /// swept places and "nodes" that were chosen: each step has its own values
  std::vector<std::string> over = {};
  /// of how many trials these are the ones that chose what was asked for; 0: all
  arma::uword chose_this = 0;

  arma::uword failed() const;
  arma::uword failed_in_numbers() const;  ///< the trials that failed by what they computed (by_its_numbers)
  arma::uword trials() const { return steps.size() + failed(); }
};

/// The number of trials of the rows, each counted once, however many sizes or points it has.
struct TrialCounts {
  std::size_t all = 0;
  std::size_t failed = 0;  ///< in one of the rows at least
};
TrialCounts count_trials(const std::vector<const RecordRow*>& rows);

/// The row that a step of a trial belongs to, without any step.
RecordRow row_of(const Record& record, const std::optional<arma::uword>& nodes, const StepRecord& step = {});

/// Rows sorted by case, dataset (imported methods last), sweep point, nodes, algorithm and iterations; then
/// the points of the algorithm's grid in the order of its steps, then the choices among them; nothing depends
/// on the order of the records. A trial that failed counts as failed at every network size that another trial
/// of its case, dataset and point has reported and it has not, at every number of iterations, grid point and
/// choice that its algorithm reports there, or anywhere if none of its trials got there. The rows point into
/// `records`.
///
/// Several grid points are followed by a row kBestOnTest: the steps of the point with the best mean test_acc,
/// or test_rmse where there is none of that, over its trials; of equal ones the first. A point with a failed
/// trial is only chosen where every point has one.
std::vector<RecordRow> group_records(const std::vector<Record>& records, const RecordOrder& order = {});
std::vector<RecordRow> group_records(std::vector<Record>&& records, const RecordOrder& order = {}) = delete;

/// Data set -> names of its classes, in their order.
using ClassesOfSets = std::map<std::string, std::vector<std::string>>;

/// The rows without those that a row kBestOnTest stands for.
std::vector<RecordRow> without_grids(std::vector<RecordRow> rows);

/// The runs of neighbours that are the same as the first of them.
template <class T, class Same>
std::vector<std::span<T>> neighbours(std::span<T> all, const Same& same) {
  std::vector<std::span<T>> runs;
  for (std::size_t first = 0, end = 1; first < all.size(); first = end++) {
    while (end < all.size() && same(all[first], all[end])) ++end;
    runs.push_back(all.subspan(first, end - first));
  }
  return runs;
}

/// True if both are of the same case, dataset, sweep point and nodes.
bool same_block(const RecordRow& a, const RecordRow& b);

/// The steps that count as observations of a quantity: of a time all, else the first of those with equal
/// RecordedStep::observation.
std::vector<RecordedStep> observations(const std::vector<RecordedStep>& steps, const std::string& quantity);

/// A sentence that says how many results are observations of their own; "" where all are.
std::string repeated_text(std::span<const RecordRow> rows);

/// One quantity over the observations of a row: a metric by its name in the records, "step_seconds" (all
/// measurements pooled), "total_seconds", "test_seconds" or "feature_seconds". n = 0 where no step has it.
Summary summary_of(const RecordRow& row, const std::string& quantity);

/// One quantity of one step, "step_seconds" as the mean of its measurements, "feature_seconds" as its record
/// has it; none where the step lacks it.
std::optional<double> value_of(const RecordedStep& recorded, const std::string& quantity);

}  // namespace elmx
