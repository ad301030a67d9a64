#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/formats/table.hpp"
#include "report/frame/quantities.hpp"
#include "report/tables/matched_rows.hpp"
#include "statistics/time_ratio.hpp"

namespace elmx {

/// Returns for each case the algorithm that speed-ups are over, among those in the rows: `chosen`, or the one
/// in `baselines` ("" = none is named), or "existing" or "orig", or the first; "" if there is no other
/// algorithm.
std::map<std::string, std::string> reference_algorithms(const std::vector<RecordRow>& rows, const std::string& chosen,
                                                        const std::map<std::string, std::string>& baselines = {});

/// Returns the measurements of one trial: one per round if a step was measured in rounds, otherwise one; none
/// if it was not measured. `time`: see value_of.
std::vector<double> times_of(const RecordedStep& recorded, const std::string& time);

/// Returns the times of pairs of steps that were measured alike. `time`: see value_of.
std::vector<TimesOfTrial> times_of_trials(const MatchedSteps& pairs, const std::string& time);

/// Returns the number of pairs of steps whose times were not measured alike.
std::size_t times_apart(const MatchedSteps& pairs);

/// Returns "2 trials left out: the two times were measured on different machines, ..."
std::string times_apart_text(std::size_t trials);

/// Returns the same text as a remark on speed-ups; "" if no trial is left out.
std::string times_apart_remark(std::size_t trials);

/// A speed-up, or the reason why there is none.
struct SpeedUp {
  Ratio ratio = {};          ///< NaN if there is none
  std::string missing = {};  ///< a sentence for a footnote; "" = none
  MatchedSteps pairs = {};   ///< steps of the reference and of the row
};

/// The speed-ups of the rows of a run over the reference of each case. A speed-up divides times of the same
/// network: the trials of one repeat and fold of the row and of its counterpart. If each trial of a row chose
/// its own network (size, ridge parameter, ...), the partner is the trial of the reference that trained the
/// same network, even if the reference would have chosen another.
class SpeedUps {
 public:
  /// all: the rows of the run, including points of grids and rows that are not shown. They must outlive the
  /// object. references: case -> algorithm, "" = none.
  SpeedUps(const std::vector<RecordRow>& all, std::map<std::string, std::string> references);

  const std::map<std::string, std::string>& references() const { return references_; }

  /// Returns the row of `algorithm` with the same case, dataset, point and nodes as `row`; null if there is
  /// none. For an algorithm that iterates, this is the row with the most iterations, because a speed-up is
  /// over its finished training. Of several choices it is the choice of `row`, or else the first.
  const RecordRow* counterpart(const RecordRow& row, const std::string& algorithm) const;

  /// Returns the ratio of the reference's time to the time of `row` for the same work, with its 95 %
  /// interval: time_ratio over the pairs. The work is the training up to this size ("total_seconds"), or the
  /// last step ("step_seconds") if one step of both algorithms does the same (AlgorithmInfo::step). There is
  /// no interval if the row belongs to the reference itself.
  SpeedUp of(const RecordRow& row, const std::string& time) const;

 private:
  MatchedSteps equal_networks(const RecordRow& row, const std::string& reference) const;

  std::map<std::string, std::string> references_;
  std::map<Json, std::vector<const RecordRow*>> blocks_;      // by case, data set, algorithm, point and nodes
  std::map<Json, std::vector<const RecordRow*>> algorithms_;  // by case, data set and algorithm
};

/// Returns "step_seconds" for "step_speedup".
std::string time_of_speed_up(const std::string& quantity);

/// Returns "step" for "step_seconds".
std::string prefix_of(const std::string& time);

/// Returns why single steps of two rows cannot be compared; "" if they can be.
std::string unlike_steps(const RecordRow& a, const RecordRow& b);

/// Describes noise in the times: the number of rows that have outliers or a slow first trial; "" if none has.
std::string timing_noise(const std::vector<RecordRow>& rows);

/// Returns the seconds of the growth step, of the whole training and, if measured, of the test,
/// mean +- standard deviation. If algorithms are compared, it also has the speed-ups of the step and of the
/// whole training over the reference with their 95 % intervals (SpeedUps). Remarks name speed-ups without an
/// interval, trials that were not measured alike, and timing noise.
Table time_table(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups);

}  // namespace elmx
