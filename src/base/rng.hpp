#pragma once

#include <cstdint>
#include <vector>

namespace elmx {

/// The purpose of a stream of random numbers. Streams of different purposes are independent.
enum class Purpose : std::uint32_t {
  layer = 1,
  split = 2,
  synthetic = 3,
  validation = 4,
  enhancement = 5,
  probe = 6,
  output = 7,
  order = 8,
  left_out = 9,
  metric = 10
};

/// Counter-based random numbers: a draw is a pure function of (seed, repeat, fold, purpose, index), so
/// results do not depend on the order of work, the number of threads, or whether a run was resumed.
///
/// Philox4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011); the
/// mappings to uniform and normal are our own, because the standard ones differ between libraries.
class Rng {
 public:
  Rng(std::uint64_t seed, Purpose purpose, std::uint32_t repeat = 0, std::uint32_t fold = 0)
      : seed_(seed), purpose_(purpose), repeat_(repeat), fold_(fold) {}

  /// Returns the stream of the same seed, repeat and fold for another purpose.
  Rng with(Purpose purpose) const { return {seed_, purpose, repeat_, fold_}; }

  /// Returns a number that is uniform on [0, 1), with 53 bits.
  double uniform(std::uint64_t index) const;

  /// Returns a standard normal number (Box-Muller on the two halves of one counter).
  double normal(std::uint64_t index) const;

  /// Returns a permutation of 0 .. n-1 (Fisher-Yates; consumes the indices first .. first + n-1).
  std::vector<std::uint64_t> permutation(std::uint64_t n, std::uint64_t first = 0) const;

 private:
  struct Bits {
    std::uint64_t first, second;
  };
  Bits bits(std::uint64_t index) const;

  std::uint64_t seed_;
  Purpose purpose_;
  std::uint32_t repeat_;
  std::uint32_t fold_;
};

}  // namespace elmx
