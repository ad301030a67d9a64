#include "table_formats/blocks.hpp"

#include <algorithm>
#include <numeric>

namespace elmx {
namespace {

std::vector<std::size_t> up_to(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<std::vector<std::size_t>> rows_by_first_text(const Table& table) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0 && table.rows[i][0].text == table.rows[i - 1][0].text)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  }
  return groups;
}

bool is_empty(const Cell& cell) {
  const std::string text = plain_text(cell);
  return text.empty() || text == "-" || text == "NA";
}

enum class Place { column, heading, nowhere };

Place place_of(const Table& table, const std::vector<std::size_t>& rows, std::size_t j) {
  const Cell& first = table.rows[rows.front()][j];
  const bool alike = std::ranges::all_of(rows, [&](std::size_t i) {
    const Cell& cell = table.rows[i][j];
    return cell.note == 0 && !cell.best && !cell.sd && plain_text(cell) == plain_text(first);
  });
  if (!alike) return Place::column;
  if (is_empty(first)) return Place::nowhere;
  const bool tells = rows.size() > 1 || first.kind == Cell::Kind::text;
  return tells ? Place::heading : Place::column;
}

/// The ends of an interval, "95 % from" and "to", stay side by side.
void keep_intervals(const Table& table, std::vector<Place>& places) {
  for (std::size_t j = 1; j < places.size(); ++j) {
    const bool shown = places[j] == Place::column || places[j - 1] == Place::column;
    if (table.columns[j].heading == "to" && shown) places[j] = places[j - 1] = Place::column;
  }
}

/// Of columns that are alike in all rows, the one to stay: the first result, else the last.
std::size_t one_to_stay(const Table& table) {
  const auto result = std::ranges::find(table.columns, Worth::result, &Column::worth);
  return result == table.columns.end() ? table.columns.size() - 1
                                       : static_cast<std::size_t>(result - table.columns.begin());
}

Block block_of(const Table& table, std::vector<std::size_t> rows) {
  Block block;
  std::vector<Place> places;
  for (std::size_t j = 0; j < table.columns.size(); ++j) places.push_back(place_of(table, rows, j));
  if (std::ranges::count(places, Place::column) == 0) places[one_to_stay(table)] = Place::column;
  keep_intervals(table, places);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Place place = places[j];
    if (place == Place::heading)
      block.heading += (block.heading.empty() ? "" : ", ") + table.columns[j].heading + " " +
                       plain_text(table.rows[rows.front()][j]);
    if (place == Place::column) block.columns.push_back(j);
  }
  block.rows = std::move(rows);
  return block;
}

}  // namespace

Block whole_table(const Table& table) { return {"", up_to(table.columns.size()), up_to(table.rows.size())}; }

std::vector<Block> blocks_of(const Table& table) {
  if (table.rows.empty() || table.columns.empty()) return {whole_table(table)};
  auto groups = rows_by_first_text(table);
  if (is_numeric(table, 0) || 2 * groups.size() > table.rows.size()) groups = {up_to(table.rows.size())};
  std::vector<Block> blocks;
  for (auto& rows : groups) blocks.push_back(block_of(table, std::move(rows)));
  return blocks;
}

}  // namespace elmx
