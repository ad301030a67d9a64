#include "report/plots/vertical_axis.hpp"

#include "base/printable.hpp"
#include "report/formats/table.hpp"
#include "statistics/summary.hpp"

namespace elmx {

VerticalAxis::VerticalAxis(const Plot& plot) {
  std::vector<CurvePoint> points, leaving;
  for (const Curve& curve : plot.curves) {
    for (const CurvePoint& point : curve.points) {
      if (std::isfinite(point.mean)) (curve.may_leave ? leaving : points).push_back(point);
    }
  }
  if (points.empty()) points = std::move(leaving);
  if (points.empty()) return;
  empty = false;
  std::vector<double> sizes;
  for (const CurvePoint& point : points) sizes.push_back(std::abs(point.mean));
  const double median = quantile(std::move(sizes), 0.5);
  const double most = plot.y.cuts_outliers && median > 0 ? kOutlier * median : kInfinity;
  std::erase_if(points, [&](const CurvePoint& point) { return std::abs(point.mean) > most; });
  Span means, span;
  for (const CurvePoint& point : points) means.add(point.mean);
  log = plot.y.log && means.low > 0 && means.high > 2 * means.low;
  for (const CurvePoint& point : points) {
    const double sd = std::isfinite(point.sd) ? point.sd : 0;
    span.add(std::min({point.mean + sd, plot.y.most, most}));
    span.add(std::max({log ? std::max(point.mean - sd, point.mean / 2) : point.mean - sd, plot.y.least, -most}));
  }
  const double margin = log ? std::pow(span.high / span.low, 0.04) : 0.04 * (span.high - span.low);
  const double least = std::max(0.01 * std::abs(span.high), std::numeric_limits<double>::min());
  low = log ? span.low / margin : span.low - std::max(margin, least);
  high = std::min(log ? span.high * margin : span.high + std::max(margin, least), std::numeric_limits<double>::max());
}

double VerticalAxis::place(double value) const {
  const double inside = std::clamp(value, low, high);
  // The range is halved because the difference of two doubles of opposite signs may overflow.
  return log ? std::log(inside / low) / std::log(high / low)
             : (inside / 2 - low / 2) / std::max(high / 2 - low / 2, std::numeric_limits<double>::min());
}

int VerticalAxis::beyond(double value) const {
  return std::isfinite(value) && !empty ? (value > high) - (value < low) : 0;
}

std::vector<Outlier> outliers(const Plot& plot, const VerticalAxis& axis) {
  std::vector<Outlier> all;
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

std::string outliers_text(const std::vector<Outlier>& all) {
  if (all.empty()) return "";
  Span above, below;
  for (const Outlier& one : all) (one.side > 0 ? above : below).add(one.point.mean);
  std::string text = counted(all.size(), "value") + (all.size() == 1 ? " lies" : " lie") + " beyond the frame";
  if (std::isfinite(above.high)) text += ", up to " + show(above.high, significant(2));
  if (std::isfinite(below.low))
    text += std::string(text.ends_with("frame") ? "," : " and") + " down to " + show(below.low, significant(2));
  return text;
}

}  // namespace elmx
