#pragma once

#include <malloc.h>
#include <sys/prctl.h>

#include <fstream>
#include <functional>

#include "base/machine/machine.hpp"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace elmx {

/// Has the kernel count the peak of this process anew from what it holds now; false where it does not.
inline bool forget_peak_memory() {
  std::ofstream file("/proc/self/clear_refs");
  file << 5 << std::flush;
  return file.good();
}

/// Not where sanitizers are, which take memory of their own.
inline bool can_measure_memory() { return __sanitizer_set_death_callback == nullptr && forget_peak_memory(); }

/// Bytes of memory that f takes at most beyond what was taken before. The second of two calls is measured:
/// code, stacks and buffers of the BLAS library are then there. Every matrix has pages of its own, none of
/// them huge, and gives them back when it goes, so that the number is the same to some 100 KB whenever it is
/// taken.
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
