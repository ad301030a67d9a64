#include "plots/heat_maps.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/config/fields.hpp"
#include "plots/plot_names.hpp"
#include "results/row_traits.hpp"

namespace elmx {
namespace {

using Rows = std::span<const RecordRow>;

struct GridCell {
  double mean;
  arma::uword lacking;  ///< trials without a number
};

/// What one map is of, by ridge parameter and nodes.
struct Grid {
  LegendEntry entry;
  std::map<std::pair<double, double>, GridCell> cells;
};

bool is_axis(const Dimension& dimension) {
  return dimension.kind == DimensionKind::nodes ||
         (dimension.kind == DimensionKind::swept && last_component(dimension.place) == "ridge");
}

std::vector<Grid> grids_of(Rows rows, const Dimensions& dimensions, const Dimension& ridge, const Dimension& nodes,
                           const Quantity& quantity) {
  std::vector<Grid> grids;
  for (const RecordRow& row : rows) {
    const auto x = number_of(row, ridge), y = number_of(row, nodes);
    if (!x || !y || !row.chosen.empty() || !row.over.empty()) continue;
    LegendEntry entry{row.algorithm, traits_of(row, dimensions)};
    std::erase_if(entry.traits, [](const Trait& trait) { return is_axis(*trait.dimension); });
    auto grid = std::ranges::find(grids, entry, &Grid::entry);
    if (grid == grids.end()) grid = grids.insert(grids.end(), {std::move(entry), {}});
    const auto with = std::ranges::count_if(
        row.steps, [&](const RecordedStep& step) { return value_of(step, quantity.name).has_value(); });
    grid->cells.emplace(std::pair(*x, *y),
                        GridCell{summary_of(row, quantity.name).mean, row.trials() - static_cast<arma::uword>(with)});
  }
  return grids;
}

bool print_alike(const Grid& a, const Grid& b, const Quantity& quantity) {
  return std::ranges::equal(a.cells, b.cells, [&](const auto& one, const auto& other) {
    return one.first == other.first && one.second.lacking == other.second.lacking &&
           show(one.second.mean, quantity.display) == show(other.second.mean, quantity.display);
  });
}

arma::uword finite(const HeatMap& map) { return arma::uvec(arma::find_finite(map.means)).n_elem; }

/// Shapes and means; no names yet.
HeatMap map_of(const Grid& grid) {
  std::set<double> xs, ys;
  for (const auto& [place, cell] : grid.cells) {
    xs.insert(place.first);
    ys.insert(place.second);
  }
  HeatMap map;
  map.x.assign(xs.begin(), xs.end());
  map.y.assign(ys.begin(), ys.end());
  map.means.set_size(ys.size(), xs.size());
  map.means.fill(NAN);
  map.lacking.zeros(ys.size(), xs.size());
  for (const auto& [place, cell] : grid.cells) {
    const auto i = static_cast<arma::uword>(std::distance(ys.begin(), ys.find(place.second)));
    const auto j = static_cast<arma::uword>(std::distance(xs.begin(), xs.find(place.first)));
    map.means(i, j) = cell.mean;
    map.lacking(i, j) = cell.lacking;
  }
  return map;
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
    const std::vector<Grid> grids = grids_of(of_set, dimensions, *ridge, *nodes, quantity);
    std::vector<LegendEntry> entries;
    for (const Grid& grid : grids) entries.push_back(grid.entry);
    const std::vector<std::string> suffixes = distinctions(entries);
    std::vector<bool> joined(grids.size(), false);
    for (std::size_t i = 0; i < grids.size(); ++i) {
      HeatMap map = map_of(grids[i]);
      if (joined[i] || map.x.size() < 2 || map.y.size() < 2 || finite(map) < 2) continue;
      std::string algorithms;
      for (std::size_t j = i; j < grids.size(); ++j) {
        if (joined[j] || suffixes[j] != suffixes[i] || !print_alike(grids[i], grids[j], quantity)) continue;
        algorithms += (algorithms.empty() ? "" : ", ") + grids[j].entry.algorithm;
        joined[j] = true;
      }
      map.title = plot_title(of_set[0].experiment_case, of_set[0].dataset);
      map.subtitle = algorithms + suffixes[i];
      map.name = file_name(file_name(map.title + "_" + map.subtitle, 80) + "_" + quantity.name + "_by_ridge_and_nodes");
      map.x_label = "ridge parameter";
      map.y_label = "number of hidden nodes";
      map.value_label = quantity.label;
      map.lower_is_better = quantity.better.value_or(Better::lower) == Better::lower;
      maps.push_back(std::move(map));
    }
  }
  return maps;
}

}  // namespace elmx
