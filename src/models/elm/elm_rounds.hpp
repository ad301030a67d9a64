#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/machine/clock.hpp"
#include "models/elm/elm_options.hpp"
#include "solvers/ridge_growth.hpp"

namespace elmx {

/// Runs every algorithm once on few of the samples, untimed: code, pages, threads and buffers are there when times are taken.
template <class T>
void warm_up(const ElmOptions& options, const RidgeProblem<T>& problem);

/// The steps of one node that reach the sizes of timing.at, again and again from the same states: round r of every algorithm before
/// round r + 1 of any, so that what slows the machine down meets them alike. Round 0 does not count. The copies of the states, which
/// come from a direct solution of one node less, are not timed.
template <class T>
class StepRounds {
 public:
  StepRounds(const ElmOptions& options, const RidgeProblem<T>& problem, Clock& clock);

  /// Of the algorithm to this size; else (it is not of timing.at, or a step failed) `once`, as it was measured in the training.
  Seconds step(std::string_view algorithm, uword size, double once) const;

 private:
  void measure(uword size, const ElmOptions& options, const RidgeProblem<T>& problem, Clock& clock);

  std::map<std::pair<std::string, uword>, std::vector<double>> seconds_;  // of algorithm and size: one a round
};

}  // namespace elmx
