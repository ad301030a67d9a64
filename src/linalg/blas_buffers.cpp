#include <fmt/core.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "linalg/blas.hpp"

// Functions of OpenBLAS: a buffer for one caller, which the library keeps for the next caller after its
// release.
extern "C" void* blas_memory_alloc(int position);
extern "C" void blas_memory_free(void* buffer);

namespace elmx {
namespace {

constexpr double kBuffer = 130.0 * (1 << 20);  // BUFFER_SIZE of the library on x86-64, and its alignment
constexpr double kStack = 8.0 * (1 << 20);     // stack of one more thread
constexpr double kLeast = 32.0 * (1 << 20);    // least room for everything else

int callers = std::numeric_limits<int>::max();

bool has_room(double bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  void* const room = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  ::munmap(room, size);
  return true;
}

}  // namespace

void provide_blas_buffers() {
  const MemoryLimit limit = limit_of_address_space();
  if (limit.by.empty()) return;
  ::mallopt(M_ARENA_MAX, 1);  // each arena takes 64 MiB of address space
  const int wanted =
      static_cast<int>(std::clamp(limit.left / 2 / (kBuffer + kStack), 1.0, static_cast<double>(threads())));
  std::vector<void*> buffers;
  while (static_cast<int>(buffers.size()) < wanted && has_room(kBuffer + kLeast))
    buffers.push_back(blas_memory_alloc(0));
  for (void* buffer : buffers) blas_memory_free(buffer);
  if (buffers.empty()) {
    throw ConfigError(
        fmt::format("not enough memory: {} left (limit {}), but the BLAS library needs at least {}; "
                    "raise the limit",
                    show_bytes(limit.left), limit.by, show_bytes(kBuffer + kLeast)));
  }
  callers = static_cast<int>(buffers.size());
  set_threads(callers);
}

int most_blas_callers() { return callers; }

}  // namespace elmx
