#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "report/plots/plot.hpp"

namespace elmx {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The range from the least to the largest finite value.
struct Span {
  double low = kInfinity;
  double high = -kInfinity;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// An outlier is a mean of more than kOutlier times the median |mean| of its diagram.
inline constexpr double kOutlier = 30;

/// The y axis. It includes the curves that may not leave it, or all curves if there are no such. Outliers lie
/// outside an axis with cuts_outliers, and so may diverged trainings.
struct VerticalAxis {
  explicit VerticalAxis(const Plot& plot);

  /// Returns the height of a value on the frame, from 0 (bottom) to 1 (top); values outside are clamped.
  double place(double value) const;

  /// Returns -1, 0 or 1 for a value below, within or above the frame; 0 if it is not finite.
  int beyond(double value) const;

  bool log = false;
  bool empty = true;
  double low = 0;
  double high = 1;
};

struct Outlier {
  std::size_t curve = 0;
  CurvePoint point;
  int side = 0;       ///< -1: below the frame, 1: above it
  bool first = true;  ///< the previous point is within the frame
};

/// Returns the points of the curves that lie outside the frame.
std::vector<Outlier> outliers(const Plot& plot, const VerticalAxis& axis);

/// Returns "3 values lie beyond the frame, up to 1.2e+06"; "" if there is none.
std::string outliers_text(const std::vector<Outlier>& all);

/// The name of a curve at its end.
struct CurveLabel {
  std::size_t curve = 0;
  std::vector<std::string> lines;
  double x = 0;      ///< x of the last point
  double end = 0;    ///< its height on the frame, from 0 to 1
  double place = 0;  ///< height of the label, moved so that labels do not overlap
};

/// Returns the words before a comma with which all names begin, "panel" of "panel, 20 nodes" and "panel, 40
/// nodes". Labels omit them. "" if there are none.
std::string common_beginning(const Plot& plot);

/// Returns one label per curve, from below. Returns none if names are too long or too many, or a curve has no
/// point; a legend is then needed.
std::vector<CurveLabel> curve_labels(const Plot& plot, const VerticalAxis& axis);

/// Returns the labels to the right of the frame, each joined to the end of its curve by a line of its colour.
std::string label_lines(const std::vector<CurveLabel>& labels);

}  // namespace elmx
