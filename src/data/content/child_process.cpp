#include "data/content/child_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/files/files.hpp"

namespace elmx {
namespace {

/// The first message of the child: the shape of a matrix, or the number of bytes as its rows. If `error` is
/// not ok, an error message of this number of bytes follows: the place of the error, '\0', the problem.
struct Head {
  ExitCode error = ExitCode::ok;
  std::size_t rows = 0, cols = 1;
};

Head head_of(const arma::mat& matrix) { return {.rows = matrix.n_rows, .cols = matrix.n_cols}; }
Head head_of(const std::string& bytes) { return {.rows = bytes.size()}; }

std::string_view bytes_of(const arma::mat& matrix) {
  return {reinterpret_cast<const char*>(matrix.memptr()), matrix.n_elem * sizeof(double)};
}
std::string_view bytes_of(const std::string& bytes) { return bytes; }

char* room_for(const Head& head, arma::mat& matrix) {
  matrix.set_size(head.rows, head.cols);
  return reinterpret_cast<char*>(matrix.memptr());
}
char* room_for(const Head& head, std::string& bytes) {
  bytes.resize(head.rows);
  return bytes.data();
}

template <class Result>
[[noreturn]] void run_child(const std::function<Result()>& make, int out, unsigned cpu_seconds) noexcept {
  const rlimit cpu{cpu_seconds, cpu_seconds};
  ::setrlimit(RLIMIT_CPU, &cpu);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // The parent reports a crash: the child prints nothing, and the handlers of the program are not its own.
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(fault, SIG_DFL);
  std::set_terminate([] { ::_exit(1); });
  const auto send = [&](const Head& head, std::string_view bytes) {
    return write_all(out, {reinterpret_cast<const char*>(&head), sizeof head}) && write_all(out, bytes);
  };
  bool sent = false;
  try {
    const Result result = make();
    sent = send(head_of(result), bytes_of(result));
  } catch (const UserError& error) {
    const std::string message = error.place() + '\0' + error.problem();
    sent = send({error.code(), message.size()}, message);
  } catch (...) {  // as after a crash
  }
  ::_exit(sent ? 0 : 1);
}

/// The descriptor of the pipe in a child, which has no others but stdin, stdout and stderr.
constexpr int kPipe = 3;

/// The read end of a pipe and the process at its other end: both are gone at the end of this object.
class Child {
 public:
  /// The child calls `run` with the write end of the pipe.
  explicit Child(const std::function<void(int out)>& run) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    in_ = ends[0];
    process_ = ::fork();
    if (process_ == 0) {
      // A killed parent must leave no child that waits for a reader, or that holds the lock of a folder.
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(ends[1], kPipe);
      ::close_range(kPipe + 1, ~0U, 0);
      run(kPipe);
    }
    ::close(ends[1]);
    if (process_ < 0) {
      ::close(in_);
      throw std::system_error(errno, std::generic_category(), "fork");
    }
  }
  ~Child() {
    ::close(in_);
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Receives `size` bytes. Returns false if the child ends before.
  bool receive(void* bytes, std::size_t size) const {
    for (char* at = static_cast<char*>(bytes); size > 0;) {
      const ssize_t got = ::read(in_, at, size);
      if (got == 0 || (got < 0 && errno != EINTR)) return false;
      if (got < 0) continue;
      at += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int in_ = -1;
  pid_t process_ = -1;
};

}  // namespace

template <class Result>
std::optional<Result> in_child_process(const std::function<Result()>& make, unsigned cpu_seconds) {
  const Child child([&](int out) { run_child(make, out, cpu_seconds); });
  Head head;
  if (!child.receive(&head, sizeof head)) return std::nullopt;
  if (head.error != ExitCode::ok) {
    std::string message(head.rows, '\0');
    if (!child.receive(message.data(), message.size())) return std::nullopt;
    const std::size_t end = message.find('\0');
    if (head.error == ExitCode::config) throw ConfigError(message.substr(0, end), message.substr(end + 1));
    throw DataError(message.substr(0, end), message.substr(end + 1));
  }
  Result result;
  char* const room = room_for(head, result);
  if (!child.receive(room, bytes_of(result).size())) return std::nullopt;
  return result;
}

template <class Result>
Result isolated(const std::function<Result()>& make, const std::string& origin, unsigned cpu_seconds,
                const std::string& expected) {
  if (std::optional<Result> result = in_child_process(make, cpu_seconds)) return *std::move(result);
  throw DataError(
      origin,
      fmt::format("the library that reads this format has crashed, so the file may be damaged; use {}", expected));
}

template std::optional<std::string> in_child_process(const std::function<std::string()>&, unsigned);
template arma::mat isolated(const std::function<arma::mat()>&, const std::string&, unsigned, const std::string&);
template std::string isolated(const std::function<std::string()>&, const std::string&, unsigned, const std::string&);

}  // namespace elmx
