#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/machine/stage.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// A running trial, or several that are trained together, as the progress display shows it.
struct TrialInHand {
  std::string experiment_case, dataset, algorithm;
  std::map<std::string, Json> point;  ///< the sweep point of the first trial
  std::size_t trials = 1;             ///< number of trials that are trained together: points of a sweep
  std::chrono::steady_clock::time_point begun;
  Stage stage;
};

/// Returns all running trials of the program, in order of their start. Thread-safe.
std::vector<TrialInHand> trials_in_hand();

/// A scope in which this thread trains the trials of `records`, so that its progress reports belong to them.
class ActiveTrial {
 public:
  explicit ActiveTrial(const std::vector<Record>& records);
  ~ActiveTrial();
  ActiveTrial(const ActiveTrial&) = delete;
  ActiveTrial& operator=(const ActiveTrial&) = delete;

 private:
  TrialInHand trial_;
  StageSlot slot_;
  StageReports reports_;

  friend std::vector<TrialInHand> trials_in_hand();
};

}  // namespace elmx
