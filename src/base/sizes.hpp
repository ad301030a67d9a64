#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace elmx {

/// A value that no product of sizes that fit into memory reaches.
inline constexpr std::uint64_t kTooMany = std::numeric_limits<std::uint64_t>::max();

/// Returns the product a b c ..., or kTooMany on overflow, for sizes from users and files.
constexpr std::uint64_t product_of_sizes(std::initializer_list<std::uint64_t> sizes) {
  std::uint64_t product = 1;
  for (const std::uint64_t size : sizes) {
    if (size == 0) return 0;
  }
  for (const std::uint64_t size : sizes) {
    if (product > kTooMany / size) return kTooMany;
    product *= size;
  }
  return product;
}

}  // namespace elmx
