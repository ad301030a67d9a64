#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "published/paper_options.hpp"
#include "published/published.hpp"
#include "results/record_rows.hpp"
#include "statistics/estimate.hpp"

namespace elmx {

/// peak: the mean over the trials of the largest value in the course of each.
/// epochs_to_reach: the first epoch at which the mean training loss of the row (over its repeats and folds,
/// from the traces, which have means over the batches of an epoch) is at most that of the reference after its
/// last epoch. Infinite where no epoch does; none where a trial of either failed or has no trace
/// "train_loss".
enum class MeasuredKind { mean, sd, peak, speed_up, epochs_to_reach };

/// What the run has for a published cell: a statistic over the repeats and folds of a row of its records.
struct Measurement {
  MeasuredKind kind = MeasuredKind::mean;
  std::string quantity = {};                     ///< a metric, or the time of a speed-up
  const RecordRow* row = nullptr;                ///< null: the run does not have it
  const RecordRow* reference = nullptr;          ///< of speed-ups and of epochs to reach
  std::shared_ptr<const Measurement> over = {};  ///< the denominator, if the value is a quotient
  std::optional<double> value = {};              ///< none where the run does not have it
  /// trials that failed there by what they computed; the value leaves them out
  arma::uword failed = 0;
  arma::uword broken = 0;  ///< trials that failed there for another reason, say for want of memory
};

/// Fills in the value.
Measurement with_value(Measurement what);

/// `what` divided by `over`; of times the ratio of their trials (time_ratio).
Measurement quotient(Measurement what, const Measurement& over);

/// Returns the measurement of the peak if `what` is a mean, else `what` itself.
Measurement largest_of_course(Measurement what);

/// Returns in how many trials a mean was at least the limit at some time: in the trace of the training, or in
/// a step that was reported on the way. Those that failed are not counted.
std::size_t trials_that_reach(const Measurement& what, double limit);

/// Returns true if the estimates are of logarithms: ratios of times, which are measured in turn.
bool is_ratio_of_times(const Measurement& what);

/// Returns in how many trials the times of such a ratio were not measured alike: it is without them. 0 of all
/// else.
std::size_t times_apart(const Measurement& what);

/// Returns true if the value is 1 whatever was measured.
bool is_over_itself(const Measurement& what);

/// The number with what is known of its spread over repeats, the independent runs: estimate_of_runs for
/// means, the jackknife for the rest, over the repeats that all parts have. None where there is no value.
std::optional<Estimate> estimate_of(const Measurement& what);

/// Epochs to reach - limit, run by run: each with its own course and its own reference is a coin.
std::optional<Estimate> epochs_beyond(const Measurement& what, double limit);

/// a - b - threshold run by run, of times log(a / b) - threshold. None where they have no runs in common.
std::optional<Estimate> margin_between(const Measurement& a, const Measurement& b, double threshold);

/// The larger of the absolute values of a and b, over the runs that both have if there are such.
double larger_of(const Measurement& a, const Measurement& b);

/// Returns true if margin_between is of logarithms.
bool differ_by_a_ratio(const Measurement& a, const Measurement& b);

/// (our algorithm, our metric) -> text, for the cells of tables that are not numbers ("16lK").
using SymbolicCells = std::map<std::pair<std::string, std::string>, std::string>;

/// The question that a row of a published table puts to the run.
struct PaperQuestion {
  std::string experiment_case, algorithm;
  std::optional<arma::uword> nodes;       ///< none: the largest reported, or the best
  std::optional<arma::uword> iterations;  ///< none: the most reported
  bool best_size = false;
  std::string published_metric, metric;  ///< in lower case, and ours
  std::string statistic;                 ///< mean or sd
  std::string reference;                 ///< algorithm that a speed-up is over, or that is to be reached
  std::map<std::string, std::string> point;
  std::string chosen;  ///< an algorithm without a grid has nothing to choose and fits too
};

/// A published cell and what was measured for it.
struct PaperCell {
  const PublishedRow* row = nullptr;
  std::string table;  ///< of the paper, where the file holds several (column "table")
  PaperQuestion asked;
  PaperRule rule;
  bool scaled_down = false;  ///< the problem is smaller than in the paper
  std::string published_text, measured_text;
  std::optional<double> published;  ///< in our unit; none where the cell is not a number
  /// of one published run, in our unit; none where it or their number is unknown
  std::optional<double> published_sd;
  arma::uword published_runs = 0;  ///< behind a published mean; 0: unknown
  bool published_folds = false;    ///< these runs are folds
  Measurement measured;
  std::vector<Measurement> beside;  ///< measured under the other conditions of PaperOptions::beside
};

/// The rule that judges the row: the first that matches; null where none does.
const PaperRule* rule_for(const PaperOptions& options, const PublishedRow& row);

/// Pools the rows that differ in these swept places only. A pooled row has "all" as the value of each place
/// and the steps of all settings as folds of its runs, so that the mean of a run is its mean over the
/// settings.
std::vector<RecordRow> rows_over_settings(const std::vector<RecordRow>& rows, const std::vector<std::string>& places);

/// The cells of a published table, each with what `rows` or `symbols` have for it and the rule that judges
/// it. `grids`: the points of grids, which kBestInItsMetric chooses among. Cells whose rule has a relative_to
/// are divided by the cell that it names: published by published, measured by measured. Throws ConfigError.
std::vector<PaperCell> match_cells(const PaperOptions& options, const Published& published,
                                   const std::vector<RecordRow>& rows, const std::vector<RecordRow>& grids,
                                   const SymbolicCells& symbols);

}  // namespace elmx
