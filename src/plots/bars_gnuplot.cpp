#include <algorithm>
#include <cmath>
#include <limits>

#include "plots/gnuplot_text.hpp"
#include "plots/plot_gnuplot.hpp"

namespace elmx {
namespace {

/// gnuplot's patterns: full, strokes one way and the other, crossed, empty, ...
constexpr int kPatterns[] = {3, 4, 5, 1, 0, 2, 6, 7};

/// The axis of the values. Whiskers may reach ten times as far as the bars before they are cut.
class ValueAxis {
 public:
  explicit ValueAxis(const BarChart& chart) {
    double smallest = std::numeric_limits<double>::infinity();
    for_each(chart, [&](const Bar& bar) {
      smallest = std::min(smallest, bar.value);
      high_ = std::max(high_, bar.value);
    });
    low_ = std::min(1.0, smallest);
    log_ = low_ > 0 && high_ > 10 * low_;
    const double least = low_ / 10, most = 10 * high_;
    for_each(chart, [&](const Bar& bar) {
      if (std::isfinite(bar.high)) high_ = std::max(high_, std::min(bar.high, log_ ? most : most / 5));
      if (std::isfinite(bar.low)) low_ = std::min(low_, std::max(bar.low, least));
    });
    low_ = log_ ? low_ / 1.15 : 0;
    high_ *= log_ ? 1.15 : 1.05;
  }

  double low() const { return low_; }
  double high() const { return high_; }
  double base() const { return log_ ? 1 : 0; }
  std::string lines() const {
    return (log_ ? "set logscale y\nset format y '%g'\n" + log_tics(low_, high_) : "") + "set yrange [" +
           gnuplot_number(low_) + ":" + gnuplot_number(high_) + "]\n";
  }

 private:
  template <class Visit>
  static void for_each(const BarChart& chart, const Visit& visit) {
    for (const BarSeries& series : chart.series) {
      for (const Bar& bar : series.bars) {
        if (std::isfinite(bar.value)) visit(bar);
      }
    }
  }

  double low_ = 1;
  double high_ = 1;
  bool log_ = false;
};

/// The label of a tic is a format to gnuplot.
std::string tic_label(const std::string& text) {
  std::string label;
  for (const char c : text) label += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_quoted(label);
}

/// Groups stand at 0, 1, 2, ...
std::string group_axis(const std::vector<std::string>& groups) {
  std::string tics;
  for (std::size_t i = 0; i < groups.size(); ++i)
    tics += (i == 0 ? "" : ", ") + tic_label(groups[i]) + " " + std::to_string(i);
  return "set xrange [-0.6:" + gnuplot_number(static_cast<double>(groups.size()) - 0.4) + "]\nset xtics (" + tics +
         ") scale 0\n";
}

/// All bars, then all whiskers.
std::vector<std::string> clauses(const BarChart& chart) {
  std::vector<std::string> bars, whiskers;
  const auto count = static_cast<double>(chart.series.size());
  const double width = 0.8 / count;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const double offset = width * (static_cast<double>(i) - (count - 1) / 2);
    const auto at = [&](double x) { return "$0 + " + gnuplot_number(x); };
    const std::string data = "data index " + std::to_string(i) + " using (";
    bars.push_back(data + at(offset) + "):2:(" + at(offset - 0.45 * width) + "):(" + at(offset + 0.45 * width) +
                   "):(foot($2)):(top($2)) with boxxyerror linecolor rgb '" + plot_colour(i) + "' fillstyle pattern " +
                   std::to_string(kPatterns[i % std::size(kPatterns)]) + " title " +
                   gnuplot_quoted(chart.series[i].name));
    // Not yerrorbars: they cut a hole for their marker into the bar.
    whiskers.push_back(data + "$3 == $3 ? " + at(offset) +
                       " : NaN):(cut($3)):(0):(cut($4) - cut($3)):(1 + ($3 < low) + 2 * ($4 > high)) with vectors "
                       "arrowstyle variable notitle");
  }
  bars.insert(bars.end(), whiskers.begin(), whiskers.end());
  return bars;
}

/// In quotes of its own format, where a backslash escapes: none and no quote is left in it.
std::string data_word(const std::string& text) {
  std::string word = one_line(text);
  std::replace_if(
      word.begin(), word.end(), [](char c) { return c == '"' || c == '\\'; }, '\'');
  return '"' + word + '"';
}

}  // namespace

std::string plot_data(const BarChart& chart) {
  std::string text = "# group value low high\n";
  const char* before = "";
  for (const BarSeries& series : chart.series) {
    text += before + ("# " + one_line(series.name)) + "\n";
    for (std::size_t i = 0; i < series.bars.size(); ++i) {
      const Bar& bar = series.bars[i];
      text += data_word(chart.groups[i]) + " " + gnuplot_number(bar.value) + " " + gnuplot_number(bar.low) + " " +
              gnuplot_number(bar.high) + "\n";
    }
    before = "\n\n";
  }
  return text;
}

std::string plot_script(const BarChart& chart, const PlotFormats& formats) {
  const ValueAxis axis(chart);
  std::vector<std::string> legend;
  for (const BarSeries& series : chart.series) legend.push_back(series.name);
  const std::string low = gnuplot_number(axis.low()), high = gnuplot_number(axis.high()),
                    base = gnuplot_number(axis.base());
  std::string note = chart.subtitle;
  add_note(note, chart.note);
  const ScriptHead head{chart.name, chart.title, chart.group_label, chart.value_label, legend, note};
  std::string script = script_head(head) + group_axis(chart.groups) + axis.lines();
  script +=
      "set arrow from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb 'black' linewidth 1 dashtype (4,4) "
      "back\n";
  script += "# bars from " + base + "; whiskers are 95 % intervals, cut where the axis ends\n";
  script += "foot(v) = v < " + base + " ? v : " + base + "\ntop(v) = v < " + base + " ? " + base + " : v\n";
  script += "low = " + low + "\nhigh = " + high + "\ncut(v) = v < low ? low : v > high ? high : v\n";
  int style = 0;  // no cap where a whisker is cut: at neither end, below, above, at both
  for (const char* heads : {"heads", "head", "backhead", "nohead"})
    script += "set style arrow " + std::to_string(++style) + " " + heads +
              " size graph 0.007,90 linecolor rgb 'black' linewidth 1.2\n";
  return script + script_end(head, formats, clauses(chart));
}

}  // namespace elmx
