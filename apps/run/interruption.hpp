#pragma once

#include <atomic>

namespace elmx {

/// Installs handlers: the first Ctrl-C (SIGINT, or SIGTERM) sets the returned flag, the second ends the
/// program. A signal that is ignored (nohup, trap '') stays ignored.
const std::atomic<bool>& stop_on_interruption();

}  // namespace elmx
