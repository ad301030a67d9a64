#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "published/paper.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/quantities.hpp"

namespace elmx {
namespace {

constexpr const char* kPlotPlace = "/paper/plot_against";

/// Returns the number in the column of that name; NaN if the cell has none.
double number_under(const Table& table, const std::vector<Cell>& row, const char* name) {
  const auto column = std::ranges::find(table.columns, name, &Column::name);
  return row.at(static_cast<std::size_t>(column - table.columns.begin())).value.value_or(nan);
}

/// Returns the cells of all algorithms, without measurements.
std::vector<PaperCell> cells_of_all_algorithms(PaperOptions options, const Published& published) {
  options.where.erase("algorithm");
  std::vector<PaperCell> cells = match_cells(options, published, {}, {});
  for (const PaperCell& cell : cells) {
    if (cell.asked.metric != cells[0].asked.metric)
      throw ConfigError(kPlotPlace,
                        fmt::format("expected rows of one metric, found {} and {}; choose one in paper.where",
                                    cells[0].asked.metric, cell.asked.metric));
  }
  return cells;
}

/// Returns the columns in which the cells differ, except the columns of the value and of the axis.
std::vector<std::string> columns_that_differ(const std::vector<PaperCell>& cells, const PaperOptions& options,
                                             std::vector<std::string> columns) {
  std::erase_if(columns, [&](const std::string& column) {
    return column == options.value || column == options.plot_against ||
           std::ranges::all_of(cells,
                               [&](const PaperCell& cell) { return cell.row->at(column) == cells[0].row->at(column); });
  });
  return columns;
}

double x_of(const PaperCell& cell, const std::string& column) {
  const std::string& text = text_in(*cell.row, column, kPlotPlace);
  if (const auto number = number_in(text)) return *number;
  throw ConfigError(kPlotPlace,
                    fmt::format("expected a number in column \"{}\" of each row, found \"{}\"", column, text));
}

}  // namespace

std::optional<Plot> plot_with_paper(const PaperOptions& options, const Published& published, const Table& table) {
  if (options.plot_against.empty()) return std::nullopt;
  const std::vector<PaperCell> cells = cells_of_all_algorithms(options, published);
  if (cells.empty()) return std::nullopt;
  const std::string& metric = cells[0].asked.metric;
  Plot plot;
  plot.style = PlotStyle::intervals;
  plot.name = file_name(table.name + "_" + metric + "_by_" + options.plot_against + "_published");
  plot.title = options.title_or_file();
  plot.x.label = options.plot_against;
  plot.y.label = quantity_of(metric).label;
  const std::vector<std::string> telling = columns_that_differ(cells, options, published.columns);
  auto compared = table.rows.begin();  // the rows of `where`, in the order of the published table
  nlohmann::ordered_map<std::string, std::vector<CurvePoint>> points_of;  // by curve
  Span x;
  for (const PaperCell& cell : cells) {
    CurvePoint paper{x_of(cell, options.plot_against), cell.published.value_or(nan)}, measured{paper.x, nan};
    if (matches(options.where, *cell.row, "/paper/where")) {
      expects(compared != table.rows.end(), "plot_with_paper: the table of these options");
      paper.mean = number_under(table, *compared, "published");
      measured.mean = number_under(table, *compared, "measured");
      measured.low = number_under(table, *compared, "low");
      measured.high = number_under(table, *compared, "high");
      ++compared;
    }
    x.add(measured.x);
    std::string name;
    for (const std::string& column : telling) name += cell.row->at(column) + ", ";
    for (const auto& [kind, point] : {std::pair("published", paper), {"measured", measured}}) {
      if (std::isfinite(point.mean)) points_of[name + kind].push_back(point);
    }
  }
  for (auto& [name, points] : points_of) {
    std::ranges::stable_sort(points, {}, &CurvePoint::x);
    plot.curves.push_back({name, std::move(points)});
  }
  plot.x.log = x.low > 0 && x.high >= 10 * x.low;
  return plot;
}

}  // namespace elmx
