#include "report/table_json.hpp"

#include <cmath>

#include "base/json.hpp"

namespace elmx {
namespace {

Json number(const std::optional<double>& value) {
  if (!value) return nullptr;
  return std::isfinite(*value) ? Json(*value) : Json(show(*value));
}

Json json_of(const Table& table, const std::vector<Cell>& row) {
  Json object = Json::object();
  Json notes = Json::object();
  for (std::size_t j = 0; j < row.size(); ++j) {
    const Cell& cell = row[j];
    Json& field = object[table.columns[j].name];
    if (cell.kind == Cell::Kind::text) {
      field = cell.text;
    } else if (has_sd(table, j)) {
      field = {{"mean", number(cell.value)}, {"sd", number(cell.sd)}};
    } else {
      field = number(cell.value);
    }
    if (cell.note > 0) notes[table.columns[j].name] = cell.note;
  }
  if (!notes.empty()) object["notes"] = notes;
  return object;
}

}  // namespace

std::string to_json_text(const Table& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns) columns.push_back({{"name", column.name}, {"heading", column.heading}});
  Json rows = Json::array();
  for (const auto& row : table.rows) rows.push_back(json_of(table, row));
  const Json json = {{"name", table.name}, {"title", table.title},         {"columns", columns},
                     {"rows", rows},       {"footnotes", table.footnotes}, {"remarks", table.remarks}};
  return json.dump(1) + "\n";
}

}  // namespace elmx
