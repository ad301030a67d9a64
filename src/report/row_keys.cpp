#include "report/row_keys.hpp"

#include <algorithm>
#include <limits>

#include "report/natural_order.hpp"

namespace elmx {
namespace {

constexpr const char* kNodes = "nodes";
constexpr const char* kOptimistic =
    "best on the test part: these parameters were chosen by their results on the test part; the numbers are optimistic.";

std::string last_component(const std::string& place) {
  return place.substr(place.rfind('/') + 1);
}

Cell value_cell(const Json& value) {
  if (value.is_number()) return number_cell(value.get<double>());
  return text_cell(value.is_string() ? value.get<std::string>() : value.dump());
}

Json value_at(const RecordedStep& step, const std::string& place) {
  if (place == kNodes) return step.step->nodes;
  const auto found = step.record->point.find(place);
  return found == step.record->point.end() ? Json() : found->second;
}

/// What the units of `row` have at `place`: the value, or the most frequent ones with their counts, "0.1 (7), 1 (3)".
Cell chosen_cell(const RecordRow& row, const std::string& place) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<Json, std::size_t>> counts;
  for (const RecordedStep& step : row.steps) {
    const Json value = value_at(step, place);
    const auto found = std::ranges::find(counts, value, &std::pair<Json, std::size_t>::first);
    if (found == counts.end()) counts.emplace_back(value, 1);
    else ++found->second;
  }
  if (counts.empty()) return number_cell(std::numeric_limits<double>::quiet_NaN());
  if (counts.size() == 1) return value_cell(counts[0].first);
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : compare_values(a.first, b.first) < 0;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, counts.size()); ++i) {
    text += (i > 0 ? ", " : "") + plain_text(value_cell(counts[i].first)) + " (" + std::to_string(counts[i].second) + ")";
  }
  return text_cell(counts.size() > kMost ? text + ", ..." : text);
}

Cell parameter_cell(const std::map<std::string, double>& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? text_cell("-") : number_cell(found->second);
}

void add_remark(Table& table, const std::string& text) {
  if (std::find(table.remarks.begin(), table.remarks.end(), text) == table.remarks.end()) table.remarks.push_back(text);
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

Cell point_cell(const std::map<std::string, Json>& point, const std::string& place) {
  const auto found = point.find(place);
  return found == point.end() ? text_cell("-") : value_cell(found->second);
}

std::map<std::string, std::string> place_headings(const std::set<std::string>& places, std::multiset<std::string> taken) {
  for (const std::string& place : places) taken.insert(last_component(place));
  std::map<std::string, std::string> headings;
  for (const std::string& place : places) headings[place] = taken.count(last_component(place)) == 1 ? last_component(place) : place;
  return headings;
}

RowKeys::RowKeys(const std::vector<RecordRow>& rows) {
  std::set<std::string> places;
  std::set<std::string> parameters;
  for (const RecordRow& row : rows) {
    cases_ = cases_ || !row.experiment_case.empty();
    iterations_ = iterations_ || row.iterations > 0;
    chosen_ = chosen_ || !row.chosen.empty();
    for (const auto& [place, value] : row.point) places.insert(place);
    for (const std::string& place : row.over) {
      if (place != kNodes) places.insert(place);
    }
    for (const auto& [name, value] : row.parameters) parameters.insert(name);
  }
  places_.assign(places.begin(), places.end());
  parameters_.assign(parameters.begin(), parameters.end());
  std::sort(parameters_.begin(), parameters_.end(), [](const std::string& a, const std::string& b) { return compare_naturally(a, b) < 0; });
}

std::vector<Column> RowKeys::columns() const {
  std::vector<Column> columns;
  if (cases_) columns.push_back({"case", "case"});
  columns.push_back({"dataset", "dataset"});
  std::multiset<std::string> names = {"case", "dataset", "nodes", "algorithm", "chosen", "iterations"};
  names.insert(parameters_.begin(), parameters_.end());
  for (const auto& [place, name] : place_headings({places_.begin(), places_.end()}, names)) columns.push_back({name, name});
  columns.push_back({"nodes", "nodes"});
  columns.push_back({"algorithm", "algorithm"});
  if (chosen_) columns.push_back({"chosen", "chosen"});
  for (const std::string& name : parameters_) columns.push_back({name, name});
  if (iterations_) columns.push_back({"iterations", "iterations"});
  return columns;
}

std::vector<Cell> RowKeys::cells(const RecordRow& row, Table& table) const {
  std::vector<Cell> cells;
  if (cases_) cells.push_back(text_cell(row.experiment_case));
  cells.push_back(text_cell(row.dataset));
  const auto was_chosen = [&](const std::string& place) { return std::ranges::count(row.over, place) > 0; };
  for (const std::string& place : places_) cells.push_back(was_chosen(place) ? chosen_cell(row, place) : point_cell(row.point, place));
  cells.push_back(was_chosen(kNodes) ? chosen_cell(row, kNodes)
                                     : number_cell(row.nodes ? static_cast<double>(*row.nodes) : std::numeric_limits<double>::quiet_NaN()));
  cells.push_back(text_cell(row.algorithm));
  if (row.failed() > 0) cells.back().note = footnote(table, failure_text(row));
  if (chosen_) cells.push_back(text_cell(row.chosen.empty() ? "-" : row.chosen));
  for (const std::string& name : parameters_) cells.push_back(parameter_cell(row.parameters, name));
  if (iterations_)
    cells.push_back(row.iterations > 0 ? number_cell(static_cast<double>(row.iterations)) : text_cell("-"));
  if (row.chosen == kBestOnTest) add_remark(table, kOptimistic);
  if (!row.over.empty() && row.chosen != kBestOnTest) {
    add_remark(table, row.chosen + ": each unit took the point that is best on its own training part, so often as stands in brackets; times are of that point alone.");
  }
  return cells;
}

}  // namespace elmx
