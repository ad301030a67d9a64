#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "report/plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

/// gnuplot's fill patterns: full, hatched in either direction, crossed, empty, ...
constexpr int kPatterns[] = {3, 4, 5, 1, 0, 2, 6, 7};

bool any_finite(const Curve& curve, double CurvePoint::*number) {
  return std::ranges::any_of(curve.points, [&](const CurvePoint& point) { return std::isfinite(point.*number); });
}

/// The axis of the values. Whiskers may reach ten times as far as the bars before they are cut.
struct ValueAxis {
  double low = 1;
  double high = 1;
  bool log = false;
};

ValueAxis value_axis(const Plot& plot) {
  std::vector<CurvePoint> bars;
  for (const Curve& curve : plot.curves)
    std::ranges::copy_if(curve.points, std::back_inserter(bars),
                         [](const CurvePoint& bar) { return std::isfinite(bar.mean); });
  ValueAxis axis;
  for (const CurvePoint& bar : bars) {
    axis.low = std::min(axis.low, bar.mean);
    axis.high = std::max(axis.high, bar.mean);
  }
  axis.log = axis.low > 0 && axis.high > 10 * axis.low;
  const double least = axis.low / 10, most = axis.high * (axis.log ? 10 : 2);
  for (const CurvePoint& bar : bars) {
    if (std::isfinite(bar.high)) axis.high = std::max(axis.high, std::min(bar.high, most));
    if (std::isfinite(bar.low)) axis.low = std::min(axis.low, std::max(bar.low, least));
  }
  axis.low = axis.log ? axis.low / 1.15 : 0;
  axis.high *= axis.log ? 1.15 : 1.05;
  return axis;
}

/// Returns the axis of the groups, which are at 0, 1, 2, ... gnuplot reads the label of a tic as a format.
std::string group_axis(const std::vector<std::string>& groups) {
  std::vector<std::string> tics;
  for (const std::string& group : groups) {
    std::string label;
    for (const char c : group) label += c == '%' ? "%%" : std::string(1, c);
    tics.push_back(fmt::format("{} {}", gnuplot_quoted(label), tics.size()));
  }
  return axis_lines("x", -0.6, static_cast<double>(groups.size()) - 0.4) +
         fmt::format("set xtics ({}) scale 0\n", fmt::join(tics, ", "));
}

/// Returns the clauses of all bars, then of all whiskers.
std::vector<std::string> clauses_of_bars(const Plot& plot) {
  std::vector<std::string> bars, whiskers;
  const auto count = static_cast<double>(plot.curves.size());
  const double width = 0.8 / count;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const double offset = width * (static_cast<double>(i) - (count - 1) / 2);
    const std::string middle = gnuplot_number(offset);
    bars.push_back(fmt::format(
        "data index {} using ($0 + {}):2:($0 + {}):($0 + {}):(foot($2)):(top($2)) with boxxyerror linecolor rgb '{}' "
        "fillstyle pattern {} title {}",
        i, middle, gnuplot_number(offset - 0.45 * width), gnuplot_number(offset + 0.45 * width), plot_colour(i),
        kPatterns[i % std::size(kPatterns)], gnuplot_quoted(plot.curves[i].name)));
    // yerrorbars would cut a hole for their marker into the bar.
    whiskers.push_back(fmt::format(
        "data index {} using ($3 == $3 ? $0 + {} : NaN):(cut($3)):(0):(cut($4) - cut($3)):(1 + ($3 < low) + 2 * ($4 > "
        "high)) with vectors arrowstyle variable notitle",
        i, middle));
  }
  bars.insert(bars.end(), whiskers.begin(), whiskers.end());
  return bars;
}

/// Quotes a name for a data file, where a backslash escapes: backslashes and quotes become apostrophes.
std::string data_word(const std::string& text) {
  std::string word = one_line(text);
  std::ranges::replace_if(
      word, [](char c) { return c == '"' || c == '\\'; }, '\'');
  return '"' + word + '"';
}

/// gnuplot's circle, square, triangles and other marks, open and filled.
constexpr int kOpenMarks[] = {6, 4, 8, 12, 10, 14}, kFilledMarks[] = {7, 5, 9, 13, 11, 15};

constexpr const char* kMeasuredLine = "linewidth 2";
constexpr const char* kPublishedLine = "linewidth 1 dashtype (12,6)";

/// Returns the clauses of `plot`: intervals, measured curves, published curves, legend. The marks become
/// smaller from curve to curve, so that marks of equal values remain visible.
std::vector<std::string> clauses_of_comparison(const Plot& plot) {
  std::vector<std::string> clauses, measured, published,
      legend{fmt::format("keyentry with lines linecolor rgb 'black' {} title \"measured\"", kMeasuredLine),
             fmt::format("keyentry with lines linecolor rgb 'black' {} title \"published\"", kPublishedLine)};
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    const std::string data = fmt::format("data index {} using ", i),
                      colour = fmt::format("linecolor rgb '{}'", plot_colour(i));
    const int open = kOpenMarks[i % std::size(kOpenMarks)], filled = kFilledMarks[i % std::size(kFilledMarks)];
    const double size = std::max(0.8, 1.8 - 0.2 * static_cast<double>(i));
    // yerrorbars would cut a hole for their marker into the curve.
    if (any_finite(curve, &CurvePoint::low) && any_finite(curve, &CurvePoint::high))
      clauses.push_back(fmt::format("{}1:4:(0):($5 - $4) with vectors heads size graph 0.006,90 {} linewidth 1 notitle",
                                    data, colour));
    if (any_finite(curve, &CurvePoint::mean))
      measured.push_back(fmt::format("{}1:3 with linespoints {} {} pointtype {} pointsize {:.2f} notitle", data, colour,
                                     kMeasuredLine, filled, 0.45 * size));
    if (any_finite(curve, &CurvePoint::published))
      published.push_back(fmt::format("{}1:2 with linespoints {} {} pointtype {} pointsize {:.2f} notitle", data,
                                      colour, kPublishedLine, open, size));
    legend.push_back(fmt::format("keyentry with points {} pointtype {} pointsize 1 title {}", colour, filled,
                                 gnuplot_quoted(curve.name)));
  }
  for (const auto* more : {&measured, &published, &legend}) clauses.insert(clauses.end(), more->begin(), more->end());
  return clauses;
}

}  // namespace

Drawing drawing_of_bars(const Plot& plot) {
  const ValueAxis axis = value_axis(plot);
  Drawing drawing{"",
                  data_of(plot, "group value low high",
                          [&](const CurvePoint& bar) {
                            return fmt::format(
                                "{} {} {} {}", data_word(plot.groups.at(static_cast<std::size_t>(bar.x))),
                                gnuplot_number(bar.mean), gnuplot_number(bar.low), gnuplot_number(bar.high));
                          }),
                  plot.x.label,
                  plot.y.label,
                  {},
                  plot.subtitle};
  add_note(drawing.note, plot.note);
  bool intervals = false;
  for (const Curve& curve : plot.curves) {
    drawing.legend.push_back(curve.name);
    intervals = intervals || any_finite(curve, &CurvePoint::low);
  }
  drawing.caption =
      caption(plot.title, plot.subtitle,
              plot.y.label + " by " + plot.x.label + (intervals ? ", with 95 % intervals" : ""), plot.note);
  drawing.lines = group_axis(plot.groups) + axis_lines("y", axis.low, axis.high, axis.log);
  drawing.lines += fmt::format(
      "set arrow from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb 'black' linewidth 1 dashtype (4,4) "
      "back\n"
      "# bars from {0}; whiskers are 95 % intervals, cut where the axis ends\n"
      "foot(v) = v < {0} ? v : {0}\ntop(v) = v < {0} ? {0} : v\n"
      "low = {1}\nhigh = {2}\ncut(v) = v < low ? low : v > high ? high : v\n",
      axis.log ? 1 : 0, gnuplot_number(axis.low), gnuplot_number(axis.high));
  int style = 0;  // a whisker has no cap at a cut end: caps at both ends, without the lower, the upper, both
  for (const char* heads : {"heads", "head", "backhead", "nohead"})
    drawing.lines +=
        fmt::format("set style arrow {} {} size graph 0.007,90 linecolor rgb 'black' linewidth 1.2\n", ++style, heads);
  drawing.clauses = clauses_of_bars(plot);
  return drawing;
}

Drawing drawing_of_comparison(const Plot& plot) {
  std::set<double> x;
  Span span;
  const auto line = [&](const CurvePoint& point) {
    x.insert(point.x);
    std::string numbers = gnuplot_number(point.x);
    for (const double value : {point.published, point.mean, point.low, point.high}) {
      span.add(value);
      numbers += ' ' + gnuplot_number(value);
    }
    return numbers;
  };
  const std::string what = plot.y.label + " against " + plot.x.label + ", published (dashed) and measured";
  Drawing drawing{caption(plot.title, "", what, plot.note),
                  data_of(plot, "x published measured low high", line),
                  plot.x.label,
                  plot.y.label,
                  {"measured", "published"},
                  plot.note};
  for (const Curve& curve : plot.curves) drawing.legend.push_back(curve.name);
  const double margin =
      std::max({0.04 * (span.high - span.low), 0.001 * std::abs(span.high), std::numeric_limits<double>::min()});
  drawing.lines = x_axis_lines(plot.x, x, 0.018);
  if (span.low <= span.high) drawing.lines += axis_lines("y", span.low - margin, span.high + margin);
  drawing.clauses = clauses_of_comparison(plot);
  return drawing;
}

}  // namespace elmx
