#include "report/plots/plot_gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "report/formats/table.hpp"

namespace elmx {
namespace {

/// The dashes and markers of curves, which distinguish them in greyscale, too.
constexpr const char* kDashes[] = {"solid", "(14,5)", "(4,4)", "(14,4,3,4)", "(24,6)"};
constexpr int kMarkers[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

std::string style_line(std::size_t i) {
  const std::size_t shifted = i + i / kPlotColours;
  return fmt::format("set style line {} linecolor rgb '{}' linewidth 2 dashtype {} pointtype {} pointsize 0.7\n", i + 1,
                     plot_colour(i), kDashes[shifted % std::size(kDashes)], kMarkers[shifted % std::size(kMarkers)]);
}

/// The y axis. It includes the curves that may not leave it, or all curves if there are no such.
struct VerticalAxis {
  explicit VerticalAxis(const Plot& plot) {
    std::vector<CurvePoint> points, leaving;
    for (const Curve& curve : plot.curves) {
      for (const CurvePoint& point : curve.points) {
        if (std::isfinite(point.mean)) (curve.may_leave ? leaving : points).push_back(point);
      }
    }
    if (points.empty()) points = std::move(leaving);
    if (points.empty()) return;
    empty = false;
    Span means, span;
    for (const CurvePoint& point : points) means.add(point.mean);
    log = plot.y.log && means.low > 0 && means.high > 2 * means.low;
    for (const CurvePoint& point : points) {
      const double top = std::isfinite(point.high) ? point.high : point.mean;
      const double bottom = std::isfinite(point.low) ? point.low : point.mean;
      span.add(std::min(top, plot.y.most));
      span.add(std::max(log ? std::max(bottom, point.mean / 2) : bottom, plot.y.least));
    }
    const double margin = log ? std::pow(span.high / span.low, 0.04) : 0.04 * (span.high - span.low);
    const double least = std::max(0.01 * std::abs(span.high), std::numeric_limits<double>::min());
    low = log ? span.low / margin : span.low - std::max(margin, least);
    high = std::min(log ? span.high * margin : span.high + std::max(margin, least), std::numeric_limits<double>::max());
  }

  bool log = false;
  bool empty = true;
  double low = 0;
  double high = 1;
};

/// Returns the spread as a band, or as a bar for a single point; not for diverging trainings, which would
/// fill the diagram. The opacity decreases with the number of bands, because they overlap.
std::string spread_of(const Plot& plot, std::size_t i) {
  const double opacity = std::max(0.06, 0.3 / static_cast<double>(std::max<std::size_t>(2, plot.curves.size())));
  if (plot.curves[i].points.size() == 1)
    return fmt::format("using 1:2:(cut($3)):(cut($4)) with yerrorbars linestyle {} dashtype solid linewidth 1", i + 1);
  return fmt::format(
      "using 1:(cut($3)):(cut($4)) with filledcurves linecolor rgb '{}' fillstyle transparent solid {} "
      "noborder",
      plot_colour(i), show(opacity, significant(2)));
}

/// Returns for each curve that has points a block of the lines of its points.
std::string data_of(const Plot& plot) {
  std::vector<std::string> blocks;
  for (const Curve& curve : plot.curves) {
    if (!curve.points.empty()) blocks.push_back("# " + one_line(curve.name) + "\n");
    for (const auto& [x, mean, low, high, n] : curve.points)
      blocks.back() += fmt::format("{} {} {} {} {}\n", gnuplot_number(x), gnuplot_number(mean), gnuplot_number(low),
                                   gnuplot_number(high), n);
  }
  return fmt::format("# x mean low high n\n{}", fmt::join(blocks, "\n\n"));
}

/// Returns the clauses of `plot` for a cloud: its line, and the points of each curve.
std::vector<std::string> clauses_of_cloud(const Plot& plot) {
  std::vector<std::string> clauses{fmt::format("{} with lines linecolor rgb 'black' dashtype (4,4) notitle",
                                               plot.style == PlotStyle::around_zero ? "0" : "x")};
  for (std::size_t i = 0; i < plot.curves.size(); ++i)
    clauses.push_back(
        fmt::format("data index {} using 1:2 with points linecolor rgb '{}' pointtype 6 pointsize 0.4 title {}", i,
                    plot_colour(i), gnuplot_quoted(plot.curves[i].name)));
  return clauses;
}

/// Returns the clauses of `plot`: all bands, then all curves, then entries that are only in the legend. A
/// long curve has about ten markers.
std::vector<std::string> clauses_of_curves(const Plot& plot) {
  std::vector<std::string> bands, lines, entries;
  std::size_t block = 0;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    const std::size_t points = curve.points.size();
    const std::string style = fmt::format("with linespoints linestyle {}", i + 1),
                      title = " title " + gnuplot_quoted(curve.name);
    if (curve.values() == 0) {
      entries.push_back("keyentry " + style + title);
      block += points > 0;
      continue;
    }
    const std::string data = fmt::format("data index {} ", block++);
    if (!curve.may_leave) bands.push_back(data + spread_of(plot, i) + " notitle");
    lines.push_back(data + "using 1:2 " + style +
                    (points <= 12 ? "" : fmt::format(" pointinterval {}", (points + 9) / 10)) + title);
  }
  for (const auto* more : {&lines, &entries}) bands.insert(bands.end(), more->begin(), more->end());
  return bands;
}

/// Returns the range of an x axis and its tics: the values themselves if there are few, without labels that
/// do not fit.
std::string x_axis_lines(const PlotAxis& axis, const std::set<double>& values) {
  constexpr double kCharacter = 0.018;  // the share of the axis that a character takes
  if (values.empty()) return "";
  const double least = *values.begin(), most = *values.rbegin();
  const bool log = axis.log && least > 0;
  const double margin = log ? std::max(std::pow(most / least, 0.02), 1.05) : most > least ? 0.02 * (most - least) : 0.5;
  const std::string lines =
      log ? axis_lines("x", least / margin, most * margin, true) : axis_lines("x", least - margin, most + margin);
  if (values.size() < 2 || values.size() > 10)  // gnuplot would label halves between a few integers
    return lines + (!log && axis.whole && most - least < 12 ? "set xtics 1\n" : "");
  const auto place = [&](double x) { return log ? std::log(x) : x; };
  const double width = place(most) - place(least);
  std::vector<std::string> tics;
  double end = -kInfinity;
  for (const double x : values) {
    tics.push_back(gnuplot_number(x));
    const double half = kCharacter * width * static_cast<double>(tics.back().size()) / 2;
    if (place(x) - half >= end)
      end = place(x) + half + kCharacter * width;
    else
      tics.back() = "'' " + tics.back();
  }
  return lines + fmt::format("set xtics ({})\n", fmt::join(tics, ", "));
}

}  // namespace

Drawing drawing_of(const Plot& plot) {
  const bool joined = plot.style == PlotStyle::curves || plot.style == PlotStyle::intervals;
  const VerticalAxis vertical(plot);
  Drawing drawing{"", data_of(plot), plot.x.label, plot.y.label};
  std::set<double> x;
  bool has_spread = false;
  std::string styles;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    styles += style_line(i);
    drawing.legend.push_back(plot.curves[i].name);
    for (const CurvePoint& point : plot.curves[i].points) {
      if (std::isfinite(point.x)) x.insert(point.x);
      has_spread = has_spread || point.high > point.low;
    }
  }
  std::string what = plot.y.label + " against " + plot.x.label;
  if (plot.style == PlotStyle::curves)
    what += fmt::format(", mean{} over repeats and folds", has_spread ? " and standard deviation" : "");
  if (plot.style == PlotStyle::intervals && has_spread) what += ", with 95 % intervals";
  drawing.caption = caption(plot.title, "", what, plot.note);
  drawing.note = plot.note;
  drawing.lines = x_axis_lines(plot.x, x);
  if (!vertical.empty) drawing.lines += axis_lines("y", vertical.low, vertical.high, vertical.log);
  drawing.lines += fmt::format(
      "# the spread, cut where the axis or the quantity ends\ncut(v) = v < {0} ? {0} : v > {1} ? {1} : v\n",
      gnuplot_number(std::max(vertical.low, plot.y.least)), gnuplot_number(std::min(vertical.high, plot.y.most)));
  drawing.lines += styles;
  drawing.clauses = joined ? clauses_of_curves(plot) : clauses_of_cloud(plot);
  return drawing;
}

}  // namespace elmx
