#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <latch>
#include <new>
#include <system_error>

#include "base/machine/machine.hpp"

namespace elmx {
namespace {

constexpr int kBeside = 2;  // for progress, and one that may just be ending
constexpr std::size_t kStack = 8 << 20;

/// Returns true if the stack limit of this process is below kStack.
bool stack_is_small() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kStack;
}

void* wait_for(void* latch) {
  static_cast<std::latch*>(latch)->wait();
  return nullptr;
}

struct Call {
  const std::function<int()>& f;
  int result = 0;
};

void* make(void* call) {
  auto& one = *static_cast<Call*>(call);
  one.result = one.f();
  return nullptr;
}

/// The actions of a child process before its program starts: redirect stdin, stdout and stderr to /dev/null
/// and change the working folder.
class Setting {
 public:
  explicit Setting(const std::filesystem::path& folder) {
    const auto add = [](int error) {
      if (error != 0) throw std::bad_alloc();  // these calls have no other error
    };
    add(::posix_spawn_file_actions_init(&actions_));
    add(::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    add(::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0));
    add(::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO));
    add(::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()));
  }
  ~Setting() { ::posix_spawn_file_actions_destroy(&actions_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Returns false if the child process still runs after the limit. A kernel without pidfd_open has no limit.
bool ends_within(pid_t child, std::chrono::milliseconds limit) {
  const auto process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0U));
  if (process < 0) return true;
  const auto end = std::chrono::steady_clock::now() + limit;
  int ready = -1;
  while (ready < 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd ended{process, POLLIN, 0};
    ready = ::poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (ready < 0 && errno != EINTR) break;
  }
  ::close(process);
  return ready != 0;
}

}  // namespace

std::optional<int> run_program(const std::vector<std::string>& program_and_arguments,
                               const std::filesystem::path& folder, std::optional<std::chrono::milliseconds> limit) {
  std::vector<char*> argv;
  for (const std::string& argument : program_and_arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const Setting setting(folder);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], setting.get(), nullptr, argv.data(), environ);
  // ENOENT may also be the folder's; EACCES: a file of that name in $PATH that is no program.
  if ((error == ENOENT && std::filesystem::is_directory(folder)) || error == EACCES) return std::nullopt;
  if (error != 0) throw std::system_error(error, std::generic_category(), program_and_arguments.front());

  const bool ended = !limit || ends_within(child, *limit);
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), program_and_arguments.front());
  }
  if (!ended) return kTookTooLong;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int startable_threads(int wanted) {
  if (wanted <= 1) return 1;
  std::latch end(1);
  std::vector<pthread_t> started;
  for (pthread_t thread{}; static_cast<int>(started.size()) < wanted - 1 + kBeside &&
                           ::pthread_create(&thread, nullptr, wait_for, &end) == 0;)
    started.push_back(thread);
  end.count_down();
  for (const pthread_t thread : started) ::pthread_join(thread, nullptr);
  return std::max(1, static_cast<int>(started.size()) + 1 - kBeside);
}

int on_enough_stack(const std::function<int()>& f) {
  if (!stack_is_small()) return f();
  Call call{f};
  pthread_t thread{};
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStack);
  ::pthread_setattr_default_np(&attributes);
  const bool started = ::pthread_create(&thread, &attributes, make, &call) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!started) return f();
  ::pthread_join(thread, nullptr);
  return call.result;
}

}  // namespace elmx
