#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/machine/stage.hpp"
#include "experiment/records/record.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// A running trial, or several that are trained together, as the progress display shows it.
struct ShownTrial {
  Record first;            ///< the first trial, without results
  std::size_t trials = 1;  ///< number of trials that are trained together: points of a sweep
  std::chrono::steady_clock::time_point begun;
  Stage stage;
};

/// Returns all running trials of the program, in order of their start. Thread-safe.
std::vector<ShownTrial> running_trials();

/// The trial that a thread works on, or several that are trained together: one after the other for the
/// algorithms of a task. From begin to end
///
///     the progress display shows the trial (running_trials) with the progress that its training reports
///     a crash is one of this trial (CrashGuard)
///     the training may save its state in DIR/states/KEY.state, to continue after an interruption
///
/// The file of a state has a line of text, a line with the SHA-256 of the rest, a line with the record so
/// far, then the state. It is replaced atomically. A file that is damaged, belongs to another trial or is not
/// a state is reported to `note`, and its trial starts again.
class ActiveTrial final : public TrainingStates {
 public:
  /// results: the folder DIR of the run; empty = no states are saved.
  ActiveTrial(std::filesystem::path results, std::function<bool()> stopped,
              std::function<void(const std::string&)> note);
  ~ActiveTrial() override { end(); }
  ActiveTrial(const ActiveTrial&) = delete;
  ActiveTrial& operator=(const ActiveTrial&) = delete;

  bool saves_states() const { return !results_.empty(); }

  /// Starts the trials of `records`. The first record receives the steps of its saved state.
  void begin(std::vector<Record>& records);
  void end();
  /// Removes the saved state of the trial, whose record is safe.
  void remove_state() const;

  std::optional<std::string> load() override { return saved_; }
  void refuse(const std::string& why) override;
  /// Writes a state. Throws OutputError.
  void save(const std::string& state) override;
  bool stopped() const override { return stopped_(); }

 private:
  std::string file_name() const { return "states/" + shown_.first.key + ".state"; }
  void load_state();

  std::filesystem::path results_;
  std::function<bool()> stopped_;
  std::function<void(const std::string&)> note_;
  Record* record_ = nullptr;           // of the first of the trials, with the results so far
  std::optional<std::string> saved_;   // the state as the training saved it
  ShownTrial shown_;                   // but the stage
  std::optional<StageReports> stage_;  // none = no trial is running

  friend std::vector<ShownTrial> running_trials();
};

/// A scope in which a crash of a trial is remembered. On SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT, the
/// signal handler writes the trial's key and the signal to FOLDER/crashed.txt and a message to stderr. Then
/// the default action ends the program. The next run in the folder does not start the trial again.
class CrashGuard {
 public:
  explicit CrashGuard(const std::filesystem::path& folder);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  std::array<struct sigaction, 5> previous_;
};

}  // namespace elmx
