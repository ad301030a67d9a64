#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/plots/method_rows.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

/// Returns the chart of one sweep point; it has no series if there is no speed-up.
BarChart chart_of(const SpeedUps& speed_ups, const MatchedRows& rows, const Dimensions& dimensions,
                  const std::string& time) {
  constexpr std::size_t kMostGroups = 100;
  const std::string& reference = speed_ups.references().at(rows.front()->experiment_case);
  BarChart chart;
  chart.title = plot_title(rows.front()->experiment_case, rows.front()->dataset);
  chart.subtitle = point_text(traits_of(*rows.front(), dimensions));
  const std::string place = chart.title + (chart.subtitle.empty() ? "" : "_" + chart.subtitle);
  chart.name = file_name(file_name(place, 120) + "_" + prefix_of(time) + "_speedup");
  chart.group_label = "number of hidden nodes";
  chart.value_label = prefix_of(time) + " speed-up over " + reference;
  std::set<arma::uword> all;
  for (const RecordRow* row : rows) all.insert(*row->nodes);
  std::vector<arma::uword> sizes(all.begin(), all.end());
  thin(sizes, kMostGroups);
  if (sizes.size() < all.size()) chart.note = fmt::format("{} of {} sizes", sizes.size(), all.size());
  for (const arma::uword size : sizes) chart.groups.push_back(std::to_string(size));

  const auto add_series = [&](const std::string& name, const auto& ratio_at) {
    BarSeries series{name, {}};
    for (const arma::uword size : sizes) {
      const Ratio ratio = ratio_at(size);
      const bool known = ratio.interval.has_value();
      series.bars.push_back({ratio.value, known ? ratio.interval->low : NAN, known ? ratio.interval->high : NAN});
    }
    if (std::ranges::any_of(series.bars, [](const Bar& bar) { return std::isfinite(bar.value) && bar.value > 0; }))
      chart.series.push_back(std::move(series));
  };
  const auto in_legend = [](const Dimension& dimension) {  // one sweep point; the axis is the nodes
    return dimension.kind != DimensionKind::nodes && dimension.kind != DimensionKind::swept &&
           dimension.kind != DimensionKind::chosen;
  };
  for (const EntryRows& entry : by_entry(rows, dimensions, in_legend)) {
    if (entry.entry.algorithm == reference) continue;
    add_series(entry.entry.algorithm + entry.suffix, [&](arma::uword size) {
      const auto found = std::ranges::find_if(entry.rows, [&](const RecordRow* row) { return row->nodes == size; });
      return found == entry.rows.end() ? time_ratio({}) : speed_ups.of(**found, time).ratio;
    });
  }
  return chart;
}

}  // namespace

std::vector<BarChart> speedup_charts(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups,
                                     const std::string& time) {
  std::vector<BarChart> charts;
  for (const std::span<const RecordRow> of_set : by_data_set(rows)) {
    if (speed_ups.references().at(of_set[0].experiment_case).empty()) continue;
    const Dimensions dimensions(of_set);
    std::vector<std::pair<std::string, MatchedRows>> of_points;
    for (const RecordRow& row : of_set) {
      if (!row.nodes) continue;
      const std::string point = point_text(traits_of(row, dimensions));
      auto found = std::ranges::find(of_points, point, &std::pair<std::string, MatchedRows>::first);
      if (found == of_points.end()) found = of_points.insert(found, {point, {}});
      found->second.push_back(&row);
    }
    for (const auto& [point, of_point] : of_points) {
      charts.push_back(chart_of(speed_ups, of_point, dimensions, time));
      add_note(charts.back().note, choice_text(of_set));
      if (charts.back().series.empty()) charts.pop_back();
    }
  }
  return charts;
}

}  // namespace elmx
