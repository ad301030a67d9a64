#include "results/dimensions.hpp"

#include <algorithm>
#include <set>

#include "base/config/fields.hpp"
#include "results/natural_order.hpp"

namespace elmx {
namespace {

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class Map>
Json value_in(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? Json() : Json(found->second);
}

/// The point at which a trial of the row stands: of one that has chosen, what it has chosen.
const std::map<std::string, Json>& point_of(const RecordRow& row, const RecordTrial& trial) {
  return row.over.empty() || trial.step == nullptr ? row.point : trial.record->point;
}

Json nodes_of(const RecordRow& row, const RecordTrial& trial) {
  const bool chosen = std::ranges::count(row.over, kNodes) > 0;
  if (chosen && trial.step != nullptr) return trial.step->nodes;
  return row.nodes ? Json(*row.nodes) : Json();
}

/// Whether the place, as of networks of one size a point, says in each row what "nodes" says.
bool is_size(std::span<const RecordRow> rows, const std::string& place) {
  if (last_component(place) != kNodes) return false;
  return std::ranges::all_of(rows, [&](const RecordRow& row) {
    const bool known = row.nodes || !row.steps.empty() || !row.point.contains(place);
    return known && std::ranges::all_of(row.steps, [&](const RecordedStep& step) {
             const Json value = value_in(step.record->point, place);
             return value.is_null() || value == Json(step.step->nodes);
           });
  });
}

/// A place is called by its last component where nothing else is called so.
std::vector<Dimension> places_of(std::span<const RecordRow> rows, std::multiset<std::string> taken) {
  std::set<std::string> places;
  for (const RecordRow& row : rows) {
    for (const auto& [place, value] : row.point) places.insert(place);
    places.insert(row.over.begin(), row.over.end());
  }
  places.erase(kNodes);
  std::erase_if(places, [&](const std::string& place) { return is_size(rows, place); });
  for (const std::string& place : places) taken.insert(last_component(place));
  std::vector<Dimension> dimensions;
  for (const std::string& place : places) {
    const std::string last = last_component(place);
    dimensions.push_back(
        {taken.count(last) == 1 ? last : place,
         DimensionKind::swept,
         place,
         {},
         [place](const RecordRow& row, const RecordTrial& trial) { return value_in(point_of(row, trial), place); }});
  }
  return dimensions;
}

/// In natural order. Trials that have chosen for themselves differ in their parameters.
std::vector<Dimension> parameters_of(std::span<const RecordRow> rows) {
  const auto naturally = [](const std::string& a, const std::string& b) { return compare_naturally(a, b) < 0; };
  std::set<std::string, decltype(naturally)> names(naturally);
  for (const RecordRow& row : rows) {
    for (const auto& [name, value] : row.parameters) names.insert(name);
  }
  std::vector<Dimension> dimensions;
  for (const std::string& name : names) {
    dimensions.push_back(
        {name, DimensionKind::parameter, {}, {}, [name](const RecordRow& row, const RecordTrial& trial) {
           return value_in(trial.step != nullptr ? trial.step->parameters : row.parameters, name);
         }});
  }
  return dimensions;
}

Json chosen_of(const RecordRow& row, const RecordTrial&) {
  if (!row.chosen.empty()) return row.chosen;
  return row.parameters.empty() && !row.one_of_grid ? Json() : Json(kGridPoint);
}

Json of_record(const RecordTrial& trial, arma::uword Record::*member) {
  return trial.record == nullptr ? Json() : Json(trial.record->*member);
}

}  // namespace

int Dimension::compare(const Json& a, const Json& b) const {
  if (a.is_string() && b.is_string())
    return compare_listed(listed, a.get_ref<const std::string&>(), b.get_ref<const std::string&>());
  return compare_values(a, b);
}

Dimensions::Dimensions(std::span<const RecordRow> rows, const RecordOrder& order) {
  using enum DimensionKind;
  using Row = const RecordRow&;
  using Trial = const RecordTrial&;
  all_ = {
      {"case", named, {}, order.cases, [](Row row, Trial) { return or_null(row.experiment_case); }},
      {"dataset", named, {}, {}, [](Row row, Trial) { return or_null(row.dataset); }},
      {kNodes, nodes, {}, {}, nodes_of},
      {"algorithm", named, {}, order.algorithms, [](Row row, Trial) { return or_null(row.algorithm); }},
      {"chosen", chosen, {}, {}, chosen_of},
      {"iterations",
       iterations,
       {},
       {},
       [](Row row, Trial) { return row.iterations > 0 ? Json(row.iterations) : Json(); }},
      {"repeat", of_trial, {}, {}, [](Row, Trial trial) { return of_record(trial, &Record::repeat); }},
      {"fold", of_trial, {}, {}, [](Row, Trial trial) { return of_record(trial, &Record::fold); }},
      {"status", of_trial, {}, {}, [](Row, Trial trial) { return or_null(trial.status); }},
  };
  const auto insert = [&](const std::vector<Dimension>& some, DimensionKind before) {
    all_.insert(std::ranges::find(all_, before, &Dimension::kind), some.begin(), some.end());
  };
  insert(parameters_of(rows), iterations);
  std::multiset<std::string> taken;
  for (const Dimension& dimension : all_) taken.insert(dimension.name);
  insert(places_of(rows, std::move(taken)), nodes);
}

const Dimension& Dimensions::find(const std::string& name, const std::string& option) const {
  std::vector<std::string> names;
  for (const Dimension& dimension : all_) {
    if (name == dimension.name || name == dimension.key()) return dimension;
    names.push_back(dimension.name);
  }
  throw ConfigError(option + " " + name + ": no field of the records" + suggest(name, names));
}

std::vector<RecordTrial> trials_of(const RecordRow& row) {
  std::vector<RecordTrial> trials;
  trials.reserve(row.trials());
  for (const RecordedStep& recorded : row.steps) trials.push_back({recorded.record, recorded.step, "ok"});
  for (const auto& [why, records] : row.failures) {
    for (const Record* record : records) trials.push_back({record, nullptr, why});
  }
  return trials;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? show(value.get<double>()) : value.dump();
}

Cell cell_of(const Json& value) {
  return value.is_number() ? number_cell(value.get<double>()) : text_cell(text_of(value));
}

}  // namespace elmx
