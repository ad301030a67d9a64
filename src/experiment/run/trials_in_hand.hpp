#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/machine/stage.hpp"
#include "experiment/records/record.hpp"

namespace elmx {

/// A trial that is trained at the moment, as who watches the run sees it.
struct TrialInHand {
  std::string experiment_case, dataset, algorithm;
  std::map<std::string, Json> point;  ///< of the first of them
  std::size_t trials = 1;             ///< that are trained together: the points of a sweep
  std::chrono::steady_clock::time_point begun;
  Stage stage;
};

/// All of the program, the one that began first in front. Thread-safe.
std::vector<TrialInHand> trials_in_hand();

/// From construction to destruction this thread trains the trials of `records`, and what it reports is
/// theirs.
class InHand {
 public:
  explicit InHand(const std::vector<Record>& records);
  ~InHand();
  InHand(const InHand&) = delete;
  InHand& operator=(const InHand&) = delete;

 private:
  TrialInHand trial_;
  StageSlot slot_;
  StageReports reports_;

  friend std::vector<TrialInHand> trials_in_hand();
};

}  // namespace elmx
