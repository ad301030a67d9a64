#include "experiment/run/trials_in_hand.hpp"

#include <mutex>

namespace elmx {
namespace {

struct ActiveTrials {
  std::mutex mutex;
  std::vector<const ActiveTrial*> in_order;
};

ActiveTrials& active_trials() {
  static ActiveTrials all;
  return all;
}

}  // namespace

std::vector<TrialInHand> trials_in_hand() {
  ActiveTrials& all = active_trials();
  const std::lock_guard lock(all.mutex);
  std::vector<TrialInHand> trials;
  for (const ActiveTrial* one : all.in_order) {
    trials.push_back(one->trial_);
    trials.back().stage = one->slot_.read();
  }
  return trials;
}

ActiveTrial::ActiveTrial(const std::vector<Record>& records)
    : trial_{records.front().experiment_case,
             records.front().dataset,
             records.front().algorithm,
             records.front().point,
             records.size(),
             std::chrono::steady_clock::now(),
             {}},
      reports_(slot_) {
  ActiveTrials& all = active_trials();
  const std::lock_guard lock(all.mutex);
  all.in_order.push_back(this);
}

ActiveTrial::~ActiveTrial() {
  ActiveTrials& all = active_trials();
  const std::lock_guard lock(all.mutex);
  std::erase(all.in_order, this);
}

}  // namespace elmx
