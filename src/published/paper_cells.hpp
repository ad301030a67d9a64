#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "published/paper_options.hpp"
#include "published/published.hpp"
#include "report/frame/record_rows.hpp"
#include "statistics/estimate.hpp"

namespace elmx {

/// The kind of a measured value. peak: the mean over the trials of the largest value during each trial.
/// epochs_to_reach: the first epoch at which the mean training loss of the row (over its repeats and folds,
/// from traces of the mean over the batches of an epoch) is at most the loss of the reference after its last
/// epoch. It is infinite if no epoch reaches it; none if a trial of either failed or has no trace
/// "train_loss".
enum class MeasuredKind { mean, sd, peak, speed_up, epochs_to_reach };

/// The measured value of a published cell: a statistic over the repeats and folds of a row of the records.
struct Measurement {
  MeasuredKind kind = MeasuredKind::mean;
  std::string quantity = {};                     ///< a metric, or the time of a speed-up
  const RecordRow* row = nullptr;                ///< null: the run has no such row
  const RecordRow* reference = nullptr;          ///< reference of speed-ups and of epochs_to_reach
  std::shared_ptr<const Measurement> over = {};  ///< the denominator, if the value is a quotient
  std::optional<double> value = {};              ///< none if the run does not have it
  /// trials that failed in their computation; the value leaves them out
  std::size_t failed = 0;
  std::size_t broken = 0;  ///< trials that failed for another reason, such as lack of memory
};

/// Computes the value.
Measurement with_value(Measurement what);

/// Divides `what` by `over`; for times, the result is the ratio of their trials (time_ratio).
Measurement quotient(Measurement what, const Measurement& over);

/// Returns the measurement of the peak if `what` is a mean, otherwise `what` itself.
Measurement largest_of_course(Measurement what);

/// Counts the trials in which a mean reached the limit at some time: in the trace of the training, or in an
/// intermediate step. Failed trials are not counted.
std::size_t trials_that_reach(const Measurement& what, double limit);

/// Returns true if the value is a ratio of times measured in turn; its estimates are in logarithms.
bool is_ratio_of_times(const Measurement& what);

/// Counts the trials that a ratio of times omits (not measured alike); 0 for all other values.
std::size_t times_apart(const Measurement& what);

/// Returns true if the value is 1 for any measurement.
bool is_over_itself(const Measurement& what);

/// Estimates the value and its spread over repeats, which are the independent runs: estimate_of_runs for
/// means, otherwise the jackknife over the repeats that all parts have. None if there is no value.
std::optional<Estimate> estimate_of(const Measurement& what);

/// Estimates epochs to reach - limit by a sign test, because each run has its own course and reference.
std::optional<Estimate> epochs_beyond(const Measurement& what, double limit);

/// Estimates a - b - threshold (times: log(a / b) - threshold) over common runs; none if there are none.
std::optional<Estimate> margin_between(const Measurement& a, const Measurement& b, double threshold);

/// Returns the larger of |a| and |b|, over their common runs if there are any.
double larger_of(const Measurement& a, const Measurement& b);

/// Returns true if margin_between is in logarithms.
bool differ_by_a_ratio(const Measurement& a, const Measurement& b);

/// Texts by (our algorithm, our metric), for table cells that are not numbers ("16lK").
using SymbolicCells = std::map<std::pair<std::string, std::string>, std::string>;

/// The measurement that a row of a published table asks for.
struct PaperQuestion {
  std::string experiment_case, algorithm;
  std::optional<std::size_t> nodes;       ///< none: the largest reported, or the best
  std::optional<std::size_t> iterations;  ///< none: the largest reported
  bool best_size = false;
  std::string published_metric, metric;  ///< published name in lower case, and our name
  std::string statistic;                 ///< mean or sd
  std::string reference;                 ///< baseline of a speed-up, or of epochs_to_reach
  std::map<std::string, std::string> point;
  std::string chosen;  ///< an algorithm without a grid has nothing to choose and fits, too
};

/// A published cell and its measurement.
struct PaperCell {
  const PublishedRow* row = nullptr;
  std::string table;  ///< table of the paper, if the file has several (column "table")
  PaperQuestion asked;
  PaperRule rule;
  bool scaled_down = false;  ///< the problem is smaller than in the paper
  std::string published_text, measured_text;
  std::optional<double> published;  ///< in our unit; none if the cell is not a number
  /// the published mean in our unit; none if its spread or the number of runs is unknown
  std::optional<KnownMean> known;
  Measurement measured;
  std::vector<Measurement> beside;  ///< measurements under the other conditions of PaperOptions::beside
};

/// Returns the rule that judges the row: the first one that matches; null if none does.
const PaperRule* rule_for(const PaperOptions& options, const PublishedRow& row);

/// Pools the rows that differ only in these swept places. A pooled row has "all" as the value of each place
/// and the steps of all settings as folds of its runs, so that the mean of a run is its mean over the
/// settings.
std::vector<RecordRow> rows_over_settings(const std::vector<RecordRow>& rows, const std::vector<std::string>& places);

/// Returns the cells of a published table, each with its measurement from `rows` or `symbols` and the rule
/// that judges it. Cells whose rule has a relative_to are divided by the cell that it names: published by
/// published, measured by measured. Throws ConfigError.
std::vector<PaperCell> match_cells(const PaperOptions& options, const Published& published,
                                   const std::vector<RecordRow>& rows, const SymbolicCells& symbols);

}  // namespace elmx
