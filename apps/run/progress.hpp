#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"
#include "experiment/run/active_trial.hpp"

namespace elmx {

/// Returns a log that writes to stderr and to FOLDER/log.txt. Throws ConfigError.
std::shared_ptr<spdlog::logger> open_log(const std::filesystem::path& folder);

/// The progress of a run: finished and failed trials, their rate, the remaining time, and the progress of the
/// running trials. The remaining time follows the planned costs of the trials and of the saved models. A
/// running trial reports its progress itself; otherwise its elapsed time gives an estimate. On a terminal the
/// progress is one line on stderr that is updated every second; otherwise, and in the log, one line a minute.
class Progress {
 public:
  /// Starts the display for `trials` trials of the plan, which are the fraction `part` of its work and are
  /// planned to take `seconds`. Saved models are counted only if the whole plan is run.
  Progress(const Plan& plan, std::size_t trials, double part, double seconds, const std::vector<Record>& finished,
           std::shared_ptr<spdlog::logger> log);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Counts one more trial and logs a failed one. Thread-safe.
  void advance(const Record& record);

  /// Counts one more saved model, for which the plan expects `seconds` (ordinary_seconds).
  void advance_models(double seconds);

  /// Pause and resume the display, so that other lines can be written in between.
  void rest();
  void go_on();

  /// Prints a line above the progress line.
  void say(const std::string& text);

 private:
  using Time = std::chrono::steady_clock::time_point;

  using Key = std::tuple<std::string, std::string, std::string>;  // case, data set, sweep point

  double weight_of(const Record& record) const;
  /// The done part of the running trials, from their reports, else from the work per second.
  double work_of_running(const std::vector<ShownTrial>& trials, Time now) const;
  double seconds_left(const std::vector<ShownTrial>& trials, Time now) const;
  std::string line() const;
  void show();
  void clear() const;
  void tick(const std::stop_token& stop);

  std::map<Key, double> weights_;  // planned work of one trial, in seconds of an ordinary machine
  std::shared_ptr<spdlog::logger> log_;
  bool terminal_;
  arma::uword all_ = 0, before_ = 0, done_ = 0, failed_ = 0;
  // Work of all trials and models, of the finished ones, and of the ones that an earlier run had finished.
  double work_ = 0, work_done_ = 0, work_before_ = 0;
  double planned_rate_ = 0;  // work per second
  Time begun_, logged_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread ticker_;
};

}  // namespace elmx
