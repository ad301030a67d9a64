#include "plots/curve_plots.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/config/fields.hpp"
#include "plots/natural_range.hpp"
#include "plots/plot_names.hpp"
#include "results/row_traits.hpp"

namespace elmx {
namespace {

using Rows = std::span<const RecordRow>;

/// The rows of one curve by what they are set against.
struct Line {
  LegendEntry entry;
  std::map<double, const RecordRow*> at;
};

LegendEntry entry_of(const RecordRow& row, const Dimensions& dimensions, const Dimension& axis) {
  LegendEntry entry{row.algorithm, traits_of(row, dimensions)};
  std::erase_if(entry.traits, [&](const Trait& trait) { return trait.dimension == &axis; });
  return entry;
}

std::vector<Line> lines_of(Rows rows, const Dimensions& dimensions, const Dimension& axis) {
  std::vector<Line> lines;
  for (const RecordRow& row : rows) {
    const auto x = number_of(row, axis);
    if (!x) continue;
    LegendEntry entry = entry_of(row, dimensions, axis);
    auto line = std::ranges::find(lines, entry, &Line::entry);
    if (line == lines.end()) line = lines.insert(lines.end(), {std::move(entry), {}});
    line->at.emplace(*x, &row);
  }
  return lines;
}

/// Level lines over the whole axis, as far as `known` rows of the data set go: of imported methods, which
/// have nothing there, and of choices of what the axis shows.
std::vector<Line> levels_of(Rows rows, const std::vector<RecordRow>& known, const Dimensions& dimensions,
                            const Dimension& axis) {
  double low = INFINITY, high = -INFINITY;
  for (const RecordRow& row : known) {
    const auto x = number_of(row, axis);
    if (!x || row.experiment_case != rows[0].experiment_case || row.dataset != rows[0].dataset) continue;
    low = std::min(low, *x);
    high = std::max(high, *x);
  }
  std::vector<Line> levels;
  for (const RecordRow& row : rows) {
    if (low < high && !number_of(row, axis) && (row.imported || std::ranges::count(row.over, axis.key()) > 0))
      levels.push_back({entry_of(row, dimensions, axis), {{low, &row}, {high, &row}}});
  }
  return levels;
}

/// " (failed in 2 of 10, chosen in 3 of 10)"; chosen: of a level line, where a condition left some of the
/// trials.
std::string trials_text(const Line& line) {
  std::vector<const RecordRow*> rows;
  for (const auto& [x, row] : line.at) rows.push_back(row);
  const TrialCounts count = count_trials(rows);
  std::string text;
  if (count.failed > 0) text = "failed in " + std::to_string(count.failed) + " of " + std::to_string(count.all);
  if (rows.front()->chose_this > count.all)
    text += (text.empty() ? "" : ", ") + std::string("chosen in ") + std::to_string(count.all) + " of " +
            std::to_string(rows.front()->chose_this);
  return text.empty() ? "" : " (" + text + ")";
}

/// The curves as rows of a table: those that show the same are drawn as one.
Table table_of(const std::vector<Line>& lines, const Quantity& quantity) {
  std::set<double> xs;
  std::vector<LegendEntry> entries;
  for (const Line& line : lines) {
    entries.push_back(line.entry);
    for (const auto& [x, row] : line.at) xs.insert(x);
  }
  const std::vector<std::string> suffixes = distinctions(entries);
  Table table{"", "", {{"algorithm", ""}, {"suffix", ""}, {"trials", ""}}, {}, {}, {}};
  for (const double x : xs) table.columns.push_back({show(x), ""});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<Cell> cells = {text_cell(lines[i].entry.algorithm), text_cell(suffixes[i]),
                               text_cell(trials_text(lines[i]))};
    for (const double x : xs) {
      const auto found = lines[i].at.find(x);
      const Summary summary =
          found == lines[i].at.end() ? Summary{NAN, NAN, 0} : summary_of(*found->second, quantity.name);
      cells.push_back(spread_cell(summary.mean, summary.sd, quantity.display));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<CurvePoint> points_of(const Line& line, const Quantity& quantity) {
  std::vector<CurvePoint> points;
  for (const auto& [x, row] : line.at) {
    const Summary summary = summary_of(*row, quantity.name);
    points.push_back({x, summary.mean, summary.sd, summary.n});
  }
  return points;
}

std::vector<Curve> curves_of(const std::vector<Line>& lines, const Quantity& quantity) {
  const Table table = table_of(lines, quantity);
  std::vector<Curve> curves;
  for (const std::vector<std::size_t>& alike : alike_rows(table, "algorithm")) {
    std::string name;
    for (const std::size_t i : alike) name += (name.empty() ? "" : ", ") + table.rows[i][0].text;
    const std::vector<Cell>& row = table.rows[alike.front()];
    Curve curve{name + row[1].text + row[2].text, points_of(lines[alike.front()], quantity)};
    const bool has_any =
        std::any_of(curve.points.begin(), curve.points.end(), [](const CurvePoint& p) { return p.n > 0; });
    if (has_any || !row[2].text.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

bool has_two_values(const Curve& curve) {
  return std::count_if(curve.points.begin(), curve.points.end(),
                       [](const CurvePoint& p) { return std::isfinite(p.mean); }) > 1;
}

/// Whether all numbers are positive and the largest is at least ten times the smallest.
bool spans_a_decade(const std::vector<Curve>& curves, double CurvePoint::*number) {
  double low = INFINITY, high = 0;
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) {
      if (!std::isfinite(point.*number)) continue;
      low = std::min(low, point.*number);
      high = std::max(high, point.*number);
    }
  }
  return low > 0 && high >= 10 * low;
}

/// "ridge parameter", "mu of s3elm".
std::string label_of(const Dimension& axis, const std::vector<Line>& lines) {
  if (axis.kind == DimensionKind::nodes) return "number of hidden nodes";
  if (axis.kind == DimensionKind::swept)
    return last_component(axis.place) == "ridge" ? "ridge parameter" : last_component(axis.place);
  std::vector<std::string> algorithms;
  for (const Line& line : lines) add_missing(algorithms, {line.entry.algorithm});
  return algorithms.size() == 1 ? axis.name + " of " + algorithms.front() : axis.name;
}

}  // namespace

std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against,
                              const Quantity& quantity) {
  return curve_plots(rows, against, quantity, rows);
}

std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against, const Quantity& quantity,
                              const std::vector<RecordRow>& known) {
  std::vector<Plot> plots;
  std::set<std::string> units;
  for (const RecordRow& row : rows) units.insert(row.units);
  if (quantity.in_target_units && units.size() > 1) {  // no axis has two units
    for (const std::string& unit : units) {
      std::vector<RecordRow> some = rows;
      std::erase_if(some, [&](const RecordRow& row) { return row.units != unit; });
      for (Plot& plot : curve_plots(some, against, quantity, known)) {
        plot.title += ", " + (unit.empty() ? "original" : unit) + " units";
        plots.push_back(std::move(plot));
      }
    }
    return plots;
  }
  for (const Rows of_plot : by_data_set(rows)) {
    const Dimensions dimensions(of_plot);
    const auto axis = std::ranges::find(dimensions.all(), against, &Dimension::key);
    if (axis == dimensions.all().end()) continue;
    std::vector<Line> lines = lines_of(of_plot, dimensions, *axis);
    if (!lines.empty() && std::ranges::none_of(curves_of(lines, quantity), has_two_values)) continue;
    for (Line& level : levels_of(of_plot, known, dimensions, *axis)) lines.push_back(std::move(level));
    std::vector<Curve> curves = curves_of(lines, quantity);
    if (std::ranges::none_of(curves, has_two_values)) continue;
    const std::string title = plot_title(of_plot[0].experiment_case, of_plot[0].dataset);
    const bool nodes = axis->kind == DimensionKind::nodes;
    const PlotAxis x{label_of(*axis, lines), !nodes && spans_a_decade(curves, &CurvePoint::x), nodes};
    const NaturalRange range = natural_range(quantity);
    const PlotAxis y{quantity.label, quantity.spans_decades || spans_a_decade(curves, &CurvePoint::mean),
                     false,          range.least,
                     range.most,     quantity.kind == MetricKind::regression};
    plots.push_back({file_name(file_name(title, 80) + "_" + quantity.name + "_by_" + last_component(against)), title, x,
                     y, std::move(curves)});
  }
  return plots;
}

}  // namespace elmx
