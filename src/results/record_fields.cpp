#include "results/record_fields.hpp"

#include <algorithm>

#include "results/natural_order.hpp"
#include "results/row_keys.hpp"

namespace elmx {
namespace {

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class Map>
Json value_in(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? Json() : Json(found->second);
}

RecordField place_field(const std::string& name, const std::string& place) {
  return {.name = name, .place = place, .value = [place](const RecordRow& row, const RecordTrial&) {
            return value_in(row.point, place);
          }};
}

/// Trials that have chosen for themselves differ in their parameters.
RecordField parameter_field(const std::string& name) {
  return {.name = name, .value = [name](const RecordRow& row, const RecordTrial& trial) {
            return value_in(trial.step != nullptr ? trial.step->parameters : row.parameters, name);
          }};
}

Json chosen_of(const RecordRow& row, const RecordTrial&) {
  if (!row.chosen.empty()) return row.chosen;
  return row.parameters.empty() ? Json() : Json(kGridPoint);
}

Json of_record(const RecordTrial& trial, arma::uword Record::*member) {
  return trial.record == nullptr ? Json() : Json(trial.record->*member);
}

}  // namespace

int RecordField::compare(const Json& a, const Json& b) const {
  if (a.is_string() && b.is_string())
    return compare_listed(listed, a.get_ref<const std::string&>(), b.get_ref<const std::string&>());
  return compare_values(a, b);
}

RecordFields::RecordFields(const std::vector<RecordRow>& rows, const RecordOrder& order) {
  std::set<std::string> places;
  std::set<std::string> parameters;
  for (const RecordRow& row : rows) {
    for (const auto& [place, value] : row.point) places.insert(place);
    for (const auto& [name, value] : row.parameters) parameters.insert(name);
  }
  std::multiset<std::string> taken = {"case",       "dataset", "nodes", "algorithm", "chosen",
                                      "iterations", "repeat",  "fold",  "status"};
  taken.insert(parameters.begin(), parameters.end());

  using Row = const RecordRow&;
  using Trial = const RecordTrial&;
  fields_ = {
      {.name = "case", .listed = order.cases, .value = [](Row row, Trial) { return or_null(row.experiment_case); }},
      {.name = "dataset", .value = [](Row row, Trial) { return or_null(row.dataset); }}};
  for (const auto& [place, name] : place_headings(places, taken)) fields_.push_back(place_field(name, place));
  fields_.push_back({.name = "nodes", .value = [](Row row, Trial) { return row.nodes ? Json(*row.nodes) : Json(); }});
  fields_.push_back({.name = "algorithm", .listed = order.algorithms, .value = [](Row row, Trial) {
                       return or_null(row.algorithm);
                     }});
  fields_.push_back({.name = "chosen", .value = chosen_of});
  for (const std::string& name : parameters) fields_.push_back(parameter_field(name));
  fields_.push_back({.name = "iterations",
                     .value = [](Row row, Trial) { return row.iterations > 0 ? Json(row.iterations) : Json(); }});
  fields_.push_back({.name = "repeat", .of_trial = true, .value = [](Row, Trial trial) {
                       return of_record(trial, &Record::repeat);
                     }});
  fields_.push_back(
      {.name = "fold", .of_trial = true, .value = [](Row, Trial trial) { return of_record(trial, &Record::fold); }});
  fields_.push_back(
      {.name = "status", .of_trial = true, .value = [](Row, Trial trial) { return or_null(trial.status); }});
}

const RecordField& RecordFields::find(const std::string& name, const std::string& option) const {
  std::vector<std::string> names;
  for (const RecordField& field : fields_) {
    if (name == field.name || (!name.empty() && name == field.place)) return field;
    names.push_back(field.name);
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
