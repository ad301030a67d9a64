#include "experiment/run/active_trial.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/files/sha256.hpp"
#include "experiment/records/results.hpp"

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

// A signal handler may read plain memory only. These are the keys of the trial of this thread, and of the
// only running trial: a helper thread of a matrix product works on that. Null = none.
thread_local const char* key_of_thread = nullptr;
std::atomic<const char*> key_of_only = nullptr;
std::string crash_path;

struct Fault {
  int signal;
  const char* name;
};
constexpr std::array kFaults{Fault{SIGSEGV, "SIGSEGV"}, Fault{SIGBUS, "SIGBUS"}, Fault{SIGFPE, "SIGFPE"},
                             Fault{SIGILL, "SIGILL"}, Fault{SIGABRT, "SIGABRT"}};

/// Writes the joined texts at once. Returns false on failure. Async-signal-safe.
bool write_texts(int descriptor, std::initializer_list<const char*> texts) {
  char line[256];
  std::size_t size = 0;
  for (const char* text : texts) {
    const std::size_t length = std::min(std::strlen(text), sizeof line - size);
    std::memcpy(line + size, text, length);
    size += length;
  }
  return ::write(descriptor, line, size) == static_cast<ssize_t>(size);
}

bool write_crash(const char* key, const char* signal_name) {
  const int descriptor = ::open(crash_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  return descriptor >= 0 && write_texts(descriptor, {key, " ", signal_name, "\n"}) && ::fsync(descriptor) == 0;
}

void on_fault(int signal) {
  const char* key = key_of_thread != nullptr ? key_of_thread : key_of_only.load();
  const char* name =
      std::find_if(kFaults.begin(), kFaults.end(), [&](const Fault& one) { return one.signal == signal; })->name;
  if (key != nullptr && write_crash(key, name))
    write_texts(STDERR_FILENO, {"\nelmx: a trial has crashed (", name,
                                "). Run the same command again to go on, without --force: the trial is then recorded "
                                "as failed, and the others run\n"});
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Returns the key of the alternate stack of each thread. glibc aborts the program if it gets no memory for
/// the destructor of a thread_local object.
pthread_key_t key_of_stack() {
  pthread_key_t key{};
  if (::pthread_key_create(&key, [](void* room) { delete[] static_cast<char*>(room); }) != 0) throw std::bad_alloc();
  return key;
}

/// Provides an alternate stack for the signal handler, for the case of a stack overflow of the thread.
void provide_stack() {
  constexpr std::size_t kBytes = 64 * 1024;
  static const pthread_key_t key = key_of_stack();
  if (::pthread_getspecific(key) != nullptr) return;
  auto room = std::make_unique<char[]>(kBytes);
  if (::pthread_setspecific(key, room.get()) != 0) throw std::bad_alloc();
  const stack_t stack{room.release(), 0, kBytes};
  ::sigaltstack(&stack, nullptr);
}

constexpr std::string_view kMagic = "elmx state, format 1\n";

struct SavedState {
  Record record;
  std::string of_training;
};

/// Joins the machines on which a resumed trial was trained before and is trained now.
std::string both_machines(const std::string& before, const std::string& now) {
  const bool same = before.empty() || before == now || before.ends_with("; " + now);
  return same ? before : before + "; " + now;
}

/// Removes the first line with its line feed from the text and returns the line.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) throw DataError("the state is truncated");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

/// Decodes and verifies a state. Throws DataError with the reason.
SavedState decode(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) throw DataError("not a state of this version of elmx");
  bytes.remove_prefix(kMagic.size());
  const std::string_view checksum = take_line(bytes);
  if (checksum != sha256(bytes)) throw DataError("the state is truncated or damaged: its SHA-256 does not match");
  const std::string_view record = take_line(bytes);
  try {
    return {record_from_json(parse_json(std::string(record), "record")), std::string(bytes)};
  } catch (const Json::exception& error) {
    throw DataError(std::string("not a valid record: ") + error.what());
  }
}

}  // namespace

std::vector<ShownTrial> running_trials() {
  ActiveTrials& all = active_trials();
  const std::lock_guard lock(all.mutex);
  std::vector<ShownTrial> trials;
  for (const ActiveTrial* one : all.in_order) {
    trials.push_back(one->shown_);
    trials.back().stage = one->stage_->read();
  }
  return trials;
}

ActiveTrial::ActiveTrial(std::filesystem::path results, std::function<bool()> stopped,
                         std::function<void(const std::string&)> note)
    : results_(std::move(results)), stopped_(std::move(stopped)), note_(std::move(note)) {}

void ActiveTrial::begin(std::vector<Record>& records) {
  record_ = &records.front();
  shown_ = {*record_, records.size(), std::chrono::steady_clock::now(), {}};
  stage_.emplace();
  provide_stack();
  key_of_thread = shown_.first.key.c_str();
  {
    ActiveTrials& all = active_trials();
    const std::lock_guard lock(all.mutex);
    all.in_order.push_back(this);
    key_of_only = all.in_order.size() == 1 ? key_of_thread : nullptr;
  }
  load_state();
}

void ActiveTrial::end() {
  if (!stage_) return;
  key_of_thread = nullptr;
  {
    ActiveTrials& all = active_trials();
    const std::lock_guard lock(all.mutex);
    std::erase(all.in_order, this);
    key_of_only = all.in_order.size() == 1 ? all.in_order.front()->shown_.first.key.c_str() : nullptr;
  }
  stage_.reset();
}

void ActiveTrial::remove_state() const {
  if (!saves_states()) return;
  std::error_code ignored;  // a remaining file of a finished trial is never read again
  std::filesystem::remove(results_ / file_name(), ignored);
  std::filesystem::remove(results_ / "states", ignored);  // succeeds only if the folder is empty
}

void ActiveTrial::load_state() {
  saved_.reset();
  if (!saves_states() || !is_there(results_ / file_name())) return;
  try {
    SavedState state = decode(read_file(results_ / file_name()));
    if (state.record.key != record_->key) throw DataError("the state belongs to another trial, " + state.record.key);
    record_->status = state.record.status;
    record_->feature_seconds = state.record.feature_seconds;
    record_->steps = std::move(state.record.steps);
    record_->machine = both_machines(state.record.machine, shown_.first.machine);
    saved_ = std::move(state.of_training);
  } catch (const UserError& error) {
    refuse(error.what());
  }
}

void ActiveTrial::refuse(const std::string& why) {
  record_->status = {};
  record_->feature_seconds = 0;
  record_->steps.clear();
  record_->machine = shown_.first.machine;
  saved_.reset();
  if (note_) note_(fmt::format("{}: {}; its trial starts again", (results_ / file_name()).string(), why));
}

void ActiveTrial::save(const std::string& state) {
  claim_files(results_, {file_name()});
  const std::string content = to_json(*record_).dump() + '\n' + state;
  write_file(results_ / file_name(), std::string(kMagic) + sha256(content) + '\n' + content);
}

CrashGuard::CrashGuard(const std::filesystem::path& folder) {
  crash_path = std::filesystem::absolute(folder / kCrashFile).string();
  struct sigaction action {};
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t i = 0; i < kFaults.size(); ++i) ::sigaction(kFaults[i].signal, &action, &previous_[i]);
}

CrashGuard::~CrashGuard() {
  for (std::size_t i = 0; i < kFaults.size(); ++i) ::sigaction(kFaults[i].signal, &previous_[i], nullptr);
}

}  // namespace elmx
