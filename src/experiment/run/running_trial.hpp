#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <string>

namespace elmx {

/// The file in the folder of a run with a line "KEY SIGNAL" for each trial that ended the program.
inline constexpr const char* kCrashFile = "crashed.txt";

/// A scope in which this thread works on a trial, which a signal handler can read.
class RunningTrial {
 public:
  explicit RunningTrial(const std::string& key);
  ~RunningTrial();
  RunningTrial(const RunningTrial&) = delete;
  RunningTrial& operator=(const RunningTrial&) = delete;

 private:
  int slot_;
};

/// A scope in which a crash of a trial does not end the run. On SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT,
/// the signal handler writes the trial's key and the signal to FOLDER/crashed.txt and executes the program
/// again with the arguments `argv`, to continue with the other trials. The environment variable
/// ELMX_AFTER_CRASH names the folders that the command has started. A signal outside of a trial, or a failure
/// to write the line, ends the program by the default action.
class CrashGuard {
 public:
  CrashGuard(const std::filesystem::path& folder, char** argv);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
};

/// Returns true if this program was executed again after a crash in the run of this folder.
bool begun_before_crash(const std::filesystem::path& folder);

/// Reads FOLDER/crashed.txt: key -> name of the signal, without an incomplete last line.
std::map<std::string, std::string> read_crashes(const std::filesystem::path& folder);

}  // namespace elmx
