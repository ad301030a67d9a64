#include "data/rows/number_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace elmx {
namespace {

template <class T, bool swapped>
void pick_numbers(const char* from, std::size_t stride, const arma::uword* rows, arma::uword first, arma::uword count,
                  double* to) {
  for (arma::uword i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from + (rows[i] - first) * stride, sizeof(T));
    if constexpr (swapped) std::ranges::reverse(bytes);
    to[i] = static_cast<double>(std::bit_cast<T>(bytes));
  }
}

template <class T>
NumberType type_of(bool swapped) {
  return {swapped ? pick_numbers<T, true> : pick_numbers<T, false>, sizeof(T)};
}

}  // namespace

NumberType number_type(char kind, std::size_t bytes, bool big_endian) {
  const bool swapped = big_endian != (std::endian::native == std::endian::big);
  if (kind == 'f' && bytes == 4) return type_of<float>(swapped);
  if (kind == 'f' && bytes == 8) return type_of<double>(swapped);
  if (kind == 'i' && bytes == 1) return type_of<std::int8_t>(swapped);
  if (kind == 'i' && bytes == 2) return type_of<std::int16_t>(swapped);
  if (kind == 'i' && bytes == 4) return type_of<std::int32_t>(swapped);
  if (kind == 'i' && bytes == 8) return type_of<std::int64_t>(swapped);
  if (kind == 'u' && bytes == 1) return type_of<std::uint8_t>(swapped);
  if (kind == 'u' && bytes == 2) return type_of<std::uint16_t>(swapped);
  if (kind == 'u' && bytes == 4) return type_of<std::uint32_t>(swapped);
  if (kind == 'u' && bytes == 8) return type_of<std::uint64_t>(swapped);
  return {};
}

}  // namespace elmx
