#pragma once

#include <filesystem>
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

}  // namespace elmx
