#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace elmx {

/// What no product of sizes that fit into memory is.
inline constexpr std::uint64_t kTooMany = std::numeric_limits<std::uint64_t>::max();

/// a b c ..., or kTooMany where no word holds it: for sizes that users and files give.
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
