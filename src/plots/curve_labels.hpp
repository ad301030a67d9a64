#pragma once

#include <string>
#include <vector>

#include "plots/vertical_axis.hpp"

namespace elmx {

/// The name of a curve at its end.
struct CurveLabel {
  std::size_t curve = 0;
  std::vector<std::string> lines;
  double x = 0;      ///< of the last point
  double end = 0;    ///< its height on the frame, from 0 to 1
  double place = 0;  ///< height of the label, moved so that no two lie on each other
};

/// The words before a comma that all names begin with, "panel" of "panel, 20 nodes" and "panel, 40 nodes": labels leave
/// them out. "" where there are none.
std::string common_beginning(const Plot& plot);

/// One for each curve, from below; none where the names are too long or too many, or a curve has no point: a legend is
/// then needed.
std::vector<CurveLabel> curve_labels(const Plot& plot, const VerticalAxis& axis);

/// The labels to the right of the frame, each joined to its end by a line of its colour.
std::string label_lines(const std::vector<CurveLabel>& labels);

}  // namespace elmx
