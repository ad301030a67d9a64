#include "base/machine/machine.hpp"

#include <cblas.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

namespace elmx {
namespace {

// The number of times that a waiting OpenMP thread polls before it sleeps. A poll takes 15 to 50 ns; sleeping
// and waking take some 0.05 ms. The library's default of 300 000 polls outlasts the time slice of a competing
// program, so that each wait costs time slices.
constexpr const char* kLooks = "4000";

/// Sets the number of polls. Returns true if the variable had to be set.
bool limit_looks() {
  if (std::thread::hardware_concurrency() < 2) return false;
  for (const char* name : {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}) {
    if (std::getenv(name) != nullptr) return false;
  }
  ::setenv("GOMP_SPINCOUNT", kLooks, 0);
  // elmx shares out the tiles: threads of the library would only wait.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 0);
  return true;
}

/// Requests pages of 2 MiB for large arrays, if the kernel leaves this choice to the program (glibc 2.35). On
/// virtual machines, page faults of small pages take longer than the computation of a kernel matrix.
void ask_for_huge_pages() { ::setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0); }

void execute_anew(char** argv) {
  ask_for_huge_pages();
  ::execv("/proc/self/exe", argv);
}

}  // namespace

std::string cpu_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
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

void prepare_blas_library(char** argv) {
  const bool user_chose = std::getenv("OPENBLAS_CORETYPE") != nullptr,
             one_thread = std::getenv("OPENBLAS_NUM_THREADS") != nullptr;
  const std::string better = user_chose ? "" : better_blas_kernel(blas_kernel(), cpu_has_avx512());
  const bool too_many_threads = !limit_of_address_space().by.empty() && !one_thread;
  if (better.empty() && !too_many_threads) return;
  if (!better.empty()) ::setenv("OPENBLAS_CORETYPE", better.c_str(), 1);
  if (too_many_threads) ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  limit_looks();
  execute_anew(argv);
  // Only reached if the program could not be executed again: continue with the current environment.
  if (!better.empty()) ::unsetenv("OPENBLAS_CORETYPE");
  if (!one_thread) ::unsetenv("OPENBLAS_NUM_THREADS");
}

void let_waiting_threads_sleep(char** argv) {
  if (limit_looks()) execute_anew(argv);
}

}  // namespace elmx
