#include "experiment/run/trials_in_hand.hpp"

#include <mutex>

namespace elmx {
namespace {

struct AllInHand {
  std::mutex mutex;
  std::vector<const InHand*> in_order;
};

AllInHand& all_in_hand() {
  static AllInHand all;
  return all;
}

}  // namespace

std::vector<TrialInHand> trials_in_hand() {
  AllInHand& all = all_in_hand();
  const std::lock_guard lock(all.mutex);
  std::vector<TrialInHand> trials;
  for (const InHand* one : all.in_order) {
    trials.push_back(one->trial_);
    trials.back().stage = one->slot_.read();
  }
  return trials;
}

InHand::InHand(const std::vector<Record>& records)
    : trial_{records.front().experiment_case,
             records.front().dataset,
             records.front().algorithm,
             records.front().point,
             records.size(),
             std::chrono::steady_clock::now(),
             {}},
      reports_(slot_) {
  AllInHand& all = all_in_hand();
  const std::lock_guard lock(all.mutex);
  all.in_order.push_back(this);
}

InHand::~InHand() {
  AllInHand& all = all_in_hand();
  const std::lock_guard lock(all.mutex);
  std::erase(all.in_order, this);
}

}  // namespace elmx
