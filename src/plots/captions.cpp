#include <algorithm>
#include <cmath>

#include "plots/plot.hpp"
#include "plots/vertical_axis.hpp"

namespace elmx {
namespace {

template <class Part>
std::string subject(const Part& figure) {
  return figure.title + (figure.subtitle.empty() ? "" : ", " + figure.subtitle) + ": ";
}

template <class Part>
std::string noted(const Part& figure) {
  return figure.note.empty() ? "" : "; " + figure.note;
}

bool has_spread(const Plot& plot) {
  return std::ranges::any_of(plot.curves, [](const Curve& curve) {
    return std::ranges::any_of(curve.points, [](const CurvePoint& point) { return point.sd > 0; });
  });
}

std::string caption(const Plot& plot) {
  const std::string beyond = runaways_text(runaways(plot, VerticalAxis(plot)));
  const std::string mean =
      std::string(", mean") + (has_spread(plot) ? " and standard deviation" : "") + " over repeats and folds";
  return plot.title + ": " + plot.y.label + " against " + plot.x.label + (plot.style == PlotStyle::curves ? mean : "") +
         noted(plot) + (beyond.empty() ? "" : ". Triangles at the edge: " + beyond);
}

std::string caption(const BarChart& chart) {
  const bool intervals = std::ranges::any_of(chart.series, [](const BarSeries& series) {
    return std::ranges::any_of(series.bars, [](const Bar& bar) { return std::isfinite(bar.low); });
  });
  return subject(chart) + chart.value_label + " by " + chart.group_label + (intervals ? ", with 95 % intervals" : "") +
         noted(chart);
}

std::string caption(const HeatMap& map) {
  return subject(map) + map.value_label + " by " + map.x_label + " and " + map.y_label +
         ", means over repeats and folds; the best has a frame" +
         (arma::any(map.lacking.elem(arma::find_finite(map.means)) > 0) ? ", *: some trials have no number here" : "") +
         (map.means.has_nan() ? ", hatched: no number" : "") + noted(map);
}

std::string caption(const ConfusionMatrix& matrix) {
  return subject(matrix) +
         "true against predicted classes, counts over repeats and folds, shaded by the share of the row" +
         noted(matrix);
}

}  // namespace

std::string caption_of(const Figure& figure) {
  return std::visit([](const auto& one) { return caption(one); }, figure);
}

}  // namespace elmx
