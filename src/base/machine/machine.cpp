#include "base/machine/machine.hpp"

#include <cblas.h>
#include <fmt/core.h>
#include <malloc.h>

#include <fstream>
#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "base/files/fsio.hpp"
#include "base/machine/memory_limits.hpp"

namespace elmx {

std::string cpu_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string program_sha256() {
  try {
    return sha256(read_file("/proc/self/exe"));
  } catch (const DataError&) {
    return "";
  }
}

std::string blas_version() {
  const std::string config = openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
  const auto first = config.find(' ');
  return config.substr(0, config.find(' ', first + 1));
}

std::string blas_kernel() { return openblas_get_corename(); }

bool cpu_has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
}

std::string better_blas_kernel(const std::string& chosen, bool has_avx512) {
  for (const std::string_view good : {"SkylakeX", "Cooperlake", "Sapphirerapids"}) {
    if (chosen == good) return "";
  }
  return has_avx512 ? "SKYLAKEX" : "";
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
  std::ifstream status("/proc/self/status");  // getrusage has the peak of whoever started the program, too
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::strtod(line.c_str() + 6, nullptr);
  }
  return 0;
}

void release_freed_memory() { ::malloc_trim(0); }

}  // namespace elmx
