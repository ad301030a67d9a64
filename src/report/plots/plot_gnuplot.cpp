#include "report/plots/plot_gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// Returns triangles at the edge of the frame where a curve leaves it.
std::string edge_marks(const std::vector<Outlier>& all) {
  std::string lines;
  for (const Outlier& one : all) {
    if (!one.first) continue;
    lines +=
        fmt::format("set label \"\" at first {}, graph {} point pointtype {} pointsize 1.1 linecolor rgb '{}' front\n",
                    gnuplot_number(one.point.x), one.side > 0 ? 1 : 0, one.side > 0 ? 9 : 11, plot_colour(one.curve));
  }
  return lines;
}

/// Returns mean +- sd as a band, or as a bar for a single point; not for diverging trainings, which would
/// fill the diagram. The opacity decreases with the number of bands, because they overlap.
std::string spread_of(const Plot& plot, std::size_t i) {
  const double opacity = std::max(0.06, 0.3 / static_cast<double>(std::max<std::size_t>(2, plot.curves.size())));
  if (plot.curves[i].points.size() == 1)
    return fmt::format("using 1:2:(low($2, $3)):(high($2, $3)) with yerrorbars linestyle {} dashtype solid linewidth 1",
                       i + 1);
  return fmt::format(
      "using 1:(low($2, $3)):(high($2, $3)) with filledcurves linecolor rgb '{}' fillstyle transparent solid {} "
      "noborder",
      plot_colour(i), show(opacity, significant(2)));
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

}  // namespace

std::string x_axis_lines(const PlotAxis& axis, const std::set<double>& values, double character) {
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
    const double half = character * width * static_cast<double>(tics.back().size()) / 2;
    if (place(x) - half >= end)
      end = place(x) + half + character * width;
    else
      tics.back() = "'' " + tics.back();
  }
  return lines + fmt::format("set xtics ({})\n", fmt::join(tics, ", "));
}

Drawing drawing_of(const Plot& plot) {
  if (plot.style == PlotStyle::bars) return drawing_of_bars(plot);
  if (plot.style == PlotStyle::compared) return drawing_of_comparison(plot);
  const VerticalAxis vertical(plot);
  const std::vector<Outlier> beyond = outliers(plot, vertical);
  const std::string beyond_text = outliers_text(beyond);
  const std::vector<CurveLabel> labels = curve_labels(plot, vertical);
  Drawing drawing{"",
                  data_of(plot, "x mean sd n",
                          [](const CurvePoint& point) {
                            return fmt::format("{} {} {} {}", gnuplot_number(point.x), gnuplot_number(point.mean),
                                               gnuplot_number(point.sd), point.n);
                          }),
                  plot.x.label, plot.y.label};
  std::set<double> x;
  bool has_spread = false;
  std::string styles;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    styles += style_line(i);
    if (labels.empty()) drawing.legend.push_back(plot.curves[i].name);
    for (const CurvePoint& point : plot.curves[i].points) {
      if (std::isfinite(point.x)) x.insert(point.x);
      has_spread = has_spread || point.sd > 0;
    }
  }
  std::string what = plot.y.label + " against " + plot.x.label;
  if (plot.style == PlotStyle::curves)
    what += fmt::format(", mean{} over repeats and folds", has_spread ? " and standard deviation" : "");
  drawing.caption =
      caption(plot.title, "", what, plot.note) + (beyond_text.empty() ? "" : ". Triangles at the edge: " + beyond_text);
  if (!labels.empty()) drawing.note = common_beginning(plot);
  add_note(drawing.note, plot.note);
  add_note(drawing.note, beyond_text);
  drawing.lines = x_axis_lines(plot.x, x, labels.empty() ? 0.018 : 0.026);
  if (!vertical.empty) drawing.lines += axis_lines("y", vertical.low, vertical.high, vertical.log);
  if (!labels.empty()) drawing.lines += label_lines(labels);
  drawing.lines += fmt::format(
      "# mean +- sd, cut where the axis or the quantity ends\n"
      "low(mean, sd) = sd > mean - {0} ? {0} : mean - sd\nhigh(mean, sd) = sd > {1} - mean ? {1} : mean + sd\n",
      gnuplot_number(std::max(vertical.low, plot.y.least)), gnuplot_number(std::min(vertical.high, plot.y.most)));
  drawing.lines += styles + edge_marks(beyond);
  drawing.clauses = plot.style == PlotStyle::curves ? clauses_of_curves(plot) : clauses_of_cloud(plot);
  return drawing;
}

}  // namespace elmx
