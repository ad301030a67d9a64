#include <cstddef>
#include <cstdint>

#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  elmx::fuzz::targets().front().run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
