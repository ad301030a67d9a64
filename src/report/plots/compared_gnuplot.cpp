#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/vertical_axis.hpp"

namespace elmx {
namespace {

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

std::string plot_data(const ComparedPlot& plot) {
  std::vector<std::string> blocks;
  for (const ComparedCurve& curve : plot.curves) {
    blocks.push_back("# " + one_line(curve.name) + "\n");
    for (const ComparedPoint& point : curve.points)
      blocks.back() +=
          fmt::format("{} {} {} {} {}\n", gnuplot_number(point.x), gnuplot_number(point.published),
                      gnuplot_number(point.measured), gnuplot_number(point.low), gnuplot_number(point.high));
  }
  return fmt::format("# x published measured low high\n{}", fmt::join(blocks, "\n\n"));
}

std::string plot_script(const ComparedPlot& plot, const PlotFormats& formats) {
  ScriptHead head{plot.name, plot.title, plot.x.label, plot.value_label, {"measured", "published"}, plot.note};
  std::set<double> x;
  Span span;
  for (const ComparedCurve& curve : plot.curves) {
    head.legend.push_back(curve.name);
    for (const ComparedPoint& point : curve.points) {
      x.insert(point.x);
      for (const double value : {point.published, point.measured, point.low, point.high}) span.add(value);
    }
  }
  const double margin =
      std::max({0.04 * (span.high - span.low), 0.001 * std::abs(span.high), std::numeric_limits<double>::min()});
  std::string script = script_head(head) + x_axis_lines(plot.x, x, 0.018);
  if (span.low <= span.high) script += axis_lines("y", span.low - margin, span.high + margin);
  return script + script_end(head, formats, clauses_of_comparison(plot));
}

}  // namespace elmx
