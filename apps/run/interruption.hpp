#pragma once

#include <atomic>

namespace elmx {

/// From here on Ctrl-C (SIGINT, or SIGTERM) sets what is returned, and a second one ends the program; where a
/// signal is ignored (nohup, trap '') it stays ignored.
const std::atomic<bool>& stop_on_interruption();

}  // namespace elmx
