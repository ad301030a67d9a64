#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/machine/clock.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

/// Runs every algorithm once on few of the samples, untimed: code, pages, threads and buffers are there when
/// times are taken.
template <class T>
void warm_up(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets);

/// The steps of one node that reach the sizes of setup.timed, again and again from the same states: round r
/// of every algorithm before round r + 1 of any, so that what slows the machine down meets them alike. Round
/// 0 does not count. The copies of the states, which come from a direct solution of one node less, are not
/// timed.
template <class T>
class StepRounds {
 public:
  StepRounds(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets, double lambda,
             Clock& clock);

  /// Of the algorithm to this size; else (it is not of setup.timed, or a step failed) `once`, as it was
  /// measured in the training.
  Seconds step(std::string_view algorithm, uword columns, double once) const;

 private:
  // One a round, by algorithm and columns.
  std::map<std::pair<std::string, uword>, std::vector<double>> seconds_;
};

}  // namespace elmx
