#include "plots/plot_gnuplot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "plots/gnuplot_text.hpp"
#include "table_formats/table.hpp"

namespace elmx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Curves are told apart in colour and in grey: with dashes and markers of their own.
constexpr const char* kDashes[] = {"solid", "(14,5)", "(4,4)", "(14,4,3,4)", "(24,6)"};
constexpr int kMarkers[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

bool has_points(const Curve& curve) {
  return std::any_of(curve.points.begin(), curve.points.end(),
                     [](const CurvePoint& p) { return std::isfinite(p.mean); });
}

struct Span {
  double low = kInfinity;
  double high = -kInfinity;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

Span span_of_x(const Plot& plot) {
  Span span;
  for (const Curve& curve : plot.curves) {
    for (const CurvePoint& point : curve.points) span.add(point.x);
  }
  return span;
}

/// The y axis: from the curves that may not leave it, or from all where there is none.
class Vertical {
 public:
  explicit Vertical(const Plot& plot) {
    const bool all = std::none_of(plot.curves.begin(), plot.curves.end(),
                                  [](const Curve& c) { return !c.may_leave && has_points(c); });
    const auto for_each = [&](const auto& visit) {
      for (const Curve& curve : plot.curves) {
        if (curve.may_leave && !all) continue;
        for (const CurvePoint& point : curve.points) visit(point);
      }
    };
    Span means;
    for_each([&](const CurvePoint& point) { means.add(point.mean); });
    log_ = plot.y.log && means.low > 0 && means.high > 2 * means.low;
    for_each([&](const CurvePoint& point) {
      const double sd = std::isfinite(point.sd) ? point.sd : 0;
      span_.add(point.mean + sd);
      span_.add(log_ ? std::max(point.mean - sd, point.mean / 2) : point.mean - sd);
    });
    if (span_.empty()) return;
    const double margin = log_ ? std::pow(span_.high / span_.low, 0.04) : 0.04 * (span_.high - span_.low);
    const double least = std::max(0.01 * std::abs(span_.high), std::numeric_limits<double>::min());
    low_ = log_ ? span_.low / margin : span_.low - std::max(margin, least);
    high_ =
        std::min(log_ ? span_.high * margin : span_.high + std::max(margin, least), std::numeric_limits<double>::max());
  }

  bool log() const { return log_; }
  bool empty() const { return span_.empty(); }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  Span span_;
  bool log_ = false;
  double low_ = 0;
  double high_ = 1;
};

/// The values themselves as tics where they are few and far enough from each other; "" elsewhere.
std::string value_tics(const Plot& plot, bool log) {
  std::set<double> values;
  for (const Curve& curve : plot.curves) {
    for (const CurvePoint& point : curve.points) values.insert(point.x);
  }
  if (values.size() < 2 || values.size() > 10) return "";
  const auto place = [&](double x) { return log ? std::log(x) : x; };
  const double width = place(*values.rbegin()) - place(*values.begin());
  std::string list;
  double last = -kInfinity;
  for (const double x : values) {
    if (place(x) - last < 0.06 * width) return "";
    last = place(x);
    list += (list.empty() ? "" : ", ") + gnuplot_number(x);
  }
  return "set xtics (" + list + ")\n";
}

std::string x_axis(const Plot& plot) {
  const Span span = span_of_x(plot);
  if (span.empty()) return "";
  const bool log = plot.x.log && span.low > 0;
  const double margin = log                    ? std::max(std::pow(span.high / span.low, 0.02), 1.05)
                        : span.high > span.low ? 0.02 * (span.high - span.low)
                                               : 0.5;
  const double low = log ? span.low / margin : span.low - margin, high = log ? span.high * margin : span.high + margin;
  std::string lines = log ? "set logscale x\nset format x '%g'\n" : "";
  lines += "set xrange [" + gnuplot_number(low) + ":" + gnuplot_number(high) + "]\n";
  const std::string tics = value_tics(plot, log);
  // gnuplot would label halves between a few integers.
  return lines + (tics.empty() && !log && plot.x.whole && span.high - span.low < 12 ? "set xtics 1\n" : tics);
}

std::string y_axis(const Vertical& vertical) {
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

std::string plot_script(const Plot& plot, const std::string& output) {
  const Vertical vertical(plot);
  std::vector<std::string> legend;
  for (const Curve& curve : plot.curves) legend.push_back(curve.name);
  std::string script = script_head({plot.name, output, plot.title, plot.x.label, plot.y.label, legend});
  script += x_axis(plot) + y_axis(vertical);
  script += "# mean +- sd, cut where the axis ends\n";
  script += "low(mean, sd) = sd > mean - " + gnuplot_number(vertical.low()) + " ? " + gnuplot_number(vertical.low()) +
            " : mean - sd\n";
  script += "high(mean, sd) = sd > " + gnuplot_number(vertical.high()) + " - mean ? " +
            gnuplot_number(vertical.high()) + " : mean + sd\n";
  for (std::size_t i = 0; i < plot.curves.size(); ++i) script += style_line(i);
  return script + plot_command(clauses(plot));
}

}  // namespace elmx
