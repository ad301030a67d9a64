#pragma once

#include <filesystem>
#include <limits>
#include <string_view>

namespace elmx {

/// A limit on the memory of this process: the limit itself and the part that is still free, in bytes.
struct MemoryLimit {
  double most = std::numeric_limits<double>::infinity();
  double left = std::numeric_limits<double>::infinity();
  std::string_view by = "";  ///< the source of the limit; "" = the machine
};

/// Returns the limit that leaves less free memory.
MemoryLimit tightest(const MemoryLimit& a, const MemoryLimit& b);

/// Returns the limit of the machine: MemTotal and MemAvailable of the kernel.
MemoryLimit limit_of_machine();

/// Returns the tightest limit of the process's control groups (versions 1 and 2) and their ancestors. Pages
/// that only cache files count as free. `root` is the folder that contains /proc and /sys.
MemoryLimit limit_of_control_groups(const std::filesystem::path& root = "/");

/// Returns the limits of ulimit -v and -d: RLIMIT_AS and RLIMIT_DATA minus the memory in use.
MemoryLimit limit_of_address_space();

/// Returns true if ulimit -v or -d is set.
bool address_space_is_limited();

/// Returns the tightest of all limits.
MemoryLimit memory_limit();

}  // namespace elmx
