#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"
#include "experiment/run/trials_in_hand.hpp"

namespace elmx {

/// How far a run is: trials done and failed, their rate, the time that is left, and how far the trial in hand
/// is. The time is by the arithmetic that the plan expects of each trial; what a trial in hand has done of it
/// is what it says itself, else what the time since its beginning makes likely. On a terminal one line on
/// stderr that is written over every second; else, and in the log, a line a minute.
class Progress {
 public:
  /// Of `trials` of the plan, which are the part `part` of its work and are planned to take `seconds`.
  Progress(const Plan& plan, std::size_t trials, double part, double seconds, const std::vector<Record>& finished,
           std::shared_ptr<spdlog::logger> log);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more trial; thread-safe. What failed is a line of the log.
  void advance(const Record& record);

 private:
  using Time = std::chrono::steady_clock::time_point;

  double weight_of(const std::string& experiment_case, const std::string& dataset) const;
  double rate(double seconds) const;
  double work_in_hand(const std::vector<TrialInHand>& trials, Time now) const;
  double seconds_left(const std::vector<TrialInHand>& trials, Time now) const;
  std::string line() const;
  void show();
  void clear() const;
  void tick(const std::stop_token& stop);

  std::map<std::pair<std::string, std::string>, double> weights_;  // case, data set -> work of one trial
  std::shared_ptr<spdlog::logger> log_;
  bool terminal_;
  arma::uword all_ = 0, before_ = 0, done_ = 0, failed_ = 0;
  double work_ = 0, work_done_ = 0, work_before_ = 0;  // of all trials, of those done, of those done before
  double planned_rate_ = 0;                            // work a second
  Time begun_, logged_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread ticker_;
};

}  // namespace elmx
