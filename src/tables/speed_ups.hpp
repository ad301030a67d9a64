#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/quantities.hpp"
#include "statistics/time_ratio.hpp"
#include "tables/matched_rows.hpp"

namespace elmx {

/// Case -> the algorithm that speed-ups are over, of those that the case has rows of: `told`, else that of
/// `baselines` ("" = none is named), else "existing" or "orig", else the first one; "" where there is no
/// other to compare it with.
std::map<std::string, std::string> reference_algorithms(const std::vector<RecordRow>& rows, const std::string& told,
                                                        const std::map<std::string, std::string>& baselines = {});

/// The row of `algorithm` with the same case, dataset, point and nodes as `row`; null where there is none. Of
/// an algorithm that iterates it is the row with the most iterations: a speed-up is over its finished
/// training. Of several choices it is the choice of `row`, else the first.
const RecordRow* counterpart(const std::vector<RecordRow>& rows, const RecordRow& row, const std::string& algorithm);

/// The measurements of one trial: of a step that was measured in rounds one a round, else one; none where it
/// was not measured. `time` as value_of takes it.
std::vector<double> times_of(const RecordedStep& recorded, const std::string& time);

/// True if the times of two trials may be compared: as far as is known both were measured on one machine,
/// with the same kernel of the BLAS library and as many threads. A trial that went on elsewhere is like no
/// other.
bool measured_alike(const Record& a, const Record& b);

/// The times of pairs of steps that were measured alike. `time` as value_of takes it.
std::vector<TimesOfTrial> times_of_trials(const MatchedSteps& pairs, const std::string& time);

/// Returns the number of pairs of steps that have times that were not measured alike.
std::size_t times_apart(const MatchedSteps& pairs);

/// "2 trials left out: the two times were measured on different machines, ..."
std::string times_apart_text(std::size_t trials);

/// The same as a remark on speed-ups; "" where none is left out.
std::string times_apart_remark(std::size_t trials);

/// A speed-up, or the reason why there is none.
struct SpeedUp {
  Ratio ratio;                           ///< NaN where there is none
  std::string missing;                   ///< a sentence for a footnote; "" where nothing is to be said
  MatchedSteps pairs = MatchedSteps(2);  ///< steps of the reference and of the row
};

/// Speed-ups of the rows of a run over the reference of each case. A speed-up divides times of the same
/// network: of the trials of one repeat and fold, those of the row and of its counterpart. Where each trial
/// of a row has chosen its own network (size, ridge parameter, ...), the partner is the trial of the
/// reference that trained that very network, whatever the reference would have chosen.
class SpeedUps {
 public:
  /// all: the rows of the run, points of grids included, whatever conditions the rows meet that are shown.
  /// They must outlive the object. references: case -> algorithm, "" = none.
  SpeedUps(const std::vector<RecordRow>& all, std::map<std::string, std::string> references);

  const std::map<std::string, std::string>& references() const { return references_; }

  /// The ratio of the reference's time to the time of `row` for the same work, with its 95 % interval:
  /// time_ratio over the pairs. The work is the training up to this size ("total_seconds"), or the last step
  /// ("step_seconds") if one step of both algorithms does the same (AlgorithmInfo::step). No interval if the
  /// row is of the reference itself.
  SpeedUp of(const RecordRow& row, const std::string& time) const;

 private:
  MatchedSteps equal_networks(const RecordRow& row, const std::string& reference) const;

  std::map<std::string, std::string> references_;
  std::map<Json, std::vector<const RecordRow*>> blocks_;      // by case, data set, algorithm, point and nodes
  std::map<Json, std::vector<const RecordRow*>> algorithms_;  // by case, data set and algorithm
};

/// "step_speedup" and "total_speedup": quantities of tables that are no quantities of a single trial.
const std::vector<Quantity>& speed_up_quantities();

/// "step_seconds" of "step_speedup".
std::string time_of_speed_up(const std::string& quantity);

/// "step" of "step_seconds".
std::string prefix_of(const std::string& time);

/// Returns why single steps of two rows cannot be compared; "" if they can be.
std::string unlike_steps(const RecordRow& a, const RecordRow& b);

}  // namespace elmx
