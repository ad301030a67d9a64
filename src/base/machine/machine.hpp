#pragma once

#include <string>

namespace elmx {

/// "AMD EPYC 9554 64-Core Processor", from the kernel.
std::string cpu_name();

/// SHA-256 of the program that runs; "" where it cannot be read.
std::string program_sha256();

/// Version and kernel set of the BLAS library: "OpenBLAS 0.3.21", "SkylakeX".
std::string blas_version();
std::string blas_kernel();

/// The kernel set that OpenBLAS 0.3.21 should have chosen, or "" where its choice is right. It does not know
/// CPUs that are newer than itself and falls back to AVX2 kernels on machines with AVX-512.
std::string better_blas_kernel(const std::string& chosen, bool cpu_has_avx512);

/// True if the CPU has AVX-512 F, DQ, BW, VL and CD.
bool cpu_has_avx512();

/// Memory that this process may have in all, and what is left of it now, in bytes: by the machine, its
/// control groups and ulimit.
double machine_memory();
double available_memory();

/// "22 GiB", "280 MiB (limit of a control group)": so many bytes, and what limits them.
std::string show_available_memory(double bytes = available_memory());

/// "1.5 GiB".
std::string show_bytes(double bytes);

/// Throws ConfigError ("place: what needs ... of memory; allowed: ...") where `needed` bytes are more than is
/// available.
void refuse_beyond_memory(const std::string& place, const std::string& what, double needed);

/// Peak resident memory of this process in bytes.
double peak_memory();

/// Gives what was freed back to the system, in whole pages. Between arrays of some megabytes that are
/// allocated and freed in turn the heap keeps holes, which would grow from task to task.
void release_freed_memory();

}  // namespace elmx
