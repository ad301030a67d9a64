#pragma once

#include <cstddef>

namespace elmx {

// What reading a file of HDF5, as MATLAB 7.3 writes them too, may take.
inline constexpr std::size_t kSecondsAtLeast = 5;        // of the CPU
inline constexpr std::size_t kBytesPerSecond = 5 << 20;  // a tenth of what HDF5 unpacks
inline constexpr std::size_t kUnpackedPerByte = 1100;    // deflate packs at most 1032 bytes into one

}  // namespace elmx
