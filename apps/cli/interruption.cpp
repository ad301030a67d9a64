#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <thread>

#include "base/communicator.hpp"
#include "base/files/files.hpp"
#include "cli/command.hpp"

namespace elmx {
namespace {

int true_stderr = STDERR_FILENO;

std::atomic<bool> requested = false;

using Handler = void (*)(int);

/// Replaces the handler `from` of SIGINT and SIGTERM by `to`. A signal that is ignored (nohup, trap '') stays
/// ignored.
void set_handler(Handler from, Handler to) {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == from) ::signal(number, to);
  }
}

void write_notice(std::string_view notice) { static_cast<void>(!::write(STDERR_FILENO, notice.data(), notice.size())); }

void end_at_once(int) {
  write_notice("elmx: interrupted\n");
  ::_exit(static_cast<int>(ExitCode::interrupted));
}

/// The first Ctrl-C lets the running trial finish its record; a second one ends the program at once.
void request_stop(int) {
  requested = true;
  write_notice("\nelmx: stopping when the running trials are finished or saved; press Ctrl-C again to stop at once\n");
  set_handler(request_stop, SIG_DFL);
}

bool main_has_ended = false;
std::terminate_handler usual_terminate = nullptr;

[[noreturn]] void end_for_memory() {
  main_has_ended = true;
  std::fflush(nullptr);
  const auto code = static_cast<int>(ExitCode::config);
  if (ranks().count() > 1) ranks().abort(code);
  ::_exit(code);
}

/// Ends the program for an exception that cannot be caught. The exception of a parallel region is not known
/// here, where only a lack of memory is expected.
[[noreturn]] void on_terminate() {
  const std::exception_ptr error = std::current_exception();
  bool no_memory = !error && std::uncaught_exceptions() > 0;
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    no_memory = true;
  } catch (...) {
  }
  if (no_memory) {
    write_notice("elmx: probably out of memory (`elmx info` shows the limit)\n");
    end_for_memory();
  }
  usual_terminate();
  std::abort();
}

}  // namespace

void end_on_lack_of_memory() {
  usual_terminate = std::set_terminate(on_terminate);
  std::atexit([] {
    if (!main_has_ended) end_for_memory();
  });
}

void leave_main() { main_has_ended = true; }

void end_on_interruption() { set_handler(SIG_DFL, end_at_once); }

const std::atomic<bool>& stop_on_interruption() {
  set_handler(end_at_once, request_stop);
  return requested;
}

void end_silently_on_interruption() {
  set_handler(end_at_once, SIG_DFL);
  set_handler(request_stop, SIG_DFL);
}

void silence_output() {
  std::cout.flush();
  true_stderr = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  const Descriptor nowhere("/dev/null", O_WRONLY);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere.number(), descriptor);
}

void report_fatal(const std::string& line) {
  constexpr std::chrono::milliseconds kMoment{500};
  if (!ranks().first()) std::this_thread::sleep_for(kMoment);
  const std::string whose = ranks().first() ? "" : fmt::format("rank {}: ", ranks().rank());
  write_all(true_stderr, fmt::format("elmx: {}{}\n", whose, line));
}

}  // namespace elmx
