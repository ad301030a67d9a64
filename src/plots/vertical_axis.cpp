#include "plots/vertical_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/printable.hpp"
#include "statistics/summary.hpp"
#include "table_formats/table.hpp"

namespace elmx {
namespace {

std::vector<CurvePoint> points_that_stay(const Plot& plot) {
  std::vector<CurvePoint> staying, all;
  for (const Curve& curve : plot.curves) {
    for (const CurvePoint& point : curve.points) {
      if (!std::isfinite(point.mean)) continue;
      all.push_back(point);
      if (!curve.may_leave) staying.push_back(point);
    }
  }
  return staying.empty() ? all : staying;
}

/// The largest |mean| that is no runaway.
double most_of(const PlotAxis& axis, const std::vector<CurvePoint>& points) {
  std::vector<double> sizes;
  for (const CurvePoint& point : points) sizes.push_back(std::abs(point.mean));
  const double median = quantile(std::move(sizes), 0.5);
  return axis.cuts_runaways && median > 0 ? kRunaway * median : kInfinity;
}

}  // namespace

VerticalAxis::VerticalAxis(const Plot& plot) {
  std::vector<CurvePoint> points = points_that_stay(plot);
  if (points.empty()) return;
  empty_ = false;
  const double most = most_of(plot.y, points);
  std::erase_if(points, [&](const CurvePoint& point) { return std::abs(point.mean) > most; });
  Span means, span;
  for (const CurvePoint& point : points) means.add(point.mean);
  log_ = plot.y.log && means.low > 0 && means.high > 2 * means.low;
  for (const CurvePoint& point : points) {
    const double sd = std::isfinite(point.sd) ? point.sd : 0;
    span.add(std::min({point.mean + sd, plot.y.most, most}));
    span.add(std::max({log_ ? std::max(point.mean - sd, point.mean / 2) : point.mean - sd, plot.y.least, -most}));
  }
  const double margin = log_ ? std::pow(span.high / span.low, 0.04) : 0.04 * (span.high - span.low);
  const double least = std::max(0.01 * std::abs(span.high), std::numeric_limits<double>::min());
  low_ = log_ ? span.low / margin : span.low - std::max(margin, least);
  high_ = std::min(log_ ? span.high * margin : span.high + std::max(margin, least), std::numeric_limits<double>::max());
}

double VerticalAxis::place(double value) const {
  const double inside = std::clamp(value, low_, high_);
  // Halves: the difference of two doubles of opposite signs may overflow.
  return log_ ? std::log(inside / low_) / std::log(high_ / low_)
              : (inside / 2 - low_ / 2) / std::max(high_ / 2 - low_ / 2, std::numeric_limits<double>::min());
}

int VerticalAxis::beyond(double value) const {
  return std::isfinite(value) && !empty_ ? (value > high_) - (value < low_) : 0;
}

std::vector<Runaway> runaways(const Plot& plot, const VerticalAxis& axis) {
  std::vector<Runaway> all;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    int before = 0;
    for (const CurvePoint& point : plot.curves[i].points) {
      const int side = axis.beyond(point.mean);
      if (side != 0) all.push_back({i, point, side, side != before});
      before = side;
    }
  }
  return all;
}

std::string runaways_text(const std::vector<Runaway>& all) {
  if (all.empty()) return "";
  Span span;
  for (const Runaway& one : all) span.add(one.point.mean);
  const bool above = std::ranges::any_of(all, [](const Runaway&one) { return one.side > 0; }),
             below = std::ranges::any_of(all, [](const Runaway&one) { return one.side < 0; });
  std::string text =
      all.size() == 1 ? "1 value lies beyond the frame" : counted(all.size(), "value") + " lie beyond the frame";
  if (above) text += ", up to " + show(span.high, significant(2));
  if (below) text += std::string(above ? " and" : ",") + " down to " + show(span.low, significant(2));
  return text;
}

}  // namespace elmx
