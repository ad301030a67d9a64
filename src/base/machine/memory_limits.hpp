#pragma once

#include <filesystem>
#include <limits>
#include <string_view>

namespace elmx {

/// One limit of the memory of this process, in bytes: what it is, and what is left of it.
struct MemoryLimit {
  double most = std::numeric_limits<double>::infinity();
  double left = std::numeric_limits<double>::infinity();
  std::string_view by = "";  ///< who sets it, where that is not the machine
};

/// The limit of which least is left.
MemoryLimit tightest(const MemoryLimit& a, const MemoryLimit& b);

/// The machine: MemTotal and MemAvailable of the kernel.
MemoryLimit limit_of_machine();

/// The control groups (version 1 and 2) that the process is in, and those above it: limit - use, where pages
/// that only cache files are free. `root` is the folder that /proc and /sys are in.
MemoryLimit limit_of_control_groups(const std::filesystem::path& root = "/");

/// ulimit -v and -d: RLIMIT_AS and RLIMIT_DATA less what is in use.
MemoryLimit limit_of_address_space();

/// True if ulimit -v or -d is set.
bool address_space_is_limited();

/// The one limit that everything obeys: the tightest of all.
MemoryLimit memory_limit();

}  // namespace elmx
