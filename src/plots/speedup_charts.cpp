#include "plots/speedup_charts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "plots/plot_names.hpp"
#include "results/row_traits.hpp"
#include "tables/time_table.hpp"

namespace elmx {
namespace {

using Rows = std::vector<const RecordRow*>;

/// The sweep point as a text: "ridge = 0.1", "" where nothing is swept.
std::string point_of(const RecordRow& row) {
  std::string text;
  for (const Trait& trait : traits_of(row)) {
    if (trait.key.starts_with('/')) text += (text.empty() ? "" : ", ") + trait.text;
  }
  return text;
}

LegendEntry entry_of(const RecordRow& row) {
  LegendEntry entry{row.algorithm, traits_of(row)};
  std::erase_if(entry.traits,
                [](const Trait& trait) { return trait.key == kNodesTrait || trait.key.starts_with('/'); });
  return entry;
}

/// "step" of "step_seconds".
std::string prefix_of(const std::string& time) { return time.substr(0, time.find('_')); }

/// One series a legend entry; the reference itself and the rows that are copies of others are left out.
std::vector<BarSeries> series_of(const std::vector<RecordRow>& all, const Rows& rows,
                                 const std::set<arma::uword>& sizes, const std::string& reference,
                                 const std::string& time) {
  std::vector<LegendEntry> entries;
  std::vector<BarSeries> series;
  std::map<std::string, std::size_t> place;
  for (const RecordRow* row : rows) {
    if (row->algorithm == reference || (!row->chosen.empty() && row->chosen != kBestOnTest)) continue;
    LegendEntry entry = entry_of(*row);
    std::string identity = row->algorithm;
    for (const Trait& trait : entry.traits) identity += "\n" + trait.text;
    const auto [at, added] = place.try_emplace(identity, series.size());
    if (added) {
      entries.push_back(std::move(entry));
      series.push_back({row->algorithm, std::vector<Bar>(sizes.size(), Bar{NAN, NAN, NAN})});
    }
    const Ratio ratio = speed_up(all, *row, reference, time);
    const double nothing = NAN;
    const auto group = static_cast<std::size_t>(std::distance(sizes.begin(), sizes.find(*row->nodes)));
    series[at->second].bars[group] = {ratio.value, ratio.interval ? ratio.interval->low : nothing,
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

BarChart chart_of(const std::vector<RecordRow>& all, const Rows& rows, const std::string& reference,
                  const std::string& time) {
  const RecordRow& first = *rows.front();
  const std::string title = plot_title(first.experiment_case, first.dataset), point = point_of(first);
  const std::string what = prefix_of(time) + " speed-up";
  BarChart chart{
      file_name(file_name(title + (point.empty() ? "" : "_" + point), 120) + "_" + prefix_of(time) + "_speedup"),
      title + (point.empty() ? "" : ", " + point),
      "number of hidden nodes",
      what + " over " + reference,
      {},
      {}};
  std::set<arma::uword> sizes;
  for (const RecordRow* row : rows) sizes.insert(*row->nodes);
  for (const arma::uword size : sizes) chart.groups.push_back(std::to_string(size));
  chart.series = series_of(all, rows, sizes, reference, time);
  return chart;
}

}  // namespace

std::vector<BarChart> speedup_charts(const std::vector<RecordRow>& rows,
                                     const std::map<std::string, std::string>& references, const std::string& time) {
  std::vector<Rows> of_charts;
  std::map<std::vector<std::string>, std::size_t> place;
  for (const RecordRow& row : rows) {
    if (!row.nodes) continue;
    const auto [at, added] = place.try_emplace({row.experiment_case, row.dataset, point_of(row)}, of_charts.size());
    if (added) of_charts.emplace_back();
    of_charts[at->second].push_back(&row);
  }
  std::vector<BarChart> charts;
  for (const Rows& of_chart : of_charts) {
    charts.push_back(chart_of(rows, of_chart, references.at(of_chart.front()->experiment_case), time));
    if (charts.back().series.empty()) charts.pop_back();
  }
  return charts;
}

}  // namespace elmx
