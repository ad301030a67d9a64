#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/config/fields.hpp"
#include "report/plots/method_rows.hpp"
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
    std::map<std::string, std::size_t> places;  // index of the map with this printed text
    std::vector<std::string> suffixes;
    const std::size_t first = maps.size();
    for (const EntryRows& entry : by_entry(on_grid, dimensions, [](const Dimension& dimension) {
           return !is_axis(dimension) && dimension.kind != DimensionKind::chosen;
         })) {
      HeatMap map = map_of(entry.rows, *ridge, *nodes, quantity);
      if (map.x.size() < 2 || map.y.size() < 2 || arma::uvec(arma::find_finite(map.means)).n_elem < 2) continue;
      map.subtitle = entry.entry.algorithm;
      const auto [found, is_new] = places.try_emplace(entry.suffix + '\n' + shown(map, quantity), maps.size());
      if (is_new) {
        maps.push_back(std::move(map));
        suffixes.push_back(entry.suffix);
      } else {
        maps[found->second].subtitle += ", " + map.subtitle;
      }
    }
    for (std::size_t i = first; i < maps.size(); ++i) {
      HeatMap& map = maps[i];
      map.title = plot_title(of_set[0].experiment_case, of_set[0].dataset);
      map.subtitle += suffixes[i - first];
      map.name = file_name(file_name(map.title + "_" + map.subtitle, 80) + "_" + quantity.name + "_by_ridge_and_nodes");
      add_note(map.note, choice_text(of_set));
      if (quantity.name.starts_with("test_")) add_note(map.note, "frame: best on the test part, optimistic");
    }
  }
  return maps;
}

}  // namespace elmx
