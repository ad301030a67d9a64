#include "plots/plot_gnuplot.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "plots/curve_labels.hpp"
#include "plots/gnuplot_text.hpp"
#include "plots/vertical_axis.hpp"
#include "table_formats/table.hpp"

namespace elmx {
namespace {

/// Curves are told apart in colour and in grey: with dashes and markers of their own.
constexpr const char* kDashes[] = {"solid", "(14,5)", "(4,4)", "(14,4,3,4)", "(24,6)"};
constexpr int kMarkers[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

bool has_points(const Curve& curve) {
  return std::any_of(curve.points.begin(), curve.points.end(),
                     [](const CurvePoint& p) { return std::isfinite(p.mean); });
}

Span span_of_x(const Plot& plot) {
  Span span;
  for (const Curve& curve : plot.curves) {
    for (const CurvePoint& point : curve.points) span.add(point.x);
  }
  return span;
}

/// The values themselves as tics where they are few, without the labels for which there is no room: a character takes
/// `character` of the axis. "" elsewhere.
std::string value_tics(const Plot& plot, bool log, double character) {
  std::set<double> values;
  for (const Curve& curve : plot.curves) {
    for (const CurvePoint& point : curve.points) values.insert(point.x);
  }
  if (values.size() < 2 || values.size() > 10) return "";
  const auto place = [&](double x) { return log ? std::log(x) : x; };
  const double width = place(*values.rbegin()) - place(*values.begin());
  std::string list;
  double end = -kInfinity;
  for (const double x : values) {
    const std::string label = gnuplot_number(x);
    const double half = character * width * static_cast<double>(label.size()) / 2;
    const bool room = place(x) - half >= end;
    list += (list.empty() ? "" : ", ") + std::string(room ? "" : "'' ") + label;
    if (room) end = place(x) + half + character * width;
  }
  return "set xtics (" + list + ")\n";
}

std::string x_axis(const Plot& plot, bool labelled) {
  const Span span = span_of_x(plot);
  if (span.empty()) return "";
  const bool log = plot.x.log && span.low > 0;
  const double margin = log                    ? std::max(std::pow(span.high / span.low, 0.02), 1.05)
                        : span.high > span.low ? 0.02 * (span.high - span.low)
                                               : 0.5;
  const double low = log ? span.low / margin : span.low - margin, high = log ? span.high * margin : span.high + margin;
  std::string lines = log ? "set logscale x\nset format x '%g'\n" : "";
  lines += "set xrange [" + gnuplot_number(low) + ":" + gnuplot_number(high) + "]\n";
  const std::string tics = value_tics(plot, log, labelled ? 0.026 : 0.018);
  // gnuplot would label halves between a few integers.
  return lines + (tics.empty() && !log && plot.x.whole && span.high - span.low < 12 ? "set xtics 1\n" : tics);
}

std::string y_axis(const VerticalAxis& vertical) {
  if (vertical.empty()) return "";
  std::string lines = vertical.log() ? "set logscale y\nset format y '%g'\n" : "";
  lines += "set yrange [" + gnuplot_number(vertical.low()) + ":" + gnuplot_number(vertical.high()) + "]\n";
  return vertical.log() ? lines + log_tics(vertical.low(), vertical.high()) : lines;
}

std::string style_line(std::size_t i) {
  const std::size_t shifted = i + i / kPlotColours;
  return "set style line " + std::to_string(i + 1) + " linecolor rgb '" + plot_colour(i) + "' linewidth 2 dashtype " +
         kDashes[shifted % std::size(kDashes)] + " pointtype " +
         std::to_string(kMarkers[shifted % std::size(kMarkers)]) + " pointsize 0.7\n";
}

/// A triangle at the edge of the frame, where a curve leaves it.
std::string edge_marks(const std::vector<Runaway>& all) {
  std::string lines;
  for (const Runaway& one : all) {
    if (!one.first) continue;
    lines += "set label \"\" at first " + gnuplot_number(one.point.x) + ", graph " + (one.side > 0 ? "1" : "0") +
             " point pointtype " + (one.side > 0 ? "9" : "11") + " pointsize 1.1 linecolor rgb '" +
             plot_colour(one.curve) + "' front\n";
  }
  return lines;
}

/// A marker at every point of a short curve, at some ten of a long one.
std::string markers(const Curve& curve) {
  return curve.points.size() <= 12 ? "" : " pointinterval " + std::to_string((curve.points.size() + 9) / 10);
}

/// mean +- sd as a band, of a single point as a bar; none of trainings that diverge: it would fill the diagram.
/// The more bands there are the fainter they are, for they lie above one another.
std::string spread_of(const Plot& plot, std::size_t i) {
  const Curve& curve = plot.curves[i];
  const double opacity = std::max(0.06, 0.3 / static_cast<double>(std::max<std::size_t>(2, plot.curves.size())));
  if (curve.may_leave) return "";
  if (curve.points.size() == 1)
    return " using 1:2:(low($2, $3)):(high($2, $3)) with yerrorbars linestyle " + std::to_string(i + 1) +
           " dashtype solid linewidth 1";
  return " using 1:(low($2, $3)):(high($2, $3)) with filledcurves linecolor rgb '" + plot_colour(i) +
         "' fillstyle transparent solid " + show(opacity, significant(2)) + " noborder";
}

/// The clauses of `plot`: all bands, then all curves, then what only the legend has.
std::vector<std::string> clauses(const Plot& plot) {
  std::vector<std::string> bands, lines, entries;
  std::size_t block = 0;
  if (plot.style != PlotStyle::curves) {
    entries.push_back(std::string(plot.style == PlotStyle::around_zero ? "0" : "x") +
                      " with lines linecolor rgb 'black' dashtype (4,4) notitle");
    for (std::size_t i = 0; i < plot.curves.size(); ++i)
      entries.push_back("data index " + std::to_string(i) + " using 1:2 with points linecolor rgb '" + plot_colour(i) +
                        "' pointtype 6 pointsize 0.4 title " + gnuplot_quoted(plot.curves[i].name));
    return entries;
  }
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    const std::string style = " linestyle " + std::to_string(i + 1), title = " title " + gnuplot_quoted(curve.name);
    if (!has_points(curve)) {
      entries.push_back("keyentry with linespoints" + style + title);
      block += !curve.points.empty();
      continue;
    }
    const std::string data = "data index " + std::to_string(block++);
    if (const std::string spread = spread_of(plot, i); !spread.empty()) bands.push_back(data + spread + " notitle");
    lines.push_back(data + " using 1:2 with linespoints" + style + markers(curve) + title);
  }
  bands.insert(bands.end(), lines.begin(), lines.end());
  bands.insert(bands.end(), entries.begin(), entries.end());
  return bands;
}

}  // namespace

std::string plot_data(const Plot& plot) {
  std::string text = "# x mean sd n\n";
  const char* before = "";
  for (const Curve& curve : plot.curves) {
    if (curve.points.empty()) continue;
    text += before + ("# " + one_line(curve.name)) + "\n";
    for (const CurvePoint& point : curve.points) {
      text += gnuplot_number(point.x) + " " + gnuplot_number(point.mean) + " " + gnuplot_number(point.sd) + " " +
              std::to_string(point.n) + "\n";
    }
    before = "\n\n";
  }
  return text;
}

std::string plot_script(const Plot& plot, const PlotFormats& formats) {
  const VerticalAxis vertical(plot);
  const std::vector<Runaway> beyond = runaways(plot, vertical);
  const std::vector<CurveLabel> labels = curve_labels(plot, vertical);
  ScriptHead head{plot.name, plot.title, plot.x.label, plot.y.label};
  for (const Curve& curve : plot.curves) {
    if (labels.empty()) head.legend.push_back(curve.name);
  }
  if (!labels.empty()) head.note = common_beginning(plot);
  add_note(head.note, plot.note);
  add_note(head.note, runaways_text(beyond));
  std::string script = script_head(head) + x_axis(plot, !labels.empty()) + y_axis(vertical);
  if (!labels.empty()) script += label_lines(labels);
  const std::string low = gnuplot_number(std::max(vertical.low(), plot.y.least)),
                    high = gnuplot_number(std::min(vertical.high(), plot.y.most));
  script += "# mean +- sd, cut where the axis or the quantity ends\n";
  script += "low(mean, sd) = sd > mean - " + low + " ? " + low + " : mean - sd\n";
  script += "high(mean, sd) = sd > " + high + " - mean ? " + high + " : mean + sd\n";
  for (std::size_t i = 0; i < plot.curves.size(); ++i) script += style_line(i);
  return script + edge_marks(beyond) + script_end(head, formats, clauses(plot));
}

}  // namespace elmx
