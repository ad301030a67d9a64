#pragma once

#include <malloc.h>
#include <sys/prctl.h>

#include <fstream>
#include <functional>

#include "base/machine/machine.hpp"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace elmx {

/// Resets the peak memory of this process to its current memory; false if the kernel cannot.
inline bool forget_peak_memory() {
  std::ofstream file("/proc/self/clear_refs");
  file << 5 << std::flush;
  return file.good();
}

/// Returns false under sanitizers, which allocate memory of their own.
inline bool can_measure_memory() { return __sanitizer_set_death_callback == nullptr && forget_peak_memory(); }

/// Returns the largest amount of memory, in bytes, that f allocates at once. The second of two calls is
/// measured, when code, stacks and buffers of the BLAS library already exist. Every matrix has pages of its
/// own, no huge pages, and releases them when it is destroyed, so the result is reproducible to some 100 KB.
inline double most_bytes_taken(const std::function<void()>& f) {
  ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  ::mallopt(M_MMAP_THRESHOLD, 16 << 10);
  f();
  ::malloc_trim(0);
  forget_peak_memory();
  const double before = peak_memory();
  f();
  return peak_memory() - before;
}

}  // namespace elmx
