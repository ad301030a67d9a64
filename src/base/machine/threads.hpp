#pragma once

#include <functional>

namespace elmx {

/// Returns the number of threads, at least 1 and at most `wanted`, that the system can start now, including
/// this thread but not the threads for disk and progress. The OpenMP library ends the program if it cannot
/// start a thread.
int startable_threads(int wanted);

/// Returns f(), called on a stack of at least 8 MiB even if `ulimit -s` is lower. Other threads get the same
/// size.
int on_enough_stack(const std::function<int()>& f);

}  // namespace elmx
