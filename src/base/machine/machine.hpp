#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// An attribute of a function that is compiled for three generations of processors, among which the loader
/// chooses. Only for GCC: clang 14 uses the AVX-512 code on every processor if a declaration in a header
/// comes first.
#ifdef __clang__
#define ELMX_CPU_CLONES
#else
#define ELMX_CPU_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#endif

namespace elmx {

// Processor and BLAS library

/// Returns the CPU name that the kernel reports: "AMD EPYC 9554 64-Core Processor".
std::string cpu_name();

/// Returns true if the CPU has AVX-512 F, DQ, BW, VL and CD.
bool cpu_has_avx512();

/// Return the version and the kernel set of the BLAS library: "OpenBLAS 0.3.21", "SkylakeX".
std::string blas_version();
std::string blas_kernel();

/// Returns the kernel set that OpenBLAS 0.3.21 should have chosen, or "" if its choice is right. OpenBLAS
/// does not know newer CPUs and falls back to AVX2 kernels on machines with AVX-512.
std::string better_blas_kernel(const std::string& chosen, bool cpu_has_avx512);

// OpenBLAS and OpenMP read their environment variables when they are loaded, before main. To set a variable,
// the program must execute itself again (some 20 ms). Each function returns if there is nothing to set, or if
// the program cannot be executed again. Variables that the user has set are kept.

/// Executes the program again with OPENBLAS_CORETYPE if a better kernel set exists, and with
/// OPENBLAS_NUM_THREADS=1 if the address space is limited, because each thread of the library takes 128 MiB
/// and waits forever if there is no room. Call it first in main.
void prepare_blas_library(char** argv);

/// Executes the program again with GOMP_SPINCOUNT set, so that a waiting thread sleeps after some 0.1 ms and
/// leaves its core to other programs. Call it before long work starts.
void let_waiting_threads_sleep(char** argv);

// Memory, in bytes

/// A limit on the memory of this process: the limit itself and the part that is still free.
struct MemoryLimit {
  double most = std::numeric_limits<double>::infinity();
  double left = std::numeric_limits<double>::infinity();
  std::string_view by = "";  ///< the source of the limit; "" = the machine
};

/// Returns the limit that leaves less free memory.
MemoryLimit tightest(const MemoryLimit& a, const MemoryLimit& b);

/// Returns the tightest limit of the process's control groups (versions 1 and 2) and their ancestors. Pages
/// that only cache files count as free. `root` is the folder that contains /proc and /sys.
MemoryLimit limit_of_control_groups(const std::string& root = "/");

/// Returns the limits of ulimit -v and -d: RLIMIT_AS and RLIMIT_DATA minus the memory in use. `by` is "" if
/// neither is set.
MemoryLimit limit_of_address_space();

/// Return the total and the available memory of this process, as limited by the machine, control groups and
/// ulimit.
double machine_memory();
double available_memory();

/// Formats available memory with the limit that applies: "22 GiB", "280 MiB (limit of a control group)".
std::string show_available_memory(double bytes = available_memory());

/// Formats a number of bytes: "1.5 GiB".
std::string show_bytes(double bytes);

/// Throws ConfigError ("PLACE: WHAT needs 5 GiB of memory, but only 3 GiB are available") if `needed` bytes
/// exceed the available memory.
void refuse_beyond_memory(const std::string& place, const std::string& what, double needed);

/// Returns the peak resident memory of this process.
double peak_memory();

/// Gives arrays of 1 MiB and more pages of their own, which return to the system when they are freed. In the
/// heap they would leave holes: a run of S3ELM took twice the memory.
void keep_large_arrays_out_of_heap();

/// Returns freed heap pages to the system. Otherwise arrays of some megabytes that are allocated and freed in
/// turn would fragment the heap more with each task.
void release_freed_memory();

// Processes and threads

/// The result of run_program if the program was killed because it took too long.
inline constexpr int kTookTooLong = -1;

/// Runs a program (found in $PATH) with its arguments in `folder`, without a shell, and waits for its end, at
/// most `limit` if one is given. Its input is empty and its output is discarded. Returns its exit code, or
/// 128 + signal if a signal ended it; none if there is no such program. Throws std::system_error if the
/// program cannot be started for another reason.
std::optional<int> run_program(const std::vector<std::string>& program_and_arguments,
                               const std::filesystem::path& folder,
                               std::optional<std::chrono::milliseconds> limit = std::nullopt);

/// Returns the number of threads, at least 1 and at most `wanted`, that the system can start now, including
/// this thread but not the thread for progress. The OpenMP library ends the program if it cannot
/// start a thread.
int startable_threads(int wanted);

/// Returns f(), called on a stack of at least 8 MiB even if `ulimit -s` is lower. Other threads get the same
/// size.
int on_enough_stack(const std::function<int()>& f);

}  // namespace elmx
