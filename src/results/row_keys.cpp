#include "results/row_keys.hpp"

#include <algorithm>
#include <limits>

#include "base/config/fields.hpp"
#include "base/printable.hpp"
#include "results/natural_order.hpp"
#include "results/notes.hpp"
#include "results/record_fields.hpp"

namespace elmx {
namespace {

constexpr const char* kNodes = "nodes";

template <class Map>
Cell cell_at(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return cell_of(found == map.end() ? Json() : Json(found->second));
}

}  // namespace

void add_remark(Table& table, const std::string& text) {
  if (std::find(table.remarks.begin(), table.remarks.end(), text) == table.remarks.end()) table.remarks.push_back(text);
}

std::map<std::string, std::string> place_headings(const std::set<std::string>& places,
                                                  std::multiset<std::string> taken) {
  for (const std::string& place : places) taken.insert(last_component(place));
  std::map<std::string, std::string> headings;
  for (const std::string& place : places)
    headings[place] = taken.count(last_component(place)) == 1 ? last_component(place) : place;
  return headings;
}

namespace {

Json value_at(const RecordedStep& step, const std::string& place) {
  if (place == kNodes) return step.step->nodes;
  const auto found = step.record->point.find(place);
  return found == step.record->point.end() ? Json() : found->second;
}

/// What the trials of `row` have at `place`: the value, or the most frequent ones with their counts, "0.1 (7), 1 (3)".
Cell chosen_cell(const RecordRow& row, const std::string& place) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<Json, std::size_t>> counts;
  for (const RecordedStep& step : row.steps) {
    const Json value = value_at(step, place);
    const auto found = std::ranges::find(counts, value, &std::pair<Json, std::size_t>::first);
    if (found == counts.end())
      counts.emplace_back(value, 1);
    else
      ++found->second;
  }
  if (counts.empty()) return number_cell(std::numeric_limits<double>::quiet_NaN());
  if (counts.size() == 1) return cell_of(counts[0].first);
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : compare_values(a.first, b.first) < 0;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, counts.size()); ++i) {
    text += (i > 0 ? ", " : "") + plain_text(cell_of(counts[i].first)) + " (" + std::to_string(counts[i].second) + ")";
  }
  return text_cell(counts.size() > kMost ? text + ", ..." : text);
}

}  // namespace

std::string failure_text(const RecordRow& row) {
  std::string text = std::to_string(row.failed()) + " of " + counted(row.trials(), "trial") + " failed (";
  bool first = true;
  for (const auto& [why, trials] : row.failures) {
    text += (first ? "" : ", ") + why + (row.failures.size() > 1 ? ": " + std::to_string(trials.size()) : "");
    first = false;
  }
  text += ")";
  return row.steps.empty() ? text : text + "; the numbers are of the others";
}

Cell point_cell(const std::map<std::string, Json>& point, const std::string& place) { return cell_at(point, place); }

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
  std::sort(parameters_.begin(), parameters_.end(),
            [](const std::string& a, const std::string& b) { return compare_naturally(a, b) < 0; });
  algorithm_ = std::size_t{2} + cases_ + places_.size();
}

std::vector<Column> RowKeys::columns() const {
  std::vector<Column> columns;
  if (cases_) columns.push_back({"case", "case"});
  columns.push_back({"dataset", "dataset"});
  std::multiset<std::string> names = {"case", "dataset", "nodes", "algorithm", "chosen", "iterations"};
  names.insert(parameters_.begin(), parameters_.end());
  for (const auto& [place, name] : place_headings({places_.begin(), places_.end()}, names))
    columns.push_back({name, name});
  columns.push_back({"nodes", "nodes"});
  columns.push_back({"algorithm", "algorithm"});
  if (chosen_) columns.push_back({"chosen", "chosen"});
  for (const std::string& name : parameters_) columns.push_back({name, name});
  if (iterations_) columns.push_back({"iterations", "iterations"});
  return columns;
}

std::vector<Cell> RowKeys::cells(const RecordRow& row) const {
  std::vector<Cell> cells;
  if (cases_) cells.push_back(text_cell(row.experiment_case));
  cells.push_back(text_cell(row.dataset));
  const auto was_chosen = [&](const std::string& place) { return std::ranges::count(row.over, place) > 0; };
  for (const std::string& place : places_)
    cells.push_back(was_chosen(place) ? chosen_cell(row, place) : cell_at(row.point, place));
  cells.push_back(was_chosen(kNodes) ? chosen_cell(row, kNodes)
                                     : number_cell(row.nodes ? static_cast<double>(*row.nodes)
                                                             : std::numeric_limits<double>::quiet_NaN()));
  cells.push_back(text_cell(row.algorithm));
  if (chosen_) cells.push_back(text_cell(row.chosen.empty() ? "-" : row.chosen));
  for (const std::string& name : parameters_) cells.push_back(cell_at(row.parameters, name));
  if (iterations_)
    cells.push_back(row.iterations > 0 ? number_cell(static_cast<double>(row.iterations)) : text_cell("-"));
  return cells;
}

std::vector<Cell> RowKeys::cells(const RecordRow& row, Table& table) const {
  std::vector<Cell> all = cells(row);
  const std::string note = both_notes(row.failed() > 0 ? failure_text(row) : "", doubt_of(row));
  if (!note.empty()) all[algorithm_].note = footnote(table, note);
  if (row.chosen == kBestOnTest) add_remark(table, kOptimistic);
  if (!row.over.empty() && row.chosen != kBestOnTest) {
    add_remark(table, row.chosen +
                          ": each trial took the point that is best on its own training part, how often, stands in "
                          "brackets; times are of that point alone.");
  }
  return all;
}

}  // namespace elmx
