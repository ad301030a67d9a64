#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/machine/clock.hpp"
#include "models/ridge/ridge_setup.hpp"
#include "solvers/ridge_algorithms.hpp"

namespace elmx {

/// Runs every algorithm once on few samples, untimed, so that code, pages, threads and buffers are ready for
/// timed runs.
template <class T>
void warm_up(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets);

/// Measures the steps of one node that reach the sizes of setup.timed, repeatedly from the same states. Round
/// r of every algorithm precedes round r + 1 of any algorithm, so that disturbances of the machine affect all
/// algorithms alike. Round 0 does not count. The states come from a direct solution with one node less, and
/// copying them is not timed.
template <class T>
class StepRounds {
 public:
  StepRounds(const RidgeSetup& setup, const TallMatrix<T>& A, const RidgeTargets<T>& targets, double lambda,
             Clock& clock);

  /// Returns the times of the algorithm for the step to this size. If the size is not in setup.timed or a
  /// step failed, returns `once`, the time measured during training.
  Seconds step(std::string_view algorithm, uword columns, double once) const;

 private:
  // One time per round, by algorithm and columns.
  std::map<std::pair<std::string, uword>, std::vector<double>> seconds_;
};

}  // namespace elmx
