#include "report/plot_gnuplot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "report/table.hpp"

namespace elmx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Told apart in colour (the palette of Okabe and Ito, safe for the colour-blind) and in grey: with dashes and markers of their own.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000",
                                    "#E69F00", "#56B4E9", "#8C510A", "#666666", "#5E3C99"};
constexpr const char* kDashes[] = {"solid", "(14,5)", "(4,4)", "(14,4,3,4)", "(24,6)"};
constexpr int kMarkers[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

std::string number(double value) { return std::isfinite(value) ? show(value) : "NaN"; }

/// One line: what a name brings along must not end a comment or a string of the script.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return text;
}

/// In double quotes gnuplot substitutes what stands in backquotes and after "@", and reads escapes; single quotes are not safe
/// either: '' at the beginning ends the string. What could mean anything is therefore written as its octal code.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : one_line(text)) {
    if (std::string_view("\"'`@$\\#").find(c) == std::string_view::npos) {
      result += c;
    } else {
      const auto code = static_cast<unsigned>(c);
      for (const unsigned shift : {6U, 3U, 0U}) result += (shift == 6U ? "\\" : "") + std::to_string((code >> shift) & 7U);
    }
  }
  return result + "\"";
}

bool has_points(const Curve& curve) {
  return std::any_of(curve.points.begin(), curve.points.end(), [](const CurvePoint& p) { return std::isfinite(p.mean); });
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
    const bool all = std::none_of(plot.curves.begin(), plot.curves.end(), [](const Curve& c) { return !c.may_leave && has_points(c); });
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
    high_ = std::min(log_ ? span_.high * margin : span_.high + std::max(margin, least), std::numeric_limits<double>::max());
  }

  bool log() const { return log_; }
  bool empty() const { return span_.empty(); }
  double low() const { return low_; }
  double high() const { return high_; }

  /// On less than three decades 1, 2, 5 of each are labelled, where gnuplot would label the powers of ten alone.
  std::string tics() const {
    std::string list;
    if (!log_ || high_ > 1000 * low_) return list;
    const int first = static_cast<int>(std::floor(std::log10(low_))), last = static_cast<int>(std::ceil(std::log10(high_)));
    for (int decade = first; decade <= last; ++decade) {
      for (const char* digit : {"1e", "2e", "5e"}) {
        const double tic = std::stod(digit + std::to_string(decade));
        if (tic >= low_ && tic <= high_) list += (list.empty() ? "" : ", ") + number(tic);
      }
    }
    return list;
  }

 private:
  Span span_;
  bool log_ = false;
  double low_ = 0;
  double high_ = 1;
};

std::string x_axis(const Plot& plot) {
  const Span span = span_of_x(plot);
  if (span.empty()) return "";
  if (plot.x.log && span.low > 0) {
    const double margin = std::max(std::pow(span.high / span.low, 0.02), 1.05);
    return "set logscale x\nset xrange [" + number(span.low / margin) + ":" + number(span.high * margin) + "]\n";
  }
  const double margin = span.high > span.low ? 0.02 * (span.high - span.low) : 0.5;
  std::string lines = "set xrange [" + number(span.low - margin) + ":" + number(span.high + margin) + "]\n";
  // gnuplot would label halves between a few integers.
  if (plot.x.whole && span.high - span.low < 12) lines += "set xtics 1\n";
  return lines;
}

std::string y_axis(const Vertical& vertical) {
  if (vertical.empty()) return "";
  std::string lines = vertical.log() ? "set logscale y\n" : "";
  lines += "set yrange [" + number(vertical.low()) + ":" + number(vertical.high()) + "]\n";
  if (const std::string tics = vertical.tics(); !tics.empty()) lines += "set ytics (" + tics + ")\n";
  return lines;
}

std::string style_line(std::size_t i) {
  const std::size_t n = std::size(kColours);
  const std::string id = std::to_string(i + 1);
  return "set style line " + id + " linecolor rgb '" + kColours[i % n] + "' linewidth 2 dashtype " +
         kDashes[(i + i / n) % std::size(kDashes)] + " pointtype " + std::to_string(kMarkers[(i + i / n) % std::size(kMarkers)]) +
         " pointsize 0.7\n";
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
    return " using 1:2:(low($2, $3)):(high($2, $3)) with yerrorbars linestyle " + std::to_string(i + 1) + " dashtype solid linewidth 1";
  return " using 1:(low($2, $3)):(high($2, $3)) with filledcurves linecolor rgb '" + std::string(kColours[i % std::size(kColours)]) +
         "' fillstyle transparent solid " + show(opacity, significant(2)) + " noborder";
}

/// The clauses of `plot`: all bands, then all curves, then what only the legend has.
std::vector<std::string> clauses(const Plot& plot) {
  std::vector<std::string> bands, lines, entries;
  std::size_t block = 0;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    const std::string style = " linestyle " + std::to_string(i + 1), title = " title " + quoted(curve.name);
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

/// Room for a legend of more than two lines, so that it takes none from the diagram; as wide as the longest name makes its columns.
std::size_t height(const Plot& plot) {
  std::size_t longest = 0;
  for (const Curve& curve : plot.curves) longest = std::max(longest, curve.name.size());
  const std::size_t columns = std::max<std::size_t>(1, 660 / (70 + 8 * longest)), lines = (plot.curves.size() + columns - 1) / columns;
  return 560 + 25 * (lines > 2 ? lines - 2 : 0);
}

}  // namespace

std::string plot_data(const Plot& plot) {
  std::string text = "# x mean sd n\n";
  const char* before = "";
  for (const Curve& curve : plot.curves) {
    if (curve.points.empty()) continue;
    text += before + ("# " + one_line(curve.name)) + "\n";
    for (const CurvePoint& point : curve.points) {
      text += number(point.x) + " " + number(point.mean) + " " + number(point.sd) + " " + std::to_string(point.n) + "\n";
    }
    before = "\n\n";
  }
  return text;
}

std::string plot_script(const Plot& plot, const std::string& output) {
  const Vertical vertical(plot);
  std::string script = "# gnuplot " + plot.name + ".gp makes " + plot.name + ".svg of " + plot.name + ".dat\n";
  script += "set terminal svg size 800," + std::to_string(height(plot)) +
            " dynamic noenhanced font 'sans-serif,15' background 'white'\n";
  script += "set encoding utf8\n";
  script += "set output " + quoted(output) + "\n";
  script += "data = " + quoted(plot.name + ".dat") + "\n";
  script += "set title " + quoted(plot.title) + "\n";
  script += "set xlabel " + quoted(plot.x.label) + " offset 0,0.3\n";
  script += "set ylabel " + quoted(plot.y.label) + "\n";
  script += "set border 3\nset tics nomirror out scale 0.5\nset grid ytics linecolor rgb '#dddddd' linewidth 0.5 dashtype solid\n";
  script += "set key outside below center horizontal Left reverse samplen 3.5 spacing 1.15\n";
  script += x_axis(plot) + y_axis(vertical);
  script += "# mean +- sd, cut where the axis ends\n";
  script += "low(mean, sd) = sd > mean - " + number(vertical.low()) + " ? " + number(vertical.low()) + " : mean - sd\n";
  script += "high(mean, sd) = sd > " + number(vertical.high()) + " - mean ? " + number(vertical.high()) + " : mean + sd\n";
  for (std::size_t i = 0; i < plot.curves.size(); ++i) script += style_line(i);
  const char* before = "plot ";
  for (const std::string& clause : clauses(plot)) {
    script += before + clause;
    before = ", \\\n     ";
  }
  return script + "\n";
}

}  // namespace elmx
