#include "run/interruption.hpp"

#include <signal.h>
#include <unistd.h>

#include <string_view>

namespace elmx {
namespace {

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

/// The first Ctrl-C lets the running trial finish its record; a second one ends the program at once.
void request_stop(int) {
  static constexpr std::string_view kNotice =
      "\nelmx: stopping when the running trials are finished or saved; press Ctrl-C again to stop at once\n";
  requested = true;
  static_cast<void>(!::write(STDERR_FILENO, kNotice.data(), kNotice.size()));
  set_handler(request_stop, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_interruption() {
  set_handler(SIG_DFL, request_stop);
  return requested;
}

}  // namespace elmx
