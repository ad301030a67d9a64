#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace elmx {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// From the least to the largest of finite values.
struct Span {
  double low = kInfinity;
  double high = -kInfinity;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

}  // namespace elmx
