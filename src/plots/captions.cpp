#include <fmt/format.h>

#include <algorithm>

#include "plots/vertical_axis.hpp"

namespace elmx {
namespace {

/// "title, subtitle: what; note".
std::string caption(const std::string& title, const std::string& subtitle, const std::string& what,
                    const std::string& note) {
  return fmt::format("{}{}{}: {}{}{}", title, subtitle.empty() ? "" : ", ", subtitle, what, note.empty() ? "" : "; ",
                     note);
}

std::string caption(const Plot& plot) {
  const std::string beyond = runaways_text(runaways(plot, VerticalAxis(plot)));
  const bool has_spread = std::ranges::any_of(plot.curves, [](const Curve& curve) {
    return std::ranges::any_of(curve.points, [](const CurvePoint& point) { return point.sd > 0; });
  });
  std::string what = plot.y.label + " against " + plot.x.label;
  if (plot.style == PlotStyle::curves)
    what += fmt::format(", mean{} over repeats and folds", has_spread ? " and standard deviation" : "");
  return caption(plot.title, "", what, plot.note) + (beyond.empty() ? "" : ". Triangles at the edge: " + beyond);
}

std::string caption(const BarChart& chart) {
  const bool intervals = std::ranges::any_of(chart.series, [](const BarSeries& series) {
    return std::ranges::any_of(series.bars, [](const Bar& bar) { return std::isfinite(bar.low); });
  });
  return caption(chart.title, chart.subtitle,
                 chart.value_label + " by " + chart.group_label + (intervals ? ", with 95 % intervals" : ""),
                 chart.note);
}

std::string caption(const HeatMap& map) {
  const bool lacks = arma::any(map.lacking.elem(arma::find_finite(map.means)) > 0);
  return caption(map.title, map.subtitle,
                 fmt::format("{} by {} and {}, means over repeats and folds; the best has a frame{}{}", map.value_label,
                             map.x_label, map.y_label, lacks ? ", *: some trials have no number here" : "",
                             map.means.has_nan() ? ", hatched: no number" : ""),
                 map.note);
}

std::string caption(const ConfusionMatrix& matrix) {
  return caption(matrix.title, matrix.subtitle,
                 "true against predicted classes, counts over repeats and folds, shaded by the share of the row",
                 matrix.note);
}

}  // namespace

std::string caption_of(const Figure& figure) {
  return std::visit([](const auto& one) { return caption(one); }, figure);
}

}  // namespace elmx
