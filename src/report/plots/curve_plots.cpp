#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/config/fields.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

using Rows = std::span<const RecordRow>;

/// A curve named after its algorithm.
struct Line {
  Curve curve;
  std::string suffix;  ///< distinguishes it from other curves of the algorithm and names missing trials
  bool level = false;  ///< one row over the whole axis
};

/// Returns " (failed in 2 of 10, chosen in 3 of 10)"; chosen: a condition left some trials of a level line.
std::string trials_text(const std::vector<const RecordRow*>& rows) {
  const TrialCounts count = count_trials(rows);
  const arma::uword choosing = rows.front()->chose_this;
  std::vector<std::string> texts;
  if (count.failed > 0) texts.push_back(fmt::format("failed in {} of {}", count.failed, count.all));
  if (choosing > count.all) texts.push_back(fmt::format("chosen in {} of {}", count.all, choosing));
  return texts.empty() ? "" : fmt::format(" ({})", fmt::join(texts, ", "));
}

/// Returns the lines. Rows without a value on the axis become level lines over the whole axis: imported
/// methods, and choices of the parameter on the axis.
std::vector<Line> lines_of(Rows rows, const Span& whole, const Dimensions& dimensions, const Dimension& axis,
                           const Quantity& quantity, bool one_a_method) {
  const auto level = [&](const RecordRow& row) {
    return whole.low < whole.high && (row.imported || std::ranges::count(row.over, axis.key()) > 0);
  };
  std::vector<const RecordRow*> shown;
  for (const RecordRow& row : rows) {
    if (number_of(row, axis) || level(row)) shown.push_back(&row);
  }
  std::vector<Line> lines;
  for (const EntryRows& entry : by_entry(shown, dimensions, [&](const Dimension& dimension) {
         return &dimension != &axis && !(one_a_method && dimension.kind == DimensionKind::chosen);
       })) {
    std::map<double, const RecordRow*> row_at;
    for (const RecordRow* row : entry.rows) {
      const auto x = number_of(*row, axis);
      for (const double place : {x.value_or(whole.low), x.value_or(whole.high)}) row_at.emplace(place, row);
    }
    Line& line = lines.emplace_back(Line{{entry.algorithm, {}}, entry.suffix + trials_text(entry.rows)});
    line.level = row_at.size() == 2 && row_at.begin()->second == row_at.rbegin()->second;
    for (const auto& [x, row] : row_at) line.curve.points.push_back(point_of(x, summary_of(*row, quantity.name)));
  }
  return lines;
}

/// Returns the curves. Equal curves are drawn as one, named after all of them.
std::vector<Curve> curves_of(const std::vector<Line>& lines, const Quantity& quantity) {
  nlohmann::ordered_map<std::string, Line> different;  // by their printed text
  for (const Line& line : lines) {
    std::string shown = line.suffix;
    bool has_any = line.suffix.ends_with(')');
    for (const CurvePoint& point : line.curve.points) {
      shown += '\n' + show(point.x) + ' ' +
               plain_text(spread_cell(point.mean, (point.high - point.low) / 2, quantity.display));
      has_any = has_any || point.n > 0;
    }
    if (!has_any) continue;
    const auto [found, is_new] = different.emplace(shown, Line(line));
    if (!is_new) found->second.curve.name += ", " + line.curve.name;
  }
  std::vector<Curve> curves;
  for (auto& [shown, line] : different) {
    curves.push_back(std::move(line.curve));
    curves.back().name += line.suffix;
  }
  return curves;
}

/// Returns true if all numbers are positive and the largest is at least ten times the smallest.
bool spans_a_decade(const std::vector<Curve>& curves, double CurvePoint::*number) {
  Span span;
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) span.add(point.*number);
  }
  return span.low > 0 && span.high >= 10 * span.low;
}

/// Returns the axis of a quantity, limited to its range: errors, diagnostics and times start at 0, fractions
/// lie in [0, 1], correlations in [-1, 1], R2 is at most 1.
PlotAxis axis_of(const Quantity& quantity, bool log) {
  PlotAxis axis{quantity.label, log};
  if (!quantity.better) return axis;
  const bool correlation = quantity.name == "mcc" || quantity.name.ends_with("_mcc");
  if (*quantity.better == Better::higher) axis.most = 1;
  if (correlation || *quantity.better == Better::lower || quantity.kind != MetricKind::regression)
    axis.least = correlation ? -1 : 0;
  return axis;
}

/// Returns a label such as "ridge parameter" or "mu of s3elm".
std::string label_of(const Dimension& axis, const std::vector<Line>& lines) {
  if (axis.kind == DimensionKind::nodes) return "number of hidden nodes";
  if (axis.kind == DimensionKind::swept)
    return last_component(axis.place) == "ridge" ? "ridge parameter" : last_component(axis.place);
  std::vector<std::string> algorithms;
  for (const Line& line : lines) add_missing(algorithms, {line.curve.name});
  return algorithms.size() == 1 ? axis.name + " of " + algorithms.front() : axis.name;
}

}  // namespace

std::vector<Plot> curve_plots(const std::vector<RecordRow>& rows, const std::string& against, const Quantity& quantity,
                              const std::vector<RecordRow>& known, bool one_a_method) {
  std::vector<Plot> plots;
  std::map<std::string, std::vector<RecordRow>> by_units;
  if (quantity.in_target_units) {
    for (const RecordRow& row : rows) by_units[row.units].push_back(row);
  }
  if (by_units.size() > 1) {  // one plot per unit
    for (const auto& [unit, some] : by_units) {
      for (Plot& plot : curve_plots(some, against, quantity, known, one_a_method)) {
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
    Span whole;
    for (const RecordRow& row : known) {
      if (row.experiment_case == of_plot[0].experiment_case && row.dataset == of_plot[0].dataset)
        whole.add(number_of(row, *axis).value_or(NAN));
    }
    const std::vector<Line> lines = lines_of(of_plot, whole, dimensions, *axis, quantity, one_a_method);
    const bool all_level = std::ranges::all_of(lines, &Line::level);
    const auto is_course = [&](const Line& line) { return (all_level || !line.level) && line.curve.values() > 1; };
    if (std::ranges::none_of(lines, is_course)) continue;
    std::vector<Curve> curves = curves_of(lines, quantity);
    const std::string title = plot_title(of_plot[0].experiment_case, of_plot[0].dataset);
    const bool nodes = axis->kind == DimensionKind::nodes;
    const PlotAxis x{label_of(*axis, lines), !nodes && spans_a_decade(curves, &CurvePoint::x), nodes};
    const bool log = quantity.spans_decades || spans_a_decade(curves, &CurvePoint::mean);
    plots.push_back({file_name(file_name(title, 80) + "_" + quantity.name + "_by_" + last_component(against)), title, x,
                     axis_of(quantity, log), std::move(curves), one_a_method ? choice_text(of_plot) : ""});
    limit_points(plots.back());
  }
  return plots;
}

}  // namespace elmx
