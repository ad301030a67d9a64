#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace elmx {

/// Runs a program (found in $PATH) with its arguments in `folder`, without a shell, and waits for its end.
/// Its input is empty and its output is discarded. Returns its exit code, or 128 + signal if a signal ended
/// it; none if there is no such program. Throws std::system_error if the program cannot be started for
/// another reason.
std::optional<int> run_program(const std::vector<std::string>& program_and_arguments,
                               const std::filesystem::path& folder);

/// Returns the number of threads, at least 1 and at most `wanted`, that the system can start now, including
/// this thread but not the thread for progress. The OpenMP library ends the program if it cannot
/// start a thread.
int startable_threads(int wanted);

/// Returns f(), called on a stack of at least 8 MiB even if `ulimit -s` is lower. Other threads get the same
/// size.
int on_enough_stack(const std::function<int()>& f);

}  // namespace elmx
