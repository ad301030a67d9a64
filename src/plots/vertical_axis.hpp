#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

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
};

/// A runaway is a mean of more than so many times the median |mean| of its diagram.
inline constexpr double kRunaway = 30;

/// The y axis: as far as the curves reach that may not leave it, or all where there is none. Runaways lie
/// beyond the frame of an axis that cuts them, as a diverged training may.
struct VerticalAxis {
  explicit VerticalAxis(const Plot& plot);

  /// Where a value stands on the frame, 0 at its foot and 1 at its top; those beyond it at its edge.
  double place(double value) const;

  /// -1, 0, 1: below, within or above the frame; 0 where it is not finite.
  int beyond(double value) const;

  bool log = false;
  bool empty = true;
  double low = 0;
  double high = 1;
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

/// The name of a curve at its end.
struct CurveLabel {
  std::size_t curve = 0;
  std::vector<std::string> lines;
  double x = 0;      ///< of the last point
  double end = 0;    ///< its height on the frame, from 0 to 1
  double place = 0;  ///< height of the label, moved so that no two lie on each other
};

/// The words before a comma that all names begin with, "panel" of "panel, 20 nodes" and "panel, 40 nodes":
/// labels leave them out. "" where there are none.
std::string common_beginning(const Plot& plot);

/// One for each curve, from below; none where the names are too long or too many, or a curve has no point: a
/// legend is then needed.
std::vector<CurveLabel> curve_labels(const Plot& plot, const VerticalAxis& axis);

/// The labels to the right of the frame, each joined to its end by a line of its colour.
std::string label_lines(const std::vector<CurveLabel>& labels);

}  // namespace elmx
