#include "experiment/run/running_trial.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "base/files/files.hpp"

namespace elmx {
namespace {

// A handler of signals may look at plain memory only: all that it needs is laid out here before.
constexpr std::size_t kKeyBytes = 64;
constexpr std::size_t kAlternateStack = 64 * 1024;
constexpr const char* kAfterCrash = "ELMX_AFTER_CRASH";
constexpr const char* kBetweenFolders = "\n";

struct Slot {
  std::atomic<bool> taken = false;
  char key[kKeyBytes] = {};
};
std::array<Slot, 1024> slots;  // trials at once
thread_local const Slot* slot_of_thread = nullptr;
char crash_path[PATH_MAX] = {};
char** program_arguments = nullptr;

struct Fault {
  int signal;
  const char* name;
};
constexpr std::array kFaults{Fault{SIGSEGV, "SIGSEGV"}, Fault{SIGBUS, "SIGBUS"}, Fault{SIGFPE, "SIGFPE"},
                             Fault{SIGILL, "SIGILL"}, Fault{SIGABRT, "SIGABRT"}};

/// Returns the trial of this thread. For a helper thread of a matrix product, returns the only running trial,
/// or null if there are several.
const Slot* trial_of_fault() {
  if (slot_of_thread != nullptr) return slot_of_thread;
  const Slot* only = nullptr;
  for (const Slot& slot : slots) {
    if (!slot.taken) continue;
    if (only != nullptr) return nullptr;
    only = &slot;
  }
  return only;
}

bool write_text(int descriptor, const char* text) {
  const std::size_t size = std::strlen(text);
  return ::write(descriptor, text, size) == static_cast<ssize_t>(size);
}

bool write_crash(const Slot& trial, const char* signal_name) {
  const int descriptor = ::open(crash_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  const bool written = write_text(descriptor, trial.key) && write_text(descriptor, " ") &&
                       write_text(descriptor, signal_name) && write_text(descriptor, "\n") && ::fsync(descriptor) == 0;
  ::close(descriptor);
  return written;
}

void on_fault(int signal) {
  const Slot* trial = trial_of_fault();
  const auto* fault =
      std::find_if(kFaults.begin(), kFaults.end(), [&](const Fault& one) { return one.signal == signal; });
  if (trial != nullptr && write_crash(*trial, fault->name)) {
    write_text(STDERR_FILENO, "\nelmx: ");
    write_text(STDERR_FILENO, fault->name);
    write_text(STDERR_FILENO, " in a trial; it is recorded as failed and the others continue\n");
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv("/proc/self/exe", program_arguments);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Provides an alternate stack for the signal handler, for the case of a stack overflow of the thread.
void provide_stack() {
  thread_local std::unique_ptr<char[]> room;
  if (room) return;
  room = std::make_unique<char[]>(kAlternateStack);
  const stack_t stack{room.get(), 0, kAlternateStack};
  ::sigaltstack(&stack, nullptr);
}

/// Returns the entry of a folder in the environment variable kAfterCrash.
std::string name_of(const std::filesystem::path& folder) {
  return std::filesystem::absolute(folder).lexically_normal().string() + kBetweenFolders;
}

/// Returns the value of the environment variable kAfterCrash.
std::string named_folders() {
  const char* folders = std::getenv(kAfterCrash);
  return folders == nullptr ? "" : folders;
}

const std::string folders_at_start = named_folders();

}  // namespace

RunningTrial::RunningTrial(const std::string& key) : slot_(-1) {
  provide_stack();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    bool free = false;
    if (!slots[i].taken.compare_exchange_strong(free, true)) continue;
    slot_ = static_cast<int>(i);
    slots[i].key[key.copy(slots[i].key, kKeyBytes - 1)] = '\0';
    slot_of_thread = &slots[i];
    return;
  }
}

RunningTrial::~RunningTrial() {
  slot_of_thread = nullptr;
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].taken = false;
}

CrashGuard::CrashGuard(const std::filesystem::path& folder, char** argv) {
  const std::string path = std::filesystem::absolute(folder / kCrashFile).string();
  if (path.size() >= sizeof crash_path) return;
  path.copy(crash_path, path.size());
  crash_path[path.size()] = '\0';
  program_arguments = argv;
  ::setenv(kAfterCrash, (named_folders() + name_of(folder)).c_str(), 1);
  struct sigaction action {};
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK;
  for (const Fault& fault : kFaults) ::sigaction(fault.signal, &action, nullptr);
}

CrashGuard::~CrashGuard() {
  for (const Fault& fault : kFaults) ::signal(fault.signal, SIG_DFL);
}

bool begun_before_crash(const std::filesystem::path& folder) {
  return !folders_at_start.empty() &&
         (kBetweenFolders + folders_at_start).find(kBetweenFolders + name_of(folder)) != std::string::npos;
}

std::map<std::string, std::string> read_crashes(const std::filesystem::path& folder) {
  std::map<std::string, std::string> crashes;
  std::error_code ignored;
  if (!std::filesystem::exists(folder / kCrashFile, ignored)) return crashes;
  std::istringstream lines(read_file(folder / kCrashFile));
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    const std::size_t blank = line.find(' ');
    if (blank != std::string::npos) crashes[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return crashes;
}

}  // namespace elmx
