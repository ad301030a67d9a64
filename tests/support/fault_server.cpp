// A server that starts the program again and again with one failing call. A program that has this library
// preloaded, and whose name (argv[0]) is in FAULT_SERVER, reads requests from stdin instead of doing anything
// else. Each request is one line of fields with tabs between them:
//   FOLDER KIND WHICH ARGUMENT...
// The server forks, which takes a twentieth of the time of a start, and its child becomes the program with
// these arguments in FOLDER. stdin is /dev/null, stdout and stderr go to FOLDER.out and FOLDER.err. KIND is a
// kind of calls (kKinds), or "none".
//   WHICH = P:N       call number N of process P fails: 0 is the program, 1 the first child that it forks
//   WHICH = P:N:HASH  memory: the first allocation from number N on with this call stack fails
//   WHICH = ""        no call fails, and all are counted
// The answer is a line "STATUS HIT": what waitpid returned, and 1 if a call has failed. If all calls are
// counted, lines "KIND P COUNT" follow, then a line "stack P N HASH" of the first allocation of each call
// stack, then an empty line. FAULT_DEPTH is the number of return addresses that count. FAULT_TRACE names a
// file for the call stack of the failing call.
#include "support/fault_server.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Kind {
  const char* name;
  int error;
};
constexpr std::size_t kKindCount = static_cast<std::size_t>(Fallible::kinds);
constexpr std::array<Kind, kKindCount> kKinds{{{"open", EMFILE},
                                               {"read", EIO},
                                               {"write", ENOSPC},
                                               {"sync", EIO},
                                               {"rename", EIO},
                                               {"folder", ENOSPC},
                                               {"remove", EIO},
                                               {"map", ENOMEM},
                                               {"thread", EAGAIN},
                                               {"process", EAGAIN},
                                               {"memory", ENOMEM}}};
constexpr std::size_t kProcesses = 32, kStacks = 1u << 17;
constexpr unsigned kPatience = 60;  // seconds; then the program counts as hanging

/// The first allocation with a call stack.
struct Stack {
  std::atomic<std::uint64_t> hash;  // 0 = none
  std::size_t process, number;
};

/// What the server and all processes of a request share.
struct Shared {
  std::atomic<std::size_t> processes, calls[kProcesses][kKindCount];
  std::atomic<bool> hit;
  std::array<Stack, kStacks> stacks;  // a hash table
};

/// The request of this process; none in the server and in programs that no server started.
struct Request {
  bool active = false, counts = false;
  std::size_t kind = kKindCount, process = 0, number = 0;
  std::uint64_t stack = 0;
};
Shared* shared = nullptr;
int depth = 16;  // FAULT_DEPTH
Request request;
std::size_t this_process = 0;
[[gnu::tls_model("initial-exec")]] thread_local bool inside = false;  // the unwinder may allocate

struct Walk {
  std::uint64_t hash = 0;
  int depth = 0;
};

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* walk) {
  auto& to = *static_cast<Walk*>(walk);
  const std::uintptr_t address = _Unwind_GetIP(context);
  dl_find_object found{};
  const bool known = ::_dl_find_object(reinterpret_cast<void*>(address), &found) == 0;
  const std::uintptr_t place = known ? address - reinterpret_cast<std::uintptr_t>(found.dlfo_map_start) : 0;
  to.hash = (to.hash ^ place) * 0x9E3779B97F4A7C15ULL;
  to.hash ^= to.hash >> 32;
  return ++to.depth < depth ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// Returns a hash of the innermost return addresses, relative to their libraries; never 0.
std::uint64_t call_stack() {
  Walk walk;
  _Unwind_Backtrace(add_frame, &walk);
  return walk.hash | 1;
}

/// Writes the call stack to the file that FAULT_TRACE names.
void trace() {
  const char* file = std::getenv("FAULT_TRACE");
  const int descriptor = file != nullptr ? ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
  if (descriptor < 0) return;
  std::array<void*, 64> addresses{};
  ::backtrace_symbols_fd(addresses.data(), ::backtrace(addresses.data(), addresses.size()), descriptor);
  ::close(descriptor);
}

void note_stack(std::uint64_t hash, std::size_t number) {
  for (std::size_t i = hash % kStacks, probes = 0; probes < kStacks; i = (i + 1) % kStacks, ++probes) {
    Stack& stack = shared->stacks[i];
    std::uint64_t free = 0;
    const bool added = stack.hash.compare_exchange_strong(free, hash);
    if (added) stack.process = this_process;
    if (added) stack.number = number;
    if (added || free == hash) return;
  }
  ::abort();
}

/// Returns true if allocation number `number` is to fail for its call stack.
bool stack_fails(std::size_t number) {
  const bool may_be = this_process == request.process && number >= request.number && !shared->hit;
  if (!request.counts && !may_be) return false;
  inside = true;
  const std::uint64_t hash = call_stack();
  if (request.counts) note_stack(hash, number);
  inside = false;
  return hash == request.stack && !shared->hit.exchange(true);
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

/// Reads a line without a buffer, which a child would inherit. Returns false at the end of the requests.
bool read_line(std::string& line) {
  line.clear();
  for (char next = 0; ::read(STDIN_FILENO, &next, 1) == 1;) {
    if (next == '\n') return true;
    line += next;
  }
  return false;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

void redirect(const std::string& file, int flags, int to) {
  const int descriptor = ::open(file.c_str(), flags, 0644);
  ::dup2(descriptor, to);
  ::close(descriptor);
}

[[noreturn]] void become(const std::vector<std::string>& fields, char* program, char** environment) {
  const std::string &folder = fields[0], &kind = fields[1], &which = fields[2];
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(folder + ".out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect(folder + ".err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  std::vector<char*> argv{program};
  for (std::size_t i = 3; i < fields.size(); ++i) argv.push_back(const_cast<char*>(fields[i].c_str()));
  argv.push_back(nullptr);
  if (::chdir(folder.c_str()) != 0) ::_exit(127);
  ::alarm(kPatience);

  for (request.kind = 0; request.kind < kKindCount && kind != kKinds[request.kind].name;) ++request.kind;
  request.counts = which.empty();
  std::sscanf(which.c_str(), "%zu:%zu:%" SCNu64, &request.process, &request.number, &request.stack);
  request.active = kind != "none";
  std::exit(real_main(static_cast<int>(argv.size()) - 1, argv.data(), environment));
}

void answer(int status) {
  std::string text = std::to_string(status) + ' ' + (shared->hit ? '1' : '0') + '\n';
  if (request.counts) {
    for (std::size_t p = 0; p < kProcesses; ++p) {
      for (std::size_t k = 0; k < kKindCount; ++k) {
        if (const std::size_t calls = shared->calls[p][k]; calls > 0)
          text += std::string(kKinds[k].name) + ' ' + std::to_string(p) + ' ' + std::to_string(calls) + '\n';
      }
    }
    for (const Stack& stack : shared->stacks) {
      if (stack.hash == 0) continue;
      text += "stack " + std::to_string(stack.process) + ' ' + std::to_string(stack.number) + ' ' +
              std::to_string(stack.hash) + '\n';
    }
    text += '\n';
  }
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t now = ::write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
    if (now <= 0) ::_exit(1);
    sent += static_cast<std::size_t>(now);
  }
}

int serve(int count, char** arguments, char** environment) {
  const char* program = std::getenv("FAULT_SERVER");
  if (program == nullptr || std::strcmp(program, arguments[0]) != 0) return real_main(count, arguments, environment);
  ::unsetenv("LD_PRELOAD");  // programs that the program starts have no faults
  void* const room =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return 1;
  if (const char* addresses = std::getenv("FAULT_DEPTH")) depth = std::atoi(addresses);
  call_stack();  // what the unwinder prepares at its first use
  for (std::string line; read_line(line);) {
    const std::vector<std::string> fields = split(line);
    if (fields.size() < 4) return 1;
    ::madvise(room, sizeof(Shared), MADV_REMOVE);  // zeros
    shared = static_cast<Shared*>(room);
    const pid_t child = ::fork();
    if (child == 0) become(fields, arguments[0], environment);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) return 1;
    request.counts = fields[2].empty() && fields[1] != "none";
    answer(status);
  }
  return 0;
}

}  // namespace

bool fails(Fallible kind) noexcept {
  if (!request.active || inside) return false;
  const auto k = static_cast<std::size_t>(kind);
  const std::size_t number = ++shared->calls[this_process][k];
  bool now = false;
  if (kind == Fallible::memory && (request.counts || request.stack != 0)) {
    now = stack_fails(number);
  } else if (k == request.kind && this_process == request.process && number == request.number) {
    now = !shared->hit.exchange(true);
  }
  if (!now) return false;
  inside = true;
  trace();
  inside = false;
  errno = kKinds[k].error;
  return true;
}

void count_in_child() noexcept {
  if (request.active) this_process = ++shared->processes % kProcesses;
}

extern "C" int __libc_start_main(Main main, int count, char** arguments, void (*init)(), void (*fini)(),
                                 void (*linker_fini)(), void* stack);

/// Replaces the function of the C library that calls main.
int __libc_start_main(Main main, int count, char** arguments, void (*init)(), void (*fini)(), void (*linker_fini)(),
                      void* stack) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  return reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"))(serve, count, arguments, init, fini,
                                                                          linker_fini, stack);
}
