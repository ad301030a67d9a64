#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"
#include "report/formats/table.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "statistics/summary.hpp"

namespace elmx {
namespace {

constexpr double kLine = 0.062, kGap = 0.014;  ///< line height and label gap, as shares of the frame

/// Breaks a name into lines at commas and before brackets; returns none if the name is too long.
std::vector<std::string> lines_of(const std::string& name) {
  constexpr std::size_t kLongestLine = 22, kMostLabelLines = 3;
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t comma = name.find(", ", at);
    const std::size_t end =
        std::min({comma == std::string::npos ? name.size() : comma + 1, name.find(" (", at), name.size()});
    const std::string part = name.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + part.size() > kLongestLine) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + part;
    if (lines.back().size() > kLongestLine || lines.size() > kMostLabelLines) return {};
    at = end + 1;
  }
  return lines;
}

/// Returns true if the text begins with a trait ("ridge = 0.1", "20 nodes"), not with an algorithm.
bool begins_with_trait(const std::string& text) {
  const std::string first = text.substr(0, std::min(text.find(", "), text.find(" (")));
  return first.find(" = ") != std::string::npos ||
         (first[0] >= '0' && first[0] <= '9' && first.find(' ') != std::string::npos);
}

double height(const CurveLabel& label) { return kGap + kLine * static_cast<double>(label.lines.size()); }

/// Places labels as near to the ends of their curves as their heights allow. Overlapping labels can be raised
/// from below and then pushed under the top, or the other way round; the mean of both placements keeps them
/// apart, too.
void spread(std::vector<CurveLabel>& labels) {
  for (const bool raise_first : {true, false}) {
    std::vector<double> feet;
    for (const CurveLabel& label : labels) feet.push_back(label.end - height(label) / 2);
    for (const bool raise : {raise_first, !raise_first}) {
      double edge = raise ? 0 : 1;
      for (std::size_t k = 0; k < labels.size(); ++k) {
        const std::size_t i = raise ? k : labels.size() - 1 - k;
        feet[i] = raise ? std::max(feet[i], edge) : std::min(feet[i], edge - height(labels[i]));
        edge = raise ? feet[i] + height(labels[i]) : feet[i];
      }
    }
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i].place += (feet[i] + height(labels[i]) / 2) / 2;
  }
}

}  // namespace

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

std::string common_beginning(const Plot& plot) {
  if (plot.curves.size() < 2) return "";
  const std::string& first = plot.curves[0].name;
  for (std::size_t end = first.rfind(", "); end != std::string::npos && end > 0; end = first.rfind(", ", end - 1)) {
    const std::string beginning = first.substr(0, end + 2);
    if (std::ranges::all_of(plot.curves, [&](const Curve& curve) {
          return curve.name.starts_with(beginning) && begins_with_trait(curve.name.substr(beginning.size()));
        }))
      return first.substr(0, end);
  }
  return "";
}

std::vector<CurveLabel> curve_labels(const Plot& plot, const VerticalAxis& axis) {
  if (plot.curves.size() > kPlotColours || plot.style != PlotStyle::curves) return {};
  const std::string common = common_beginning(plot);
  std::vector<CurveLabel> labels;
  double sum = 0;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    const auto last = std::find_if(curve.points.rbegin(), curve.points.rend(),
                                   [](const CurvePoint& point) { return std::isfinite(point.mean); });
    CurveLabel label{i, lines_of(one_line(curve.name.substr(common.empty() ? 0 : common.size() + 2)))};
    if (last == curve.points.rend() || label.lines.empty()) return {};
    label.x = last->x;
    label.end = axis.place(last->mean);
    sum += height(label);
    labels.push_back(std::move(label));
  }
  if (sum > 1) return {};
  std::ranges::stable_sort(labels, {}, &CurveLabel::end);
  spread(labels);
  return labels;
}

std::string label_lines(const std::vector<CurveLabel>& labels) {
  std::size_t longest = 0;
  std::string script;
  for (const CurveLabel& label : labels) {
    script += fmt::format(
        "set arrow from first {}, graph {} to graph 1.025, graph {} nohead linecolor rgb '{}' linewidth 1 dashtype "
        "(2,3) front\n",
        gnuplot_number(label.x), gnuplot_number(label.end), gnuplot_number(label.place), plot_colour(label.curve));
    double place = label.place + kLine * (static_cast<double>(label.lines.size()) - 1) / 2;
    for (const std::string& line : label.lines) {
      longest = std::max(longest, line.size());
      script += fmt::format("set label {} at graph 1.035, graph {} left front\n", gnuplot_quoted(line),
                            gnuplot_number(place));
      place -= kLine;
    }
  }
  return script + fmt::format("set rmargin {}\n", longest * 4 / 5 + 4);
}

}  // namespace elmx
