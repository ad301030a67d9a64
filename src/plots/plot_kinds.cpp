#include "plots/plot_kinds.hpp"

#include <algorithm>
#include <set>

#include "base/named_row.hpp"
#include "plots/convergence_plots.hpp"
#include "plots/method_rows.hpp"
#include "plots/row_plots.hpp"
#include "tables/speed_ups.hpp"
#include "tables/tables_of_records.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

const Names kErrors = {"test_acc", "test_rmse"};

bool is_ridge(const std::string& place) { return place.ends_with("/ridge"); }
bool is_no_ridge(const std::string& place) { return !is_ridge(place); }

/// The swept places with numbers that `wanted` takes.
Names swept(const PlotSource& source, bool (*wanted)(const std::string&)) {
  Names places = numeric_keys(source.frame.all_rows(), DimensionKind::swept);
  std::erase_if(places, [&](const std::string& place) { return !wanted(place); });
  return places;
}

/// One row a method; under conditions all rows that meet them.
std::vector<RecordRow> rows_against(const Frame& frame, const std::vector<RecordRow>& rows, const Names& axes) {
  return frame.predicate().empty() ? method_rows(rows, frame.run().select, axes) : rows;
}

/// A quantity after another, each against every one of the axes.
std::vector<Figure> curves_against(const Frame& frame, const std::vector<RecordRow>& all_rows, const Names& axes,
                                   const Names& quantities) {
  std::vector<Figure> figures;
  for (const std::string& axis : axes) {
    const std::vector<RecordRow> rows = rows_against(frame, all_rows, {axis});
    for (const std::string& quantity : quantities) {
      for (Plot& plot : curve_plots(rows, axis, find_quantity(quantity), frame.all_rows(), frame.predicate().empty()))
        figures.emplace_back(std::move(plot));
    }
  }
  return figures;
}

const Names& or_errors(const Names& quantities) { return quantities.empty() ? kErrors : quantities; }

/// What was measured: trials at their sweep points, of own grids the choices.
std::vector<RecordRow> measured_rows(std::vector<RecordRow> rows) {
  std::erase_if(rows,
                [](const RecordRow& row) { return !row.over.empty() || (row.one_of_grid && !row.parameters.empty()); });
  return rows;
}

std::vector<Figure> by_ridge_and_nodes(const PlotSource& source, const Names& quantities) {
  Names axes = swept(source, is_ridge);
  axes.emplace_back(kNodes);
  std::vector<RecordRow> rows = rows_against(source.frame, source.frame.rows(), axes);
  if (!source.frame.predicate().empty())
    std::erase_if(rows, [](const RecordRow& row) { return !row.chosen.empty() || !row.over.empty(); });
  std::vector<Figure> figures;
  for (const std::string& quantity : or_errors(quantities)) {
    for (HeatMap& map : heat_maps(rows, find_quantity(quantity))) figures.emplace_back(std::move(map));
  }
  return figures;
}

std::vector<Figure> against_grid(const PlotSource& source, const Names& quantities) {
  std::vector<RecordRow> points = source.frame.rows();
  std::erase_if(points, [](const RecordRow& row) { return !row.one_of_grid || !row.chosen.empty(); });
  return curves_against(source.frame, points, numeric_keys(points, DimensionKind::parameter), or_errors(quantities));
}

/// Where single steps cannot be compared, the whole trainings are.
std::vector<Figure> speedups(const PlotSource& source, const Names& quantities) {
  const std::vector<RecordRow> rows = source.frame.predicate().empty()
                                          ? method_rows(source.frame.rows(), source.frame.run().select, {kNodes})
                                          : measured_rows(source.frame.rows());
  const SpeedUps speed_ups(source.frame.all_rows(), source.references);
  std::vector<Figure> figures;
  for (const std::string& time : quantities.empty() ? Names{"step_seconds", "total_seconds"} : quantities) {
    if (quantities.empty() && !figures.empty()) break;
    for (BarChart& chart : speedup_charts(rows, speed_ups, time)) figures.emplace_back(std::move(chart));
  }
  return figures;
}

/// One matrix a method, at its choice among the points that meet the conditions.
std::vector<Figure> confusions(const PlotSource& source, const Names&) {
  std::vector<Figure> figures;
  const RunDescription& run = source.frame.run();
  for (ConfusionMatrix& matrix : confusion_matrices(method_rows(source.frame.rows(), run.select, {}), run.classes))
    figures.emplace_back(std::move(matrix));
  return figures;
}

std::vector<Figure> convergence(const PlotSource& source, const Names&) {
  return as_figures(convergence_plots(source.frame));
}

bool any(const std::string&) { return true; }
bool none(const std::string&) { return false; }
bool is_weight_error(const std::string& quantity) { return quantity == "weight_error"; }

const PlotKind& find_kind(const std::string& name) {
  return named_row(plot_kinds(), name, "plot \"" + name + "\": unknown kind");
}

/// The kinds that were asked for, or all; those that show the quantity.
std::vector<PlotKind> chosen_kinds(const Names& names, const std::string& quantity) {
  std::vector<PlotKind> kinds;
  for (const std::string& name : names) {
    kinds.push_back(find_kind(name));
    if (!quantity.empty() && !kinds.back().shows(quantity))
      throw ConfigError("plot " + name + ": does not show " + quantity);
  }
  if (!kinds.empty()) return kinds;
  for (const PlotKind& kind : plot_kinds()) {
    if (quantity.empty() || kind.shows(quantity)) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<Figure> with_names_of_their_own(std::vector<Figure> figures, PlotNames& names) {
  for (Figure& figure : figures) name_of(figure) = names(name_of(figure));
  return figures;
}

std::string joined(const Names& texts, const char* between) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : between) + one;
  return text;
}

/// What the kind shows of the wanted cases.
std::vector<Figure> wanted_figures(const PlotKind& kind, const PlotSource& source, const Names& quantities,
                                   PlotNames& names) {
  std::vector<Figure> figures = kind.make(source, quantities);
  Names texts;
  for (const Condition& condition : source.frame.predicate()) texts.push_back(condition.field + "=" + condition.text);
  const std::string conditions = joined(texts, "_");
  if (!conditions.empty()) {
    for (Figure& figure : figures) name_of(figure) = file_name(name_of(figure) + "_where_" + conditions);
  }
  figures = with_names_of_their_own(std::move(figures), names);
  std::erase_if(figures, [&](const Figure& figure) {
    return !source.titles.empty() && !source.titles.contains(title_of(figure));
  });
  for (Figure& figure : figures) {
    if (!conditions.empty()) std::visit([&](auto& one) { one.title += ", where " + joined(texts, " and "); }, figure);
  }
  return figures;
}

}  // namespace

const std::vector<PlotKind>& plot_kinds() {
  static const std::vector<PlotKind> kinds = {
      {"heat", "test accuracy or error by swept ridge parameter and number of nodes", Question::error,
       "two values of a swept ridge parameter and two numbers of nodes", any, by_ridge_and_nodes},
      {"nodes", "test accuracy or error against the number of nodes, other settings at their best", Question::error,
       "two numbers of nodes", any,
       [](const PlotSource& source, const Names& quantities) {
         return curves_against(source.frame, source.frame.rows(), {kNodes}, or_errors(quantities));
       }},
      {"ridge", "test accuracy or error against a swept ridge parameter, nodes at their best", Question::error,
       "two values of a swept ridge parameter", any,
       [](const PlotSource& source, const Names& quantities) {
         return curves_against(source.frame, source.frame.rows(), swept(source, is_ridge), or_errors(quantities));
       }},
      {"sweep", "test accuracy or error against each other number that is swept", Question::error,
       "two values of another swept number", any,
       [](const PlotSource& source, const Names& quantities) {
         return curves_against(source.frame, source.frame.rows(), swept(source, is_no_ridge), or_errors(quantities));
       }},
      {"grid", "test accuracy or error against each parameter of the algorithms' own grids", Question::error,
       "an algorithm with two points of a grid", any, against_grid},
      {"weight-error", "distance to the independent solution against the number of nodes", Question::numerics,
       "the weight error at two numbers of nodes", is_weight_error,
       [](const PlotSource& source, const Names&) {
         return curves_against(source.frame, source.frame.rows(), {kNodes}, {"weight_error"});
       }},
      {"speedup", "speed-ups over the baseline with their 95 % intervals", Question::speed,
       "times of the baseline and of another algorithm", is_time, speedups},
      {"convergence", "losses, accuracy and objective against epochs or iterations", Question::error,
       "a training that is traced", none, convergence},
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
  std::string lacking;
  bool missed = false;
  PlotNames names;
  for (const PlotKind& kind : chosen_kinds(kinds, metric.empty() ? "" : quantities.front())) {
    std::vector<Figure> made = wanted_figures(kind, source, quantities, names);
    if (made.empty()) {
      lacking += (lacking.empty() ? "" : "; ") + (kind.name + std::string(" needs ")) + kind.needs;
      missed = missed || !kinds.empty();
    }
    std::move(made.begin(), made.end(), std::back_inserter(figures));
  }
  if (missed || figures.empty())
    throw DataError(origin + ": nothing to plot" + (metric.empty() ? "" : " of " + quantities.front()) + "; " +
                    lacking);
  return figures;
}

PartedFigures parted_figures(const PlotSource& source) {
  std::vector<Figure> figures;
  std::vector<bool> is_first;
  std::set<std::pair<Question, std::string>> answered;
  for (const PlotKind& kind : plot_kinds()) {
    for (Figure& figure : kind.make(source, {})) {
      is_first.push_back(kind.question != Question::numerics &&
                         answered.emplace(kind.question, title_of(figure)).second);
      figures.push_back(std::move(figure));
    }
  }
  PlotNames names;
  figures = with_names_of_their_own(std::move(figures), names);
  PartedFigures parted;
  for (std::size_t i = 0; i < figures.size(); ++i)
    (is_first[i] ? parted.first : parted.further).push_back(std::move(figures[i]));
  return parted;
}

}  // namespace elmx
