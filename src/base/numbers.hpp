#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace elmx {

/// A value that is not known.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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

/// Returns the square root of a sum of squares divided by `freedom`. terms(s) is the sum of the squares of
/// the numbers divided by s; s = `largest` is used if the plain squares overflow.
template <class Terms>
double root_of_squares(double largest, double freedom, const Terms& terms) {
  const double plain = std::sqrt(terms(1.0) / freedom);
  return std::isfinite(plain) || !std::isfinite(largest) ? plain : largest * std::sqrt(terms(largest) / freedom);
}

struct MeanAndSd {
  double mean;
  double sd;  ///< sample standard deviation (n - 1 in the denominator); NaN if n < 2
};

/// Computes the mean and sd of value(0), ..., value(n - 1); both are NaN if n = 0.
template <class Value>
MeanAndSd mean_and_sd(std::size_t n, const Value& value) {
  if (n == 0) return {nan, nan};
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += value(i);
  const double mean = sum / static_cast<double>(n);
  if (n < 2) return {mean, nan};
  double largest = std::abs(mean);
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(value(i)));
  return {mean, root_of_squares(largest, static_cast<double>(n - 1), [&](double scale) {
            double of_scaled = 0;
            for (std::size_t i = 0; i < n; ++i) of_scaled += ((value(i) - mean) / scale) * ((value(i) - mean) / scale);
            return of_scaled;
          })};
}

}  // namespace elmx
