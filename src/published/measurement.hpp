#pragma once

#include <memory>
#include <optional>
#include <string>

#include "results/record_rows.hpp"
#include "statistics/estimate.hpp"

namespace elmx {

/// epochs_to_reach: the first epoch at which the mean training loss of the row (over its repeats and folds, from the
/// traces, which have means over the batches of an epoch) is at most that of the reference after its last epoch.
/// Infinite where no epoch does; none where a trial of either failed or has no trace "train_loss".
enum class MeasuredKind { mean, sd, speed_up, epochs_to_reach };

/// What the run has for a published cell: a statistic over the repeats and folds of a row of its records.
struct Measurement {
  MeasuredKind kind = MeasuredKind::mean;
  std::string quantity = {};                     ///< a metric, or the time of a speed-up
  const RecordRow* row = nullptr;                ///< null: the run does not have it
  const RecordRow* reference = nullptr;          ///< of speed-ups and of epochs to reach
  std::shared_ptr<const Measurement> over = {};  ///< the denominator, if the value is a quotient
  std::optional<double> value = {};              ///< none where the run does not have it
  arma::uword failed = 0;  ///< trials that failed there by what they computed; the value is that of the others
  arma::uword broken = 0;  ///< trials that failed there for another reason, say for want of memory
};

/// Fills in the value.
Measurement with_value(Measurement what);

/// `what` divided by `over`; of times the ratio of their trials (time_ratio).
Measurement quotient(Measurement what, const Measurement& over);

/// Returns true if the estimates are of logarithms: ratios of times, which are measured in turn.
bool is_ratio_of_times(const Measurement& what);

/// Returns in how many trials the times of such a ratio were not measured alike: it is without them. 0 of all else.
std::size_t times_apart(const Measurement& what);

/// Returns true if the value is 1 whatever was measured.
bool is_over_itself(const Measurement& what);

/// The number with what is known of its spread over repeats, the independent runs: estimate_of_runs for means, the
/// jackknife for the rest, over the repeats that all parts have. None where there is no value.
std::optional<Estimate> estimate_of(const Measurement& what);

/// Epochs to reach - limit, run by run: each with its own course and its own reference is a coin.
std::optional<Estimate> epochs_beyond(const Measurement& what, double limit);

/// a - b - threshold run by run, of times log(a / b) - threshold. None where they have no runs in common.
std::optional<Estimate> margin_between(const Measurement& a, const Measurement& b, double threshold);

/// Returns true if margin_between is of logarithms.
bool differ_by_a_ratio(const Measurement& a, const Measurement& b);

}  // namespace elmx
