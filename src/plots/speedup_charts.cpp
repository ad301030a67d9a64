#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "plots/method_rows.hpp"
#include "plots/row_plots.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostGroups = 100;

Bar bar_of(const Ratio& ratio) {
  return {ratio.value, ratio.interval ? ratio.interval->low : NAN, ratio.interval ? ratio.interval->high : NAN};
}

/// Whole trainings of the reference against those of an imported method, which has no size: the same at every group.
Ratio over_imported(const MatchedRows& rows, arma::uword nodes, const std::string& reference, const RecordRow& imported,
                    const std::string& time) {
  const auto found = std::ranges::find_if(
      rows, [&](const RecordRow* row) { return row->algorithm == reference && row->nodes == nodes; });
  if (found == rows.end()) return time_ratio({});
  return time_ratio(times_of_trials(matched_steps({*found, &imported}), time));
}

/// One series a legend entry; the reference itself is left out.
std::vector<BarSeries> series_of(const SpeedUps& speed_ups, const MatchedRows& rows, const MatchedRows& imported,
                                 const Dimensions& dimensions, const std::map<arma::uword, std::size_t>& sizes,
                                 const std::string& reference, const std::string& time) {
  const auto in_legend = [](const Dimension& dimension) {  // one sweep point; the axis is the nodes
    return dimension.kind != DimensionKind::nodes && dimension.kind != DimensionKind::swept &&
           dimension.kind != DimensionKind::chosen;
  };
  std::vector<BarSeries> series;
  for (const EntryRows& entry : by_entry(rows, dimensions, in_legend)) {
    if (entry.entry.algorithm == reference) continue;
    series.push_back({entry.entry.algorithm + entry.suffix, std::vector<Bar>(sizes.size(), Bar{NAN, NAN, NAN})});
    for (const RecordRow* row : entry.rows)
      series.back().bars[sizes.at(*row->nodes)] = bar_of(speed_ups.of(*row, time).ratio);
  }
  for (const RecordRow* row : imported) {
    series.push_back({row->algorithm, {}});
    for (const auto& [nodes, place] : sizes)
      series.back().bars.push_back(bar_of(over_imported(rows, nodes, reference, *row, time)));
  }
  std::erase_if(series, [](const BarSeries& one) {
    return std::ranges::none_of(one.bars, [](const Bar& bar) { return std::isfinite(bar.value) && bar.value > 0; });
  });
  return series;
}

/// Without series where there is no speed-up.
BarChart chart_of(const SpeedUps& speed_ups, const MatchedRows& rows, const MatchedRows& imported,
                  const Dimensions& dimensions, const std::string& reference, const std::string& time) {
  BarChart chart;
  chart.title = plot_title(rows.front()->experiment_case, rows.front()->dataset);
  chart.subtitle = point_text(traits_of(*rows.front(), dimensions));
  const std::string place = chart.title + (chart.subtitle.empty() ? "" : "_" + chart.subtitle);
  chart.name = file_name(file_name(place, 120) + "_" + prefix_of(time) + "_speedup");
  chart.group_label = "number of hidden nodes";
  chart.value_label = prefix_of(time) + " speed-up over " + reference;
  std::set<arma::uword> all;
  for (const RecordRow* row : rows) all.insert(*row->nodes);
  std::vector<arma::uword> some(all.begin(), all.end());
  thin(some, kMostGroups);
  if (some.size() < all.size()) chart.note = fmt::format("{} of {} sizes", some.size(), all.size());
  std::map<arma::uword, std::size_t> sizes;
  for (const arma::uword size : some) {
    sizes.emplace(size, chart.groups.size());
    chart.groups.push_back(std::to_string(size));
  }
  MatchedRows shown = rows;
  std::erase_if(shown, [&](const RecordRow* row) { return !sizes.contains(*row->nodes); });
  chart.series = series_of(speed_ups, shown, imported, dimensions, sizes, reference, time);
  return chart;
}

}  // namespace

std::vector<BarChart> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
                                     const std::string& time) {
  std::vector<BarChart> charts;
  for (const std::span<const RecordRow> of_set : by_data_set(rows)) {
    const std::string& reference = speed_ups.references().at(of_set[0].experiment_case);
    if (reference.empty()) continue;
    const Dimensions dimensions(of_set);
    MatchedRows imported;
    std::vector<std::pair<std::string, MatchedRows>> of_points;
    for (const RecordRow& row : of_set) {
      if (row.imported) imported.push_back(&row);
      if (!row.nodes) continue;
      const std::string point = point_text(traits_of(row, dimensions));
      auto found = std::ranges::find(of_points, point, &std::pair<std::string, MatchedRows>::first);
      if (found == of_points.end()) found = of_points.insert(found, {point, {}});
      found->second.push_back(&row);
    }
    for (const auto& [point, of_point] : of_points) {
      charts.push_back(chart_of(speed_ups, of_point, imported, dimensions, reference, time));
      add_note(charts.back().note, choice_text(of_set));
      if (charts.back().series.empty()) charts.pop_back();
    }
  }
  return charts;
}

}  // namespace elmx
