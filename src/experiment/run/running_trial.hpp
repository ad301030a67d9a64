#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <string>

namespace elmx {

/// Within the folder of a run: a line "KEY SIGNAL" for each trial that ended the program.
inline constexpr const char* kCrashFile = "crashed.txt";

/// The trial that this thread works on, from construction to destruction; a handler of signals can read it.
class RunningTrial {
 public:
  explicit RunningTrial(const std::string& key);
  ~RunningTrial();
  RunningTrial(const RunningTrial&) = delete;
  RunningTrial& operator=(const RunningTrial&) = delete;

 private:
  int slot_;
};

/// From here to its end a signal that a fault of a trial raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT)
/// writes the trial's key and the signal to FOLDER/crashed.txt and executes the program anew with the
/// arguments `argv`, which then goes on with the other trials: ELMX_AFTER_CRASH in its environment names the
/// folders that the command has begun. A fault outside of a trial, or one whose line cannot be written, ends
/// the program by the default action.
class CrashGuard {
 public:
  CrashGuard(const std::filesystem::path& folder, char** argv);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
};

/// True if a crash has executed this program anew after it had begun the run of this folder.
bool begun_before_crash(const std::filesystem::path& folder);

/// Key -> name of the signal, from FOLDER/crashed.txt; a line that is cut off is left out.
std::map<std::string, std::string> read_crashes(const std::filesystem::path& folder);

}  // namespace elmx
