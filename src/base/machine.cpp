#include "base/machine.hpp"

#include <cblas.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "base/fsio.hpp"

namespace elmx {
namespace {

double meminfo(const std::string& wanted) {
  std::ifstream lines("/proc/meminfo");
  std::string key, unit;
  for (double kilobytes = 0; lines >> key >> kilobytes;) {
    if (key == wanted) return kilobytes * 1024;
    std::getline(lines, unit);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

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
  } catch (const UserError&) {
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
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
}

std::string better_blas_kernel(const std::string& chosen, bool has_avx512) {
  for (const std::string_view good : {"SkylakeX", "Cooperlake", "Sapphirerapids"}) {
    if (chosen == good) return "";
  }
  return has_avx512 ? "SKYLAKEX" : "";
}

double machine_memory() { return meminfo("MemTotal:"); }
double available_memory() { return meminfo("MemAvailable:"); }

std::string show_bytes(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t u = 0;
  for (; bytes >= 1024 && u + 1 < std::size(units); ++u) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, bytes < 10 && u > 0 ? "%.1f %s" : "%.0f %s", bytes, units[u]);
  return text;
}

void refuse_beyond_memory(const std::string& place, const std::string& what, double needed) {
  const double available = available_memory();
  if (needed <= available) return;
  throw ConfigError(place + ": " + what + " needs " + show_bytes(needed) + " of memory; allowed: what is available, " +
                    show_bytes(available));
}

double peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace elmx
