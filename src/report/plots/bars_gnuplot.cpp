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

/// The axis of the values. Whiskers may reach ten times as far as the bars before they are cut.
struct ValueAxis {
  double low = 1;
  double high = 1;
  bool log = false;
};

ValueAxis value_axis(const BarChart& chart) {
  std::vector<Bar> bars;
  for (const BarSeries& series : chart.series)
    std::ranges::copy_if(series.bars, std::back_inserter(bars),
                         [](const Bar& bar) { return std::isfinite(bar.value); });
  ValueAxis axis;
  for (const Bar& bar : bars) {
    axis.low = std::min(axis.low, bar.value);
    axis.high = std::max(axis.high, bar.value);
  }
  axis.log = axis.low > 0 && axis.high > 10 * axis.low;
  const double least = axis.low / 10, most = axis.high * (axis.log ? 10 : 2);
  for (const Bar& bar : bars) {
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
std::vector<std::string> clauses_of_bars(const BarChart& chart) {
  std::vector<std::string> bars, whiskers;
  const auto count = static_cast<double>(chart.series.size());
  const double width = 0.8 / count;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const double offset = width * (static_cast<double>(i) - (count - 1) / 2);
    const std::string middle = gnuplot_number(offset);
    bars.push_back(fmt::format(
        "data index {} using ($0 + {}):2:($0 + {}):($0 + {}):(foot($2)):(top($2)) with boxxyerror linecolor rgb '{}' "
        "fillstyle pattern {} title {}",
        i, middle, gnuplot_number(offset - 0.45 * width), gnuplot_number(offset + 0.45 * width), plot_colour(i),
        kPatterns[i % std::size(kPatterns)], gnuplot_quoted(chart.series[i].name)));
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

bool any_finite(const ComparedCurve& curve, double ComparedPoint::*number) {
  return std::ranges::any_of(curve.points, [&](const ComparedPoint& point) { return std::isfinite(point.*number); });
}

/// Returns the clauses of `plot`: intervals, measured curves, published curves, legend. The marks become
/// smaller from curve to curve, so that marks of equal values remain visible.
std::vector<std::string> clauses_of_comparison(const ComparedPlot& plot) {
  std::vector<std::string> clauses, measured, published,
      legend{fmt::format("keyentry with lines linecolor rgb 'black' {} title \"measured\"", kMeasuredLine),
             fmt::format("keyentry with lines linecolor rgb 'black' {} title \"published\"", kPublishedLine)};
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const ComparedCurve& curve = plot.curves[i];
    const std::string data = fmt::format("data index {} using ", i),
                      colour = fmt::format("linecolor rgb '{}'", plot_colour(i));
    const int open = kOpenMarks[i % std::size(kOpenMarks)], filled = kFilledMarks[i % std::size(kFilledMarks)];
    const double size = std::max(0.8, 1.8 - 0.2 * static_cast<double>(i));
    // yerrorbars would cut a hole for their marker into the curve.
    if (any_finite(curve, &ComparedPoint::low) && any_finite(curve, &ComparedPoint::high))
      clauses.push_back(fmt::format("{}1:4:(0):($5 - $4) with vectors heads size graph 0.006,90 {} linewidth 1 notitle",
                                    data, colour));
    if (any_finite(curve, &ComparedPoint::measured))
      measured.push_back(fmt::format("{}1:3 with linespoints {} {} pointtype {} pointsize {:.2f} notitle", data, colour,
                                     kMeasuredLine, filled, 0.45 * size));
    if (any_finite(curve, &ComparedPoint::published))
      published.push_back(fmt::format("{}1:2 with linespoints {} {} pointtype {} pointsize {:.2f} notitle", data,
                                      colour, kPublishedLine, open, size));
    legend.push_back(fmt::format("keyentry with points {} pointtype {} pointsize 1 title {}", colour, filled,
                                 gnuplot_quoted(curve.name)));
  }
  for (const auto* more : {&measured, &published, &legend}) clauses.insert(clauses.end(), more->begin(), more->end());
  return clauses;
}

}  // namespace

Drawing drawing_of(const BarChart& chart) {
  const ValueAxis axis = value_axis(chart);
  Drawing drawing{"", "", chart.group_label, chart.value_label, {}, chart.subtitle};
  add_note(drawing.note, chart.note);
  std::vector<std::string> blocks;
  bool intervals = false;
  for (const BarSeries& series : chart.series) {
    drawing.legend.push_back(series.name);
    blocks.push_back("# " + one_line(series.name) + "\n");
    for (std::size_t i = 0; i < series.bars.size(); ++i) {
      const Bar& bar = series.bars[i];
      blocks.back() += fmt::format("{} {} {} {}\n", data_word(chart.groups[i]), gnuplot_number(bar.value),
                                   gnuplot_number(bar.low), gnuplot_number(bar.high));
      intervals = intervals || std::isfinite(bar.low);
    }
  }
  drawing.data = fmt::format("# group value low high\n{}", fmt::join(blocks, "\n\n"));
  drawing.caption =
      caption(chart.title, chart.subtitle,
              chart.value_label + " by " + chart.group_label + (intervals ? ", with 95 % intervals" : ""), chart.note);
  drawing.lines = group_axis(chart.groups) + axis_lines("y", axis.low, axis.high, axis.log);
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
  drawing.clauses = clauses_of_bars(chart);
  return drawing;
}

Drawing drawing_of(const ComparedPlot& plot) {
  Drawing drawing{
      caption(plot.title, "", plot.value_label + " against " + plot.x.label + ", published (dashed) and measured",
              plot.note),
      "",
      plot.x.label,
      plot.value_label,
      {"measured", "published"},
      plot.note};
  std::vector<std::string> blocks;
  std::set<double> x;
  Span span;
  for (const ComparedCurve& curve : plot.curves) {
    drawing.legend.push_back(curve.name);
    blocks.push_back("# " + one_line(curve.name) + "\n");
    for (const ComparedPoint& point : curve.points) {
      x.insert(point.x);
      blocks.back() += gnuplot_number(point.x);
      for (const double value : {point.published, point.measured, point.low, point.high}) {
        span.add(value);
        blocks.back() += ' ' + gnuplot_number(value);
      }
      blocks.back() += '\n';
    }
  }
  drawing.data = fmt::format("# x published measured low high\n{}", fmt::join(blocks, "\n\n"));
  const double margin =
      std::max({0.04 * (span.high - span.low), 0.001 * std::abs(span.high), std::numeric_limits<double>::min()});
  drawing.lines = x_axis_lines(plot.x, x, 0.018);
  if (span.low <= span.high) drawing.lines += axis_lines("y", span.low - margin, span.high + margin);
  drawing.clauses = clauses_of_comparison(plot);
  return drawing;
}

}  // namespace elmx
