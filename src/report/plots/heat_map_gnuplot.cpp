#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"
#include "report/formats/table.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

constexpr arma::uword kMostNumbers = 120;  ///< cells show their numbers up to this many cells

/// The colours from good to bad.
struct Scale {
  double best, worst;
  bool log;
};

Scale scale_of(const HeatMap& map) {
  const arma::vec means(map.means.elem(arma::find_finite(map.means)));
  const double low = means.min(), high = means.max();
  if (!map.lower_is_better) return {high, low, false};
  return {low, high, low > 0 && high >= 4 * low};
}

/// Returns the shade from 0, the best, to 1.
double shade(const Scale& scale, double mean) {
  const auto at = [&](double value) { return scale.log ? std::log(value) : value; };
  const double width = at(scale.worst) - at(scale.best);
  return width == 0 ? 0 : std::clamp((at(mean) - at(scale.best)) / width, 0.0, 1.0);
}

/// Returns a name as the label of a tic, in which gnuplot reads "%g" as the format of its number.
std::string without_formats(std::string name) {
  for (std::size_t at = 0; (at = name.find('%', at)) != std::string::npos; at += 2) name.insert(at, 1, '%');
  return name;
}

/// Returns the palette and the axes of a grid of cells, with at most 25 names each; long names are cut.
std::string grid_lines(const std::vector<std::string>& x, const std::vector<std::string>& y, bool down,
                       bool light_is_low) {
  constexpr std::size_t kLongest = 18, kMostNames = 25;
  std::string lines = "unset grid\n";
  for (const auto& [axis, names] : {std::pair("x", &x), std::pair("y", &y)}) {
    const std::size_t every = (names->size() + kMostNames - 1) / kMostNames;
    std::vector<std::string> tics;
    std::size_t characters = 0;
    for (std::size_t i = 0; i < names->size(); i += every) {
      std::string name = (*names)[i];
      if (name.size() > kLongest && is_utf8(name.substr(0, kLongest - 1))) name = name.substr(0, kLongest - 1) + "…";
      characters += name.size() + 3;
      tics.push_back(fmt::format("{} {}", gnuplot_quoted(without_formats(std::move(name))), i));
    }
    const double end = static_cast<double>(names->size()) - 0.5;
    lines += down && *axis == 'y' ? axis_lines(axis, end, -0.5) : axis_lines(axis, -0.5, end);
    lines += fmt::format("set {}tics ({}) scale 0{}\n", axis, fmt::join(tics, ", "),
                         *axis == 'x' && characters > 45 ? " rotate by -40" : "");
  }
  return lines + fmt::format("set palette defined (0 '{}', 0.5 '#6baed6', 1 '{}')\n",
                             light_is_low ? "#f7fbff" : "#08306b", light_is_low ? "#08306b" : "#f7fbff");
}

std::vector<std::string> shown(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(show(value));
  return texts;
}

std::string number_in_cell(const std::string& text, arma::uword i, arma::uword j, bool dark, bool small) {
  return fmt::format("set label {} at {}, {} center front textcolor rgb '{}' font ',{}'\n", gnuplot_quoted(text), j, i,
                     dark ? "#ffffff" : "#000000", small ? 12 : 16);
}

constexpr const char* kColorBox =
    "set format cb '%g'\nset colorbox user origin graph 1.04, graph 0 size graph 0.04, graph 1\nset rmargin 11\n";

/// Fills the cells that have a number in column 3 of the data.
constexpr const char* kCells =
    "data using ($3 == $3 ? $1 : NaN):2:($1 - 0.5):($1 + 0.5):($2 - 0.5):($2 + 0.5):3 with boxxyerror fillcolor "
    "palette fillstyle solid noborder notitle";

/// Writes one line per cell, "column row" and the result of `numbers`; an empty line between rows.
template <class Numbers>
std::string grid_data(const char* columns, const arma::SizeMat& size, const Numbers& numbers) {
  std::vector<std::string> rows(size.n_rows);
  for (arma::uword i = 0; i < size.n_rows; ++i) {
    for (arma::uword j = 0; j < size.n_cols; ++j) rows[i] += fmt::format("{} {} {}\n", j, i, numbers(i, j));
  }
  return fmt::format("# {}\n{}", columns, fmt::join(rows, "\n"));
}

/// Labels the cells: "1.88", "*" if the mean lacks some trials; in large maps only the "*".
std::string numbers_in_cells(const HeatMap& map, const Scale& scale) {
  std::string lines;
  for (arma::uword i = 0; i < map.means.n_rows; ++i) {
    for (arma::uword j = 0; j < map.means.n_cols; ++j) {
      const double mean = map.means(i, j);
      const bool finite = std::isfinite(mean);
      std::string text;
      if (map.means.n_elem <= kMostNumbers) text = show(mean, significant(3));
      if (finite && map.lacking(i, j) > 0) text += "*";
      if (!text.empty()) lines += number_in_cell(text, i, j, finite && shade(scale, mean) > 0.55, map.x.size() > 6);
    }
  }
  return lines;
}

/// Frames the best means; cells that lack a trial are only framed if every cell lacks one.
std::string frames_of_best(const HeatMap& map) {
  arma::uvec cells = arma::find_finite(map.means);
  const arma::uvec whole = cells.elem(arma::find(arma::uvec(map.lacking.elem(cells)) == 0));
  if (!whole.is_empty()) cells = whole;
  const arma::vec means = map.means.elem(cells);
  const double best = map.lower_is_better ? means.min() : means.max();
  std::string frames;
  for (arma::uword k = 0; k < cells.n_elem; ++k) {
    if (!equal_but_for_rounding(means(k), best)) continue;
    const arma::vec place = arma::conv_to<arma::vec>::from(arma::ind2sub(arma::size(map.means), cells(k)));
    frames += fmt::format(
        "set object rectangle from {}, {} to {}, {} front fillstyle empty border rgb '#D55E00' linewidth 3\n",
        gnuplot_number(place(1) - 0.46), gnuplot_number(place(0) - 0.46), gnuplot_number(place(1) + 0.46),
        gnuplot_number(place(0) + 0.46));
  }
  return frames;
}

}  // namespace

Drawing drawing_of(const HeatMap& map) {
  const Scale scale = scale_of(map);
  const bool lacks = arma::any(map.lacking.elem(arma::find_finite(map.means)) > 0);
  Drawing drawing{
      caption(map.title, map.subtitle,
              fmt::format("{} by {} and {}, means over repeats and folds; the best has a frame{}{}", map.value_label,
                          map.x_label, map.y_label, lacks ? ", *: some trials have no number here" : "",
                          map.means.has_nan() ? ", hatched: no number" : ""),
              map.note),
      grid_data("column row mean x y trials_lacking", arma::size(map.means),
                [&](arma::uword i, arma::uword j) {
                  return fmt::format("{} {} {} {}", gnuplot_number(map.means(i, j)), gnuplot_number(map.x[j]),
                                     gnuplot_number(map.y[i]), map.lacking(i, j));
                }),
      map.x_label, map.y_label};
  drawing.note = map.subtitle + ": " + map.value_label;
  add_note(drawing.note, map.note);
  const double low = std::min(scale.best, scale.worst), high = std::max(scale.best, scale.worst);
  // Light is good, for both directions of better.
  drawing.lines = grid_lines(shown(map.x), shown(map.y), false, map.lower_is_better) +
                  (low < high ? axis_lines("cb", low, high, scale.log) : "") + kColorBox +
                  "set object rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb '#999999' "
                  "fillstyle pattern 4 noborder\n" +
                  numbers_in_cells(map, scale) + frames_of_best(map);
  drawing.clauses = {kCells};
  return drawing;
}

Drawing drawing_of(const ConfusionMatrix& matrix) {
  // The share of each count in its row; NaN if the class has no sample.
  arma::mat shares = arma::conv_to<arma::mat>::from(matrix.counts);
  const arma::vec sums = arma::sum(shares, 1);
  shares.each_col() /= sums;
  const arma::uword classes = shares.n_rows;
  Drawing drawing{
      caption(matrix.title, matrix.subtitle,
              "true against predicted classes, counts over repeats and folds, shaded by the share of the row",
              matrix.note),
      grid_data("predicted true share count", arma::size(shares),
                [&](arma::uword i, arma::uword j) {
                  return fmt::format("{} {}", gnuplot_number(shares(i, j)), matrix.counts(i, j));
                }),
      "predicted class", "true class"};
  drawing.note = matrix.subtitle;
  add_note(drawing.note, "colour: share of the row");
  add_note(drawing.note, matrix.note);
  drawing.lines = grid_lines(matrix.classes, matrix.classes, true, true) + axis_lines("cb", 0, 1) + kColorBox;
  for (arma::uword i = 0; i < classes && shares.n_elem <= kMostNumbers; ++i) {
    for (arma::uword j = 0; j < classes; ++j)
      drawing.lines += number_in_cell(std::to_string(matrix.counts(i, j)), i, j, shares(i, j) > 0.55, classes > 6);
  }
  drawing.clauses = {kCells};
  return drawing;
}

}  // namespace elmx
