#pragma once

#include <functional>

namespace elmx {

/// Returns the number of threads, up to `wanted` and this one included, that the system would start now
/// beside those that wait for the disk and show progress; at least 1. The OpenMP library ends the program
/// where it gets none.
int startable_threads(int wanted);

/// f(), on a stack of 8 MiB at least, which every other thread gets as well: `ulimit -s` may be lower.
int on_enough_stack(const std::function<int()>& f);

}  // namespace elmx
