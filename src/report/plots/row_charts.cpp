#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/config/fields.hpp"
#include "report/frame/quantities.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

using Rows = std::span<const RecordRow>;

bool is_axis(const Dimension& dimension) {
  return dimension.kind == DimensionKind::nodes ||
         (dimension.kind == DimensionKind::swept && last_component(dimension.place) == "ridge");
}

/// Returns the map of the rows by ridge parameter and nodes, at most kMost of each, without names.
HeatMap map_of(const std::vector<const RecordRow*>& rows, const Dimension& ridge, const Dimension& nodes,
               const Quantity& quantity) {
  constexpr std::size_t kMost = 70;
  std::set<double> xs, ys;
  for (const RecordRow* row : rows) {
    xs.insert(*number_of(*row, ridge));
    ys.insert(*number_of(*row, nodes));
  }
  HeatMap map{"", "", "ridge parameter", "number of hidden nodes", quantity.label};
  map.lower_is_better = quantity.better.value_or(Better::lower) == Better::lower;
  map.x.assign(xs.begin(), xs.end());
  map.y.assign(ys.begin(), ys.end());
  thin(map.x, kMost);
  thin(map.y, kMost);
  if (map.x.size() < xs.size() || map.y.size() < ys.size())
    map.note =
        fmt::format("{} of {} ridge parameters and {} of {} sizes", map.x.size(), xs.size(), map.y.size(), ys.size());
  map.means.set_size(map.y.size(), map.x.size());
  map.means.fill(NAN);
  map.lacking.zeros(map.y.size(), map.x.size());
  for (const RecordRow* row : rows) {
    const auto x = std::ranges::find(map.x, *number_of(*row, ridge)),
               y = std::ranges::find(map.y, *number_of(*row, nodes));
    if (x == map.x.end() || y == map.y.end()) continue;
    const auto i = static_cast<arma::uword>(y - map.y.begin()), j = static_cast<arma::uword>(x - map.x.begin());
    const auto with = std::ranges::count_if(
        row->steps, [&](const RecordedStep& step) { return value_of(step, quantity.name).has_value(); });
    map.means(i, j) = summary_of(*row, quantity.name).mean;
    map.lacking(i, j) = row->trials() - static_cast<arma::uword>(with);
  }
  return map;
}

/// Returns the numbers that a map prints.
std::string shown(const HeatMap& map, const Quantity& quantity) {
  std::string text;
  for (const double x : map.x) text += show(x) + ' ';
  for (const double y : map.y) text += show(y) + '\n';
  for (arma::uword k = 0; k < map.means.n_elem; ++k)
    text += show(map.means(k), quantity.display) + ' ' + std::to_string(map.lacking(k)) + '\n';
  return text;
}

/// Returns the chart of one sweep point, with a line at 1; it has no curve if there is no speed-up.
Plot chart_of(const SpeedUps& speed_ups, const MatchedRows& rows, const Dimensions& dimensions,
              const std::string& time) {
  const std::string& reference = speed_ups.references().at(rows.front()->experiment_case);
  Plot chart;
  chart.style = PlotStyle::intervals;
  chart.title = plot_title(rows.front()->experiment_case, rows.front()->dataset);
  chart.note = point_text(traits_of(*rows.front(), dimensions));
  const std::string place = chart.title + (chart.note.empty() ? "" : "_" + chart.note);
  chart.name = file_name(file_name(place, 120) + "_" + prefix_of(time) + "_speedup");
  chart.x = {"number of hidden nodes", false, true};
  chart.y = {prefix_of(time) + " speed-up over " + reference, true};
  std::set<double> sizes;
  const auto in_legend = [](const Dimension& dimension) {  // one sweep point; the axis is the nodes
    return dimension.kind != DimensionKind::nodes && dimension.kind != DimensionKind::swept &&
           dimension.kind != DimensionKind::chosen;
  };
  for (const EntryRows& entry : by_entry(rows, dimensions, in_legend)) {
    if (entry.algorithm == reference) continue;
    Curve curve{entry.name(), {}};
    std::set<arma::uword> seen;
    for (const RecordRow* row : entry.rows) {
      const Ratio ratio = speed_ups.of(*row, time).ratio;
      if (!seen.insert(*row->nodes).second || !(ratio.value > 0)) continue;
      const Interval interval = ratio.interval.value_or(Interval{NAN, NAN});
      curve.points.push_back({static_cast<double>(*row->nodes), ratio.value, interval.low, interval.high});
      sizes.insert(curve.points.back().x);
    }
    std::ranges::sort(curve.points, {}, &CurvePoint::x);
    if (!curve.points.empty()) chart.curves.push_back(std::move(curve));
  }
  if (chart.curves.empty()) return chart;
  Curve one{reference, {}};
  for (const double size : sizes) one.points.push_back({size, 1});
  chart.curves.push_back(std::move(one));
  limit_points(chart);
  return chart;
}

Plot cloud_of(const TestPredictions& values, arma::uword target, PlotStyle style) {
  const std::string& name = values.targets.at(target);
  const bool residuals = style == PlotStyle::around_zero;
  Plot plot{file_name(file_name(values.data_set + "_" + values.method + "_" + name, 120) +
                      (residuals ? "_residuals" : "_predicted")),
            values.data_set + ", " + values.method,
            {(residuals ? "predicted " : "actual ") + name},
            {residuals ? "residual of " + name + " (actual - predicted)" : "predicted " + name},
            {{"test rows", {}}},
            "",
            style};
  std::vector<CurvePoint>& points = plot.curves[0].points;
  for (arma::uword i = 0; i < values.actual.n_rows; ++i) {
    const double actual = values.actual(i, target), predicted = values.predicted(i, target);
    points.push_back({residuals ? predicted : actual, residuals ? actual - predicted : predicted});
  }
  limit_points(plot);
  std::ranges::sort(points, {}, &CurvePoint::x);
  return plot;
}

}  // namespace

std::vector<HeatMap> heat_maps(const std::vector<RecordRow>& rows, const Quantity& quantity) {
  std::vector<HeatMap> maps;
  for (const Rows of_set : by_data_set(rows)) {
    const Dimensions dimensions(of_set);
    const auto nodes = std::ranges::find(dimensions.all(), DimensionKind::nodes, &Dimension::kind);
    const auto ridge = std::ranges::find_if(dimensions.all(), [](const Dimension& dimension) {
      return dimension.kind == DimensionKind::swept && is_axis(dimension);
    });
    if (nodes == dimensions.all().end() || ridge == dimensions.all().end()) continue;
    std::vector<const RecordRow*> on_grid;
    for (const RecordRow& row : of_set) {
      if (number_of(row, *ridge) && number_of(row, *nodes)) on_grid.push_back(&row);
    }
    nlohmann::ordered_map<std::string, std::pair<HeatMap, std::string>> different;  // by their printed text
    for (const EntryRows& entry : by_entry(on_grid, dimensions, [](const Dimension& dimension) {
           return !is_axis(dimension) && dimension.kind != DimensionKind::chosen;
         })) {
      HeatMap map = map_of(entry.rows, *ridge, *nodes, quantity);
      if (map.x.size() < 2 || map.y.size() < 2 || arma::uvec(arma::find_finite(map.means)).n_elem < 2) continue;
      map.subtitle = entry.algorithm;
      const std::string text = entry.suffix + '\n' + shown(map, quantity);
      const auto [found, is_new] = different.emplace(text, std::pair(std::move(map), entry.suffix));
      if (!is_new) found->second.first.subtitle += ", " + entry.algorithm;
    }
    for (auto& [text, of_text] : different) {
      auto& [map, suffix] = of_text;
      map.title = plot_title(of_set[0].experiment_case, of_set[0].dataset);
      map.subtitle += suffix;
      map.name = file_name(file_name(map.title + "_" + map.subtitle, 80) + "_" + quantity.name + "_by_ridge_and_nodes");
      add_note(map.note, choice_text(of_set));
      if (quantity.name.starts_with("test_")) add_note(map.note, "frame: best on the test part, optimistic");
      maps.push_back(std::move(map));
    }
  }
  return maps;
}

std::vector<Plot> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
                                 const std::string& time) {
  std::vector<Plot> charts;
  for (const std::span<const RecordRow> of_set : by_data_set(rows)) {
    if (speed_ups.references().at(of_set[0].experiment_case).empty()) continue;
    const Dimensions dimensions(of_set);
    nlohmann::ordered_map<std::string, MatchedRows> of_points;
    for (const RecordRow& row : of_set) {
      if (row.nodes) of_points[point_text(traits_of(row, dimensions))].push_back(&row);
    }
    for (const auto& [point, of_point] : of_points) {
      charts.push_back(chart_of(speed_ups, of_point, dimensions, time));
      add_note(charts.back().note, choice_text(of_set));
      if (charts.back().curves.empty()) charts.pop_back();
    }
  }
  return charts;
}

std::vector<Figure> predicted_plots(const std::vector<TestPredictions>& all) {
  std::vector<Figure> figures;
  for (const TestPredictions& values : all) {
    for (arma::uword target = 0; target < values.actual.n_cols; ++target) {
      for (const PlotStyle style : {PlotStyle::around_identity, PlotStyle::around_zero})
        figures.emplace_back(cloud_of(values, target, style));
    }
  }
  return figures;
}

std::vector<ConfusionMatrix> confusion_matrices(const std::vector<RecordRow>& rows, const ClassesOfSets& classes) {
  std::vector<ConfusionMatrix> matrices;
  for (const std::span<const RecordRow> of_set : by_data_set(rows)) {
    const Dimensions dimensions(of_set);
    std::vector<const RecordRow*> shown;
    for (const RecordRow& row : of_set) shown.push_back(&row);
    for (const EntryRows& entry : by_entry(shown, dimensions, [](const Dimension&) { return true; })) {
      const RecordRow& row = *entry.rows.front();
      const arma::mat C = pooled_confusion(row.steps).C;
      if (C.is_empty()) continue;
      ConfusionMatrix matrix{"", plot_title(row.experiment_case, row.dataset), {}, arma::conv_to<arma::umat>::from(C)};
      matrix.subtitle = entry.name();
      matrix.name = file_name(file_name(matrix.title + "_" + matrix.subtitle, 120) + "_confusion");
      matrix.note = choice_text({&row, 1}, "");
      matrix.classes = names_of_classes(classes, row.dataset, C.n_rows);
      matrices.push_back(std::move(matrix));
    }
  }
  return matrices;
}

}  // namespace elmx
