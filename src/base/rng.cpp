#include "base/rng.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace elmx {

Rng::Bits Rng::bits(std::uint64_t index) const {
  // counter = (index, repeat, purpose | fold): the purpose takes the top 8 bits of the last word.
  const r123::Philox4x32::ctr_type counter{{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                                            repeat_, static_cast<std::uint32_t>(purpose_) << 24 | (fold_ & 0xFFFFFFU)}};
  const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {std::uint64_t{out[0]} << 32 | out[1], std::uint64_t{out[2]} << 32 | out[3]};
}

double Rng::uniform(std::uint64_t index) const { return static_cast<double>(bits(index).first >> 11) * 0x1.0p-53; }

double Rng::normal(std::uint64_t index) const {
  const auto [first, second] = bits(index);
  const double u = static_cast<double>((first >> 11) + 1) * 0x1.0p-53;  // (0, 1]: log(u) is finite
  const double v = static_cast<double>(second >> 11) * 0x1.0p-53;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

std::vector<std::uint64_t> Rng::permutation(std::uint64_t n, std::uint64_t first) const {
  std::vector<std::uint64_t> order(n);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t i = n; i > 1; --i) {
    const auto j = static_cast<std::uint64_t>(uniform(first + i - 1) * static_cast<double>(i));
    std::swap(order[i - 1], order[j]);
  }
  return order;
}

}  // namespace elmx
