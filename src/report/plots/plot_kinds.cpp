
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "models/trainer.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/speed_ups.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

/// Returns the requested quantities, else accuracy and RMSE, or balanced accuracy if the run chooses by it.
Names or_errors(const Frame& frame, const Names& quantities) {
  if (!quantities.empty()) return quantities;
  const bool balanced =
      std::ranges::any_of(frame.run().select, [](const auto& of_case) { return of_case.second.by == "loo_bac"; });
  return {balanced ? "test_bac" : "test_acc", "test_rmse"};
}

/// Returns the swept places with numbers: either ridge parameters or all others.
Names swept(const PlotSource& source, bool ridge) {
  Names places = numeric_keys(source.frame.all_rows(), DimensionKind::swept);
  std::erase_if(places, [&](const std::string& place) { return place.ends_with("/ridge") != ridge; });
  return places;
}

/// Returns one row per method; under conditions, all rows that meet them.
std::vector<RecordRow> rows_against(const Frame& frame, const std::vector<RecordRow>& rows, const Names& axes) {
  return frame.predicate().empty() ? method_rows(rows, frame.run().select, axes) : rows;
}

template <class Kind>
void append(std::vector<Figure>& figures, std::vector<Kind> more) {
  std::ranges::move(more, std::back_inserter(figures));
}

/// Returns a diagram of each quantity against each axis.
std::vector<Figure> curves_of_rows(const Frame& frame, const std::vector<RecordRow>& all_rows, const Names& axes,
                                   const Names& quantities) {
  std::vector<Figure> figures;
  for (const std::string& axis : axes) {
    const std::vector<RecordRow> rows = rows_against(frame, all_rows, {axis});
    for (const std::string& quantity : or_errors(frame, quantities))
      append(figures, curve_plots(rows, axis, find_quantity(quantity), frame.all_rows(), frame.predicate().empty()));
  }
  return figures;
}

std::vector<Figure> curves_against(const PlotSource& source, const Names& axes, const Names& quantities) {
  return curves_of_rows(source.frame, source.frame.rows(), axes, quantities);
}

/// Returns the measured rows: trials at their sweep points; of the grids of algorithms only the choices.
std::vector<RecordRow> measured_rows(std::vector<RecordRow> rows) {
  std::erase_if(rows,
                [](const RecordRow& row) { return !row.over.empty() || (row.one_of_grid && !row.parameters.empty()); });
  return rows;
}

std::vector<Figure> by_ridge_and_nodes(const PlotSource& source, const Names& quantities) {
  Names axes = swept(source, true);
  axes.emplace_back(kNodes);
  std::vector<RecordRow> rows = rows_against(source.frame, source.frame.rows(), axes);
  if (!source.frame.predicate().empty())
    std::erase_if(rows, [](const RecordRow& row) { return !row.chosen.empty() || !row.over.empty(); });
  std::vector<Figure> figures;
  for (const std::string& quantity : or_errors(source.frame, quantities))
    append(figures, heat_maps(rows, find_quantity(quantity)));
  return figures;
}

std::vector<Figure> against_grid(const PlotSource& source, const Names& quantities) {
  std::vector<RecordRow> points = source.frame.rows();
  std::erase_if(points, [](const RecordRow& row) { return !row.one_of_grid || !row.chosen.empty(); });
  return curves_of_rows(source.frame, points, numeric_keys(points, DimensionKind::parameter), quantities);
}

/// By default shows errors, or the average accuracy of classes, and the times of updates.
std::vector<Figure> against_steps(const PlotSource& source, const Names& quantities) {
  std::vector<RecordRow> points = source.frame.rows();
  std::erase_if(points, [](const RecordRow& row) { return !in_steps(row.parameters); });
  const bool classes = !points.empty() && points.front().parameters.contains(kClasses);
  Names shown =
      classes && quantities.empty() ? Names{"average_accuracy", "forgetting"} : or_errors(source.frame, quantities);
  if (quantities.empty()) shown.emplace_back("step_seconds");
  return curves_of_rows(source.frame, points, numeric_keys(points, DimensionKind::parameter), shown);
}

/// Uses the times of whole trainings if single steps are not comparable.
std::vector<Figure> speedups(const PlotSource& source, const Names& quantities) {
  std::vector<RecordRow> rows = source.frame.predicate().empty()
                                    ? method_rows(source.frame.rows(), source.frame.run().select, {kNodes})
                                    : measured_rows(source.frame.rows());
  std::erase_if(rows, [](const RecordRow& row) { return in_steps(row.parameters); });
  const SpeedUps speed_ups(source.frame.all_rows(), source.references);
  std::vector<Figure> figures;
  for (const std::string& time : quantities.empty() ? Names{"step_seconds", "total_seconds"} : quantities) {
    if (quantities.empty() && !figures.empty()) break;
    append(figures, speedup_charts(rows, speed_ups, time));
  }
  return figures;
}

/// Returns one matrix per method, at its choice among the points that meet the conditions.
std::vector<Figure> confusions(const PlotSource& source, const Names&) {
  const RunDescription& run = source.frame.run();
  return as_figures(confusion_matrices(method_rows(source.frame.rows(), run.select, {}), run.classes));
}

bool any(const std::string&) { return true; }
bool none(const std::string&) { return false; }
bool is_weight_error(const std::string& quantity) { return quantity == "weight_error"; }

/// Returns the requested kinds, or by default all kinds that show the quantity.
std::vector<PlotKind> chosen_kinds(const Names& names, const std::string& quantity) {
  std::vector<PlotKind> kinds;
  for (const std::string& name : names) {
    kinds.push_back(named_row(plot_kinds(), name, "plot " + name, "unknown kind of plot"));
    if (!quantity.empty() && !kinds.back().shows(quantity))
      throw ConfigError("plot " + name, "this kind of diagram does not show " + quantity);
  }
  if (!names.empty()) return kinds;
  std::ranges::copy_if(plot_kinds(), std::back_inserter(kinds),
                       [&](const PlotKind& kind) { return quantity.empty() || kind.shows(quantity); });
  return kinds;
}

/// Gives a figure a unique name, with the conditions of its rows in name and title.
void name_figure(Figure& figure, const Predicate& predicate, std::set<std::string>& names) {
  std::vector<std::string> conditions;
  for (const Condition& condition : predicate) conditions.push_back(condition.field + "=" + condition.text);
  std::visit(
      [&](auto& one) {
        if (!conditions.empty()) one.name = file_name(fmt::format("{}_where_{}", one.name, fmt::join(conditions, "_")));
        if (!conditions.empty()) one.title += fmt::format(", where {}", fmt::join(conditions, " and "));
        one.name = unused_name(one.name, names);
      },
      figure);
}

}  // namespace

const std::vector<PlotKind>& plot_kinds() {
  static const std::vector<PlotKind> kinds = {
      {"heat", "test accuracy or error by swept ridge parameter and number of nodes", Question::error,
       "two values of a swept ridge parameter and two numbers of nodes", any, by_ridge_and_nodes},
      {"nodes", "test accuracy or error against the number of nodes, other settings at their best", Question::error,
       "two numbers of nodes", any,
       [](const PlotSource& source, const Names& quantities) { return curves_against(source, {kNodes}, quantities); }},
      {"ridge", "test accuracy or error against a swept ridge parameter, nodes at their best", Question::error,
       "two values of a swept ridge parameter", any,
       [](const PlotSource& source, const Names& quantities) {
         return curves_against(source, swept(source, true), quantities);
       }},
      {"sweep", "test accuracy or error against each other number that is swept", Question::error,
       "two values of another swept number", any,
       [](const PlotSource& source, const Names& quantities) {
         return curves_against(source, swept(source, false), quantities);
       }},
      {"grid", "test accuracy or error against each parameter of the algorithms' own grids", Question::error,
       "an algorithm with two points of a grid", any, against_grid},
      {"steps", "test accuracy or error, and the time of an update, against the samples or classes so far",
       Question::error, "samples or classes that arrive step by step", any, against_steps},
      {"weight-error", "distance to the independent solution against the number of nodes", Question::numerics,
       "the weight error at two numbers of nodes", is_weight_error,
       [](const PlotSource& source, const Names&) { return curves_against(source, {kNodes}, {"weight_error"}); }},
      {"speedup", "speed-ups over the baseline with their 95 % intervals", Question::speed,
       "times of the baseline and of another algorithm", is_time, speedups},
      {"convergence", "losses, accuracy and objective against epochs or iterations", Question::error,
       "a training that is traced", none,
       [](const PlotSource& source, const Names&) { return as_figures(convergence_plots(source.frame)); }},
      {"confusion", "how many samples of each class were predicted as each class", Question::error,
       "a classification whose records have the counts", none, confusions},
      {"predicted", "predicted against actual values, and the residuals", Question::error,
       "predictions.csv of a regression", none,
       [](const PlotSource& source, const Names&) { return predicted_plots(source.predicted); }},
  };
  return kinds;
}

PlotSource plot_source(const Frame& frame, const std::string& reference) {
  refuse_unknown_reference(frame, reference);
  std::vector<RecordRow> measured = measured_rows(frame.rows());
  std::erase_if(measured, [](const RecordRow& row) { return row.imported; });
  return {frame, reference_algorithms(measured, reference, frame.run().baselines)};
}

std::vector<Figure> figures_of(const PlotSource& source, const Names& kinds, const std::string& metric,
                               const std::string& origin) {
  const Names quantities = metric.empty() ? Names{} : Names{find_quantity(metric).name};
  std::vector<Figure> figures;
  Names lacking;
  std::set<std::string> names;
  for (const PlotKind& kind : chosen_kinds(kinds, metric.empty() ? "" : quantities.front())) {
    const std::size_t before = figures.size();
    for (Figure& figure : kind.make(source, quantities)) {
      name_figure(figure, source.frame.predicate(), names);
      figures.push_back(std::move(figure));
    }
    if (figures.size() == before) lacking.push_back(fmt::format("{} needs {}", kind.name, kind.needs));
  }
  if (figures.empty() || (!kinds.empty() && !lacking.empty()))
    throw DataError(origin, fmt::format("nothing to plot{}; {}", metric.empty() ? "" : " of " + quantities.front(),
                                        fmt::join(lacking, "; ")));
  return figures;
}

PartedFigures parted_figures(const PlotSource& source) {
  PartedFigures parted;
  std::set<std::pair<Question, std::string>> answered;
  std::set<std::string> names;
  for (const PlotKind& kind : plot_kinds()) {
    for (Figure& figure : kind.make(source, {})) {
      const bool first =
          kind.question != Question::numerics && answered.emplace(kind.question, title_of(figure)).second;
      std::visit([&](auto& one) { one.name = unused_name(one.name, names); }, figure);
      (first ? parted.first : parted.further).push_back(std::move(figure));
    }
  }
  return parted;
}

}  // namespace elmx
