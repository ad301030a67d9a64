#pragma once

#include <string>

namespace elmx {

/// Returns the CPU name that the kernel reports: "AMD EPYC 9554 64-Core Processor".
std::string cpu_name();

/// Returns the SHA-256 of the running program, or "" if it cannot be read.
std::string program_sha256();

/// Return the version and the kernel set of the BLAS library: "OpenBLAS 0.3.21", "SkylakeX".
std::string blas_version();
std::string blas_kernel();

/// Returns the kernel set that OpenBLAS 0.3.21 should have chosen, or "" if its choice is right. OpenBLAS
/// does not know newer CPUs and falls back to AVX2 kernels on machines with AVX-512.
std::string better_blas_kernel(const std::string& chosen, bool cpu_has_avx512);

/// Returns true if the CPU has AVX-512 F, DQ, BW, VL and CD.
bool cpu_has_avx512();

/// Return the total and the available memory of this process in bytes, as limited by the machine, control
/// groups and ulimit.
double machine_memory();
double available_memory();

/// Formats available memory with the limit that applies: "22 GiB", "280 MiB (limit of a control group)".
std::string show_available_memory(double bytes = available_memory());

/// Formats a number of bytes: "1.5 GiB".
std::string show_bytes(double bytes);

/// Throws ConfigError ("PLACE: WHAT needs 5 GiB of memory, but only 3 GiB are available") if `needed` bytes exceed
/// the available memory.
void refuse_beyond_memory(const std::string& place, const std::string& what, double needed);

/// Returns the peak resident memory of this process in bytes.
double peak_memory();

/// Returns freed heap pages to the system. Otherwise arrays of some megabytes that are allocated and freed in
/// turn would fragment the heap more with each task.
void release_freed_memory();

}  // namespace elmx
