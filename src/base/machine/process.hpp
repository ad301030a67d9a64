#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace elmx {

/// Runs a program (found in $PATH) with its arguments in `folder` and waits for it; no shell is between. It
/// reads nothing, and what it prints is dropped. Its exit code, 128 + signal where one ended it; none where
/// there is no such program. Throws std::system_error where it cannot be started for another reason.
std::optional<int> run_program(const std::vector<std::string>& program_and_arguments,
                               const std::filesystem::path& folder);

}  // namespace elmx
