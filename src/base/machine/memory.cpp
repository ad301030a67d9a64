#include <fmt/core.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "base/machine/machine.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

constexpr double kUnlimited = 1e18;  // version 1 writes "none" as a number of 63 bits

/// Returns the value after `name` at the start of a line, or none if there is no such line.
std::optional<double> value_after(const fs::path& file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    double value = 0;
    if (words >> key >> value && key == name) return value;
  }
  return std::nullopt;
}

/// Returns the only number of a file, or none if the file is missing or says "max".
std::optional<double> number_in(const fs::path& file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value && value < kUnlimited ? std::optional(value) : std::nullopt;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

bool has_memory(const std::string& controllers) { return std::ranges::count(split(controllers, ','), "memory") > 0; }

/// The names of the files of one version of control groups.
struct GroupFiles {
  const char *limit, *use, *inactive_cache, *active_cache;
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                               "total_active_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file", "active_file"};

/// The mount of a control group hierarchy, from the line "36 35 0:30 ROOT POINT options ... - TYPE source
/// CONTROLLERS" of mountinfo.
struct Mount {
  std::string root, point;
};
std::optional<Mount> mount_of(const fs::path& mountinfo, bool version2) {
  std::ifstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = split(line, ' ');
    const auto dash = std::ranges::find(words, "-");
    if (words.size() < 5 || words.end() - dash < 4) continue;
    const std::string &type = dash[1], &controllers = dash[3];
    if (version2 ? type == "cgroup2" : type == "cgroup" && has_memory(controllers)) return Mount{words[3], words[4]};
  }
  return std::nullopt;
}

/// Returns the folder of a group below the mount point, or the mount point itself if the group is not
/// visible.
fs::path folder_of(const Mount& mount, const std::string& group, const fs::path& root) {
  const fs::path point = root / fs::path(mount.point).relative_path();
  const std::string above = mount.root == "/" ? "" : mount.root;
  if (!group.starts_with(above + "/") || group.find("/..") != std::string::npos) return point;
  const fs::path folder = (point / fs::path(group.substr(above.size())).relative_path()).lexically_normal();
  std::error_code ignored;
  return fs::is_directory(folder, ignored) ? folder : point;
}

MemoryLimit limit_of_group(const fs::path& folder, const GroupFiles& files) {
  const std::optional<double> most = number_in(folder / files.limit);
  if (!most) return {};
  const fs::path statistics = folder / "memory.stat";
  const double cache = value_after(statistics, files.inactive_cache).value_or(0) +
                       value_after(statistics, files.active_cache).value_or(0);
  const double use = number_in(folder / files.use).value_or(0);
  return {*most, std::clamp(*most - use + cache, 0.0, *most), "of a control group"};
}

/// Returns the tightest of all limits. The machine's are MemTotal and MemAvailable of the kernel.
MemoryLimit memory_limit() {
  const MemoryLimit none;
  const MemoryLimit machine{1024 * value_after("/proc/meminfo", "MemTotal:").value_or(none.most),
                            1024 * value_after("/proc/meminfo", "MemAvailable:").value_or(none.left)};
  return tightest(machine, tightest(limit_of_control_groups(), limit_of_address_space()));
}

}  // namespace

MemoryLimit tightest(const MemoryLimit& a, const MemoryLimit& b) {
  MemoryLimit both = b.left < a.left ? b : a;
  both.most = std::min(a.most, b.most);
  return both;
}

MemoryLimit limit_of_control_groups(const std::string& root_folder) {
  const fs::path root(root_folder);
  MemoryLimit limit;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {  // "4:memory:/group", version 2: "0::/group"
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty();
    if (!version2 && !has_memory(controllers)) continue;
    const std::optional<Mount> mount = mount_of(root / "proc/self/mountinfo", version2);
    if (!mount) continue;
    const fs::path top = root / fs::path(mount->point).relative_path();
    for (fs::path folder = folder_of(*mount, line.substr(second + 1), root);; folder = folder.parent_path()) {
      limit = tightest(limit, limit_of_group(folder, version2 ? kVersion2 : kVersion1));
      if (folder == top || folder == folder.parent_path()) break;
    }
  }
  return limit;
}

MemoryLimit limit_of_address_space() {
  double all = 0, ignored = 0, data = 0;  // /proc/self/statm, in pages: size resident shared text lib data
  std::ifstream("/proc/self/statm") >> all >> ignored >> ignored >> ignored >> ignored >> data;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  const auto limit = [](__rlimit_resource_t what, double used, std::string_view by) {
    rlimit bound{};
    if (::getrlimit(what, &bound) != 0 || bound.rlim_cur == RLIM_INFINITY) return MemoryLimit{};
    const auto most = static_cast<double>(bound.rlim_cur);
    return MemoryLimit{most, std::max(most - used, 0.0), by};
  };
  return tightest(limit(RLIMIT_AS, page * all, "of ulimit -v"), limit(RLIMIT_DATA, page * data, "of ulimit -d"));
}

double machine_memory() {
  static const double most = memory_limit().most;  // asked once for each of 10^5 sweep points
  return most;
}

double available_memory() { return memory_limit().left; }

std::string show_available_memory(double bytes) {
  const std::string_view by = memory_limit().by;
  return show_bytes(bytes) + (by.empty() ? "" : fmt::format(" (limit {})", by));
}

std::string show_bytes(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t u = 0;
  for (; bytes >= 1024 && u + 1 < std::size(units); ++u) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 && u > 0 ? 1 : 0, units[u]);
}

void refuse_beyond_memory(const std::string& place, const std::string& what, double needed) {
  if (needed <= available_memory()) return;
  throw ConfigError(place, fmt::format("{} needs {} of memory, but only {} are available", what, show_bytes(needed),
                                       show_available_memory()));
}

double peak_memory() {
  // getrusage has the peak of whoever started the program, too
  return 1024 * value_after("/proc/self/status", "VmHWM:").value_or(0);
}

void keep_large_arrays_out_of_heap() {
  // Without a call the first bound grows up to 32 MiB while the program runs. A call fixes both bounds.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 32 << 20);
}

void release_freed_memory() { ::malloc_trim(0); }

}  // namespace elmx
