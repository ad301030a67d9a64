#include "plots/speedup_charts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "plots/plot_names.hpp"
#include "results/row_traits.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {
namespace {

struct ChartRow {
  const RecordRow* row;
  std::vector<Trait> traits;
};
using ChartRows = std::vector<ChartRow>;

/// Of the charts of one sweep point, whose axis is the nodes.
LegendEntry entry_of(const ChartRow& of) {
  LegendEntry entry{of.row->algorithm, of.traits};
  std::erase_if(entry.traits, [](const Trait& trait) {
    return trait.dimension->kind == DimensionKind::nodes || trait.dimension->kind == DimensionKind::swept;
  });
  return entry;
}

/// One series a legend entry; the reference itself and the rows that are copies of others are left out.
std::vector<BarSeries> series_of(const SpeedUps& speed_ups, const ChartRows& rows, const std::set<arma::uword>& sizes,
                                 const std::string& reference, const std::string& time) {
  std::vector<LegendEntry> entries;
  std::vector<BarSeries> series;
  for (const ChartRow& of : rows) {
    const RecordRow* row = of.row;
    if (row->algorithm == reference || (!row->chosen.empty() && row->chosen != kBestOnTest)) continue;
    const LegendEntry entry = entry_of(of);
    const auto at = static_cast<std::size_t>(std::ranges::find(entries, entry) - entries.begin());
    if (at == entries.size()) {
      entries.push_back(entry);
      series.push_back({row->algorithm, std::vector<Bar>(sizes.size(), Bar{NAN, NAN, NAN})});
    }
    const Ratio ratio = speed_ups.of(*row, time).ratio;
    const double nothing = NAN;
    const auto group = static_cast<std::size_t>(std::distance(sizes.begin(), sizes.find(*row->nodes)));
    series[at].bars[group] = {ratio.value, ratio.interval ? ratio.interval->low : nothing,
                              ratio.interval ? ratio.interval->high : nothing};
  }
  const std::vector<std::string> suffixes = distinctions(entries);
  for (std::size_t i = 0; i < series.size(); ++i) series[i].name += suffixes[i];
  std::erase_if(series, [](const BarSeries& one) {
    return std::none_of(one.bars.begin(), one.bars.end(),
                        [](const Bar& bar) { return std::isfinite(bar.value) && bar.value > 0; });
  });
  return series;
}

BarChart chart_of(const SpeedUps& speed_ups, const ChartRows& rows, const std::string& reference,
                  const std::string& time) {
  const RecordRow& first = *rows.front().row;
  const std::string title = plot_title(first.experiment_case, first.dataset), point = point_text(rows.front().traits);
  const std::string what = prefix_of(time) + " speed-up";
  BarChart chart{
      file_name(file_name(title + (point.empty() ? "" : "_" + point), 120) + "_" + prefix_of(time) + "_speedup"),
      title,
      "number of hidden nodes",
      what + " over " + reference,
      {},
      {},
      point};
  std::set<arma::uword> sizes;
  for (const ChartRow& of : rows) sizes.insert(*of.row->nodes);
  for (const arma::uword size : sizes) chart.groups.push_back(std::to_string(size));
  chart.series = series_of(speed_ups, rows, sizes, reference, time);
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
    std::vector<ChartRows> of_points;
    for (const RecordRow& row : of_set) {
      if (!row.nodes) continue;
      ChartRow of{&row, traits_of(row, dimensions)};
      const auto same = [&](const ChartRows& some) { return point_text(some[0].traits) == point_text(of.traits); };
      auto at = std::ranges::find_if(of_points, same);
      if (at == of_points.end()) at = of_points.insert(at, ChartRows());
      at->push_back(std::move(of));
    }
    for (const ChartRows& of_point : of_points) {
      charts.push_back(chart_of(speed_ups, of_point, reference, time));
      if (charts.back().series.empty()) charts.pop_back();
    }
  }
  return charts;
}

}  // namespace elmx
