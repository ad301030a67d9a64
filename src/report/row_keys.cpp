#include "report/row_keys.hpp"

#include <limits>
#include <set>

namespace elmx {
namespace {

std::string last_component(const std::string& place) {
  return place.substr(place.rfind('/') + 1);
}

Cell point_cell(const std::map<std::string, Json>& point, const std::string& place) {
  const auto found = point.find(place);
  if (found == point.end()) return text_cell("-");
  const Json& value = found->second;
  if (value.is_number()) return number_cell(value.get<double>());
  return text_cell(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string failure_text(const RecordRow& row) {
  std::string text = std::to_string(row.failed()) + " of " + std::to_string(row.units()) + " units failed (";
  bool first = true;
  for (const auto& [why, units] : row.failures) {
    text += (first ? "" : ", ") + why + (row.failures.size() > 1 ? ": " + std::to_string(units) : "");
    first = false;
  }
  text += ")";
  return row.steps.empty() ? text : text + "; the numbers are of the others";
}

}  // namespace

RowKeys::RowKeys(const std::vector<RecordRow>& rows) {
  std::set<std::string> places;
  for (const RecordRow& row : rows) {
    cases_ = cases_ || !row.experiment_case.empty();
    iterations_ = iterations_ || row.iterations > 0;
    for (const auto& [place, value] : row.point) places.insert(place);
  }
  places_.assign(places.begin(), places.end());
}

std::vector<Column> RowKeys::columns() const {
  std::vector<Column> columns;
  if (cases_) columns.push_back({"case", "case"});
  columns.push_back({"dataset", "dataset"});
  std::multiset<std::string> names = {"case", "dataset", "nodes", "algorithm", "iterations"};
  for (const std::string& place : places_) names.insert(last_component(place));
  for (const std::string& place : places_) {
    const std::string name = names.count(last_component(place)) == 1 ? last_component(place) : place;
    columns.push_back({name, name});
  }
  columns.push_back({"nodes", "nodes"});
  columns.push_back({"algorithm", "algorithm"});
  if (iterations_) columns.push_back({"iterations", "iterations"});
  return columns;
}

std::vector<Cell> RowKeys::cells(const RecordRow& row, Table& table) const {
  std::vector<Cell> cells;
  if (cases_) cells.push_back(text_cell(row.experiment_case));
  cells.push_back(text_cell(row.dataset));
  for (const std::string& place : places_) cells.push_back(point_cell(row.point, place));
  cells.push_back(number_cell(row.nodes ? static_cast<double>(*row.nodes) : std::numeric_limits<double>::quiet_NaN()));
  cells.push_back(text_cell(row.algorithm));
  if (row.failed() > 0) cells.back().note = footnote(table, failure_text(row));
  if (iterations_)
    cells.push_back(row.iterations > 0 ? number_cell(static_cast<double>(row.iterations)) : text_cell("-"));
  return cells;
}

}  // namespace elmx
