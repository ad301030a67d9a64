#include <algorithm>
#include <cmath>

#include "base/printable.hpp"
#include "plots/gnuplot_text.hpp"
#include "plots/plot_gnuplot.hpp"
#include "plots/vertical_axis.hpp"
#include "statistics/summary.hpp"
#include "statistics/ties.hpp"
#include "table_formats/table.hpp"

namespace elmx {
namespace {

constexpr arma::uword kMostNumbers = 120;  ///< of cells that show their number

/// The colours from good to bad.
struct Scale {
  double best, worst;
  bool log;
  bool cut;  ///< means beyond `worst` share its colour
};

Scale scale_of(const HeatMap& map) {
  const arma::vec means(map.means.elem(arma::find_finite(map.means)));
  double low = means.min(), high = means.max();
  if (!map.lower_is_better) return {high, low, false, false};
  const double most = kRunaway * quantile(arma::conv_to<std::vector<double>>::from(means), 0.5);
  const bool cut = most > 0 && high > most;
  if (cut) high = arma::vec(means.elem(arma::find(means <= most))).max();
  return {low, high, low > 0 && high >= 4 * low, cut};
}

/// From 0, the best, to 1.
double shade(const Scale& scale, double mean) {
  const auto at = [&](double value) { return scale.log ? std::log(value) : value; };
  const double width = at(scale.worst) - at(scale.best);
  return width == 0 ? 0 : std::clamp((at(mean) - at(scale.best)) / width, 0.0, 1.0);
}

/// At most 25 names, of which long ones are cut.
std::string tics(const char* axis, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 18, kMostNames = 25;
  const std::size_t every = (names.size() + kMostNames - 1) / kMostNames;
  std::string list;
  std::size_t characters = 0;
  for (std::size_t i = 0; i < names.size(); i += every) {
    const std::string name = names[i].size() > kLongest && is_utf8(names[i].substr(0, kLongest - 1))
                                 ? names[i].substr(0, kLongest - 1) + "…"
                                 : names[i];
    list += (i == 0 ? "" : ", ") + gnuplot_quoted(name) + " " + std::to_string(i);
    characters += name.size() + 3;
  }
  const bool turned = *axis == 'x' && characters > 45;
  return std::string("set ") + axis + "tics (" + list + ") scale 0" + (turned ? " rotate by -40" : "") + "\n";
}

std::string range(const char* axis, std::size_t cells, bool down = false) {
  const std::string low = "-0.5", high = gnuplot_number(static_cast<double>(cells) - 0.5);
  return std::string("set ") + axis + "range [" + (down ? high + ":" + low : low + ":" + high) + "]\n";
}

std::vector<std::string> shown(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(show(value));
  return texts;
}

std::string number_in_cell(const std::string& text, arma::uword i, arma::uword j, bool dark, bool small) {
  return "set label " + gnuplot_quoted(text) + " at " + std::to_string(j) + ", " + std::to_string(i) +
         " center front textcolor rgb '" + (dark ? "#ffffff" : "#000000") + "' font '," + (small ? "12" : "16") + "'\n";
}

constexpr const char* kColorBox =
    "set format cb '%g'\nset colorbox user origin graph 1.04, graph 0 size graph 0.04, graph 1\nset rmargin 11\n";

/// Fills the cells that have a number in column 3 of the data.
constexpr const char* kCells =
    "data using ($3 == $3 ? $1 : NaN):2:($1 - 0.5):($1 + 0.5):($2 - 0.5):($2 + 0.5):3 with boxxyerror fillcolor "
    "palette "
    "fillstyle solid noborder notitle";

/// "1.88", "*" behind a mean that some trials are lacking in; of many cells the "*" alone.
std::string cell_text(const HeatMap& map, arma::uword i, arma::uword j, bool beyond) {
  const double mean = map.means(i, j);
  const std::string number =
      map.means.n_elem > kMostNumbers ? "" : show(mean, significant(beyond ? 2 : 3)) + (beyond ? " ▲" : "");
  return number + (std::isfinite(mean) && map.lacking(i, j) > 0 ? "*" : "");
}

std::string numbers(const HeatMap& map, const Scale& scale) {
  std::string lines;
  const bool small = map.x.size() > 6;
  for (arma::uword i = 0; i < map.means.n_rows; ++i) {
    for (arma::uword j = 0; j < map.means.n_cols; ++j) {
      const double mean = map.means(i, j);
      const bool dark = std::isfinite(mean) && shade(scale, mean) > 0.55;
      const std::string text = cell_text(map, i, j, scale.cut && mean > scale.worst);
      if (text.empty()) continue;
      lines += number_in_cell(text, i, j, dark, small);
    }
  }
  return lines;
}

/// Of the best mean, and of those that are equal to it; of cells that lack a trial only where every cell does.
std::string frames_of_best(const HeatMap& map) {
  arma::uvec cells = arma::find_finite(map.means);
  const arma::uvec whole = cells.elem(arma::find(arma::uvec(map.lacking.elem(cells)) == 0));
  if (!whole.is_empty()) cells = whole;
  const arma::vec means = map.means.elem(cells);
  const double best = map.lower_is_better ? means.min() : means.max();
  const auto edge = [](arma::uword index, double by) { return gnuplot_number(static_cast<double>(index) + by); };
  std::string frames;
  for (arma::uword k = 0; k < cells.n_elem; ++k) {
    if (!equal_but_for_rounding(means(k), best)) continue;
    const arma::uvec place = arma::ind2sub(arma::size(map.means), cells(k));
    frames += "set object rectangle from " + edge(place(1), -0.46) + ", " + edge(place(0), -0.46) + " to " +
              edge(place(1), 0.46) + ", " + edge(place(0), 0.46) +
              " front fillstyle empty border rgb '#D55E00' linewidth 3\n";
  }
  return frames;
}

}  // namespace

std::string plot_data(const HeatMap& map) {
  std::string text = "# column row mean x y trials_lacking\n";
  for (arma::uword i = 0; i < map.means.n_rows; ++i) {
    if (i > 0) text += "\n";
    for (arma::uword j = 0; j < map.means.n_cols; ++j) {
      text += std::to_string(j) + " " + std::to_string(i) + " " + gnuplot_number(map.means(i, j)) + " " +
              gnuplot_number(map.x[j]) + " " + gnuplot_number(map.y[i]) + " " + std::to_string(map.lacking(i, j)) +
              "\n";
    }
  }
  return text;
}

std::string plot_script(const HeatMap& map, const PlotFormats& formats) {
  const Scale scale = scale_of(map);
  ScriptHead head{map.name, map.title, map.x_label, map.y_label, {}, map.subtitle + ": " + map.value_label};
  add_note(head.note, map.note);
  std::string script = script_head(head) + "unset grid\n" + range("x", map.x.size()) + tics("x", shown(map.x)) +
                       range("y", map.y.size()) + tics("y", shown(map.y));
  // Light is good, whichever way that is.
  script +=
      std::string("set palette defined (") +
      (map.lower_is_better ? "0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b'" : "0 '#08306b', 0.5 '#6baed6', 1 '#f7fbff'") +
      ")\n";
  const double low = std::min(scale.best, scale.worst), high = std::max(scale.best, scale.worst);
  if (scale.log) script += "set logscale cb\n" + log_tics(low, high, "cbtics");
  script += low < high ? "set cbrange [" + gnuplot_number(low) + ":" + gnuplot_number(high) + "]\n" : "";
  script += kColorBox;
  script +=
      "set object rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb '#999999' fillstyle pattern "
      "4 noborder\n";
  script += numbers(map, scale) + frames_of_best(map);
  return script + script_end(head, formats, {kCells});
}

namespace {

/// Each count over the sum of its row; NaN where the class has no sample.
arma::mat shares_of(const ConfusionMatrix& matrix) {
  arma::mat shares = arma::conv_to<arma::mat>::from(matrix.counts);
  const arma::vec sums = arma::sum(shares, 1);
  shares.each_col() /= sums;
  return shares;
}

}  // namespace

std::string plot_data(const ConfusionMatrix& matrix) {
  const arma::mat shares = shares_of(matrix);
  std::string text = "# predicted true share count\n";
  for (arma::uword i = 0; i < shares.n_rows; ++i) {
    if (i > 0) text += "\n";
    for (arma::uword j = 0; j < shares.n_cols; ++j)
      text += std::to_string(j) + " " + std::to_string(i) + " " + gnuplot_number(shares(i, j)) + " " +
              std::to_string(matrix.counts(i, j)) + "\n";
  }
  return text;
}

std::string plot_script(const ConfusionMatrix& matrix, const PlotFormats& formats) {
  const arma::mat shares = shares_of(matrix);
  const arma::uword classes = shares.n_rows;
  ScriptHead head{matrix.name, matrix.title, "predicted class", "true class", {}, matrix.subtitle};
  add_note(head.note, "colour: share of the row");
  add_note(head.note, matrix.note);
  std::string script = script_head(head) + "unset grid\n" + range("x", classes) + tics("x", matrix.classes) +
                       range("y", classes, true) + tics("y", matrix.classes);
  script += "set palette defined (0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b')\nset cbrange [0:1]\n";
  script += kColorBox;
  for (arma::uword i = 0; i < classes && shares.n_elem <= kMostNumbers; ++i) {
    for (arma::uword j = 0; j < classes; ++j)
      script += number_in_cell(std::to_string(matrix.counts(i, j)), i, j, shares(i, j) > 0.55, classes > 6);
  }
  return script + script_end(head, formats, {kCells});
}

}  // namespace elmx
