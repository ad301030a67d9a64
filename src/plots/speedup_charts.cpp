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

BarChart chart_of(const SpeedUps& speed_ups, const MatchedRows& rows, const MatchedRows& imported,
                  const Dimensions& dimensions, const std::string& reference, const std::string& time) {
  const RecordRow& first = *rows.front();
  const std::string title = plot_title(first.experiment_case, first.dataset),
                    point = point_text(traits_of(first, dimensions));
  const std::string what = prefix_of(time) + " speed-up";
  BarChart chart{
      file_name(file_name(title + (point.empty() ? "" : "_" + point), 120) + "_" + prefix_of(time) + "_speedup"),
      title,
      "number of hidden nodes",
      what + " over " + reference,
      {},
      {},
      point};
  std::set<arma::uword> all;
  for (const RecordRow* row : rows) all.insert(*row->nodes);
  std::vector<arma::uword> some(all.begin(), all.end());
  thin(some, kMostGroups);
  if (some.size() < all.size())
    chart.note = std::to_string(some.size()) + " of " + std::to_string(all.size()) + " sizes";
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
    std::vector<MatchedRows> of_points;
    std::map<std::string, std::size_t> places;
    for (const RecordRow& row : of_set) {
      if (row.imported) imported.push_back(&row);
      if (!row.nodes) continue;
      const auto [at, is_new] = places.try_emplace(point_text(traits_of(row, dimensions)), of_points.size());
      if (is_new) of_points.emplace_back();
      of_points[at->second].push_back(&row);
    }
    for (const MatchedRows& of_point : of_points) {
      charts.push_back(chart_of(speed_ups, of_point, imported, dimensions, reference, time));
      add_note(charts.back().note, choice_text(of_set));
      if (charts.back().series.empty()) charts.pop_back();
    }
  }
  return charts;
}

}  // namespace elmx
