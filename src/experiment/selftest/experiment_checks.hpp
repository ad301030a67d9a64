#pragma once

#include <filesystem>
#include <vector>

#include "linalg/checks/ratios.hpp"
#include "models/solver_checks.hpp"

namespace elmx {

/// Runs a small experiment of each family, with every algorithm whose exact result is rational, and compares
/// its errors with kExactResults. Then checks the file system of `folder`, which must be empty: writing,
/// syncing, renaming, locks, and that an interrupted run gives the records of an undisturbed one, byte for
/// byte.
std::vector<CheckGroup> check_experiments(const std::filesystem::path& folder);

}  // namespace elmx
