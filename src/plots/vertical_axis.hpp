#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "plots/plot.hpp"

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

/// A runaway is a mean of more than so many times the median |mean| of its diagram.
inline constexpr double kRunaway = 30;

/// The y axis: as far as the curves reach that may not leave it, or all where there is none. Runaways lie beyond the
/// frame of an axis that cuts them, as a diverged training may.
class VerticalAxis {
 public:
  explicit VerticalAxis(const Plot& plot);

  bool log() const { return log_; }
  bool empty() const { return empty_; }
  double low() const { return low_; }
  double high() const { return high_; }

  /// Where a value stands on the frame, 0 at its foot and 1 at its top; those beyond it at its edge.
  double place(double value) const;

  /// -1, 0, 1: below, within or above the frame; 0 where it is not finite.
  int beyond(double value) const;

 private:
  bool log_ = false;
  bool empty_ = true;
  double low_ = 0;
  double high_ = 1;
};

struct Runaway {
  std::size_t curve = 0;
  CurvePoint point;
  int side = 0;       ///< -1: below the frame, 1: above it
  bool first = true;  ///< the point before it is within the frame
};

/// The points of the curves that lie beyond the frame.
std::vector<Runaway> runaways(const Plot& plot, const VerticalAxis& axis);

/// "3 values lie beyond the frame, up to 1.2e+06"; "" where there is none.
std::string runaways_text(const std::vector<Runaway>& all);

}  // namespace elmx
