#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"
#include "experiment/run/trials_in_hand.hpp"

namespace elmx {

/// How far a run is: trials done and failed, their rate, the time that is left, and how far the trial in hand
/// is. The time is by what the plan expects of each trial, and of the models that are saved at the end; what
/// a trial in hand has done of it is what it says itself, else what the time since its beginning makes
/// likely. On a terminal one line on stderr that is written over every second; else, and in the log, a line a
/// minute.
class Progress {
 public:
  /// Of `trials` of the plan, which are the part `part` of its work and are planned to take `seconds`, and of
  /// the models that are saved, which are those of whole plans only.
  Progress(const Plan& plan, std::size_t trials, double part, double seconds, const std::vector<Record>& finished,
           std::shared_ptr<spdlog::logger> log);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more trial; thread-safe. What failed is a line of the log.
  void advance(const Record& record);

  /// One more of the models that are saved, for which the plan expects `seconds` (final_seconds).
  void advance_models(double seconds);

  /// Stops to show anything, and goes on; other lines may be written between.
  void rest();
  void go_on();

  /// Says a line above the one that is written over.
  void say(const std::string& text);

 private:
  using Time = std::chrono::steady_clock::time_point;

  using Point = std::map<std::string, Json>;
  using Key = std::tuple<std::string, std::string, std::string>;  // case, data set, sweep point

  static Key key_of(const std::string& experiment_case, const std::string& dataset, const Point& point);
  double weight_of(const Key& key) const;
  double rate(double seconds) const;
  double work_in_hand(const std::vector<TrialInHand>& trials, Time now) const;
  double seconds_left(const std::vector<TrialInHand>& trials, Time now) const;
  std::string line() const;
  void show();
  void clear() const;
  void tick(const std::stop_token& stop);

  std::map<Key, double> weights_;  // work of one trial, in seconds of an ordinary machine
  std::shared_ptr<spdlog::logger> log_;
  bool terminal_;
  arma::uword all_ = 0, before_ = 0, done_ = 0, failed_ = 0;
  // Work of all trials and models, of the finished ones, and of those that an earlier run had finished.
  double work_ = 0, work_done_ = 0, work_before_ = 0;
  double planned_rate_ = 0;  // work a second
  Time begun_, logged_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread ticker_;
};

}  // namespace elmx
