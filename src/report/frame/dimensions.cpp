#include "report/frame/dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/config/fields.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

int sign(double x) { return (x > 0) - (x < 0); }

int rank(const Json& value) { return value.is_number() ? 0 : (value.is_string() ? 1 : 2); }

using Row = const RecordRow&;
using Trial = const RecordTrial&;

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class Map>
Json value_in(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? Json() : Json(found->second);
}

/// Returns the sweep point of a trial: its chosen point if the row chooses among points.
const std::map<std::string, Json>& point_of(const RecordRow& row, const RecordTrial& trial) {
  return row.over.empty() || trial.step == nullptr ? row.point : trial.record->point;
}

Json nodes_of(const RecordRow& row, const RecordTrial& trial) {
  const bool chosen = std::ranges::count(row.over, kNodes) > 0;
  if (chosen && trial.step != nullptr) return trial.step->nodes;
  return row.nodes ? Json(*row.nodes) : Json();
}

/// Returns true if the values of the place always equal "nodes", as for networks of one size per point.
bool is_always_size(std::span<const RecordRow> rows, const std::string& place) {
  if (last_component(place) != kNodes) return false;
  return std::ranges::all_of(rows, [&](const RecordRow& row) {
    const bool known = row.nodes || !row.steps.empty() || !row.point.contains(place);
    return known && std::ranges::all_of(row.steps, [&](const RecordedStep& step) {
             const Json value = value_in(step.record->point, place);
             return value.is_null() || value == Json(step.step->nodes);
           });
  });
}

/// Returns the swept places. A place is named by its last component if nothing else has this name.
std::vector<Dimension> places_of(std::span<const RecordRow> rows, std::multiset<std::string> taken) {
  std::set<std::string> places;
  for (const RecordRow& row : rows) {
    for (const auto& [place, value] : row.point) places.insert(place);
    places.insert(row.over.begin(), row.over.end());
  }
  places.erase(kNodes);
  std::erase_if(places, [&](const std::string& place) { return is_always_size(rows, place); });
  for (const std::string& place : places) taken.insert(last_component(place));
  std::vector<Dimension> dimensions;
  for (const std::string& place : places) {
    const std::string last = last_component(place);
    const auto value = [place](Row row, Trial trial) { return value_in(point_of(row, trial), place); };
    dimensions.push_back({taken.count(last) == 1 ? last : place, DimensionKind::swept, value, place});
  }
  return dimensions;
}

/// Returns the parameters of grids in natural order; they differ in trials that chose for themselves.
std::vector<Dimension> parameters_of(std::span<const RecordRow> rows) {
  const auto naturally = [](const std::string& a, const std::string& b) { return compare_naturally(a, b) < 0; };
  std::set<std::string, decltype(naturally)> names(naturally);
  for (const RecordRow& row : rows) {
    for (const auto& [name, value] : row.parameters) names.insert(name);
  }
  std::vector<Dimension> dimensions;
  for (const std::string& name : names) {
    const auto value = [name](Row row, Trial trial) {
      return value_in(trial.step != nullptr ? trial.step->parameters : row.parameters, name);
    };
    dimensions.push_back({name, DimensionKind::parameter, value});
  }
  return dimensions;
}

std::string trait_text(const Dimension& dimension, const Json& value) {
  using enum DimensionKind;
  if (dimension.kind == nodes || dimension.kind == iterations)
    return counted(value.get<std::size_t>(), dimension.kind == nodes ? "node" : "iteration");
  return dimension.kind == chosen ? text_of(value) : dimension.name + " = " + text_of(value);
}

/// Returns true if the dimension is a place at which the row's number of nodes was swept.
bool is_size(const RecordRow& row, const Dimension& dimension) {
  return dimension.kind == DimensionKind::swept && row.nodes && last_component(dimension.place) == kNodes &&
         number_of(row, dimension) == static_cast<double>(*row.nodes);
}

bool is_trait(const RecordRow& row, const Dimension& dimension) {
  using enum DimensionKind;
  if (dimension.kind == named || dimension.kind == of_trial || is_size(row, dimension)) return false;
  if (dimension.kind == swept) return row.point.contains(dimension.place);
  return !key_of(row, dimension).is_null() && (dimension.kind != parameter || row.chosen.empty());
}

Json chosen_of(const RecordRow& row, const RecordTrial&) {
  if (!row.chosen.empty()) return row.chosen;
  return row.parameters.empty() && !row.one_of_grid ? Json() : Json("grid point");
}

Json of_record(const RecordTrial& trial, std::size_t Record::*member) {
  return trial.record == nullptr ? Json() : Json(trial.record->*member);
}

}  // namespace

int compare_naturally(const std::string& a, const std::string& b) { return strverscmp(a.c_str(), b.c_str()); }

int compare_listed(const std::vector<std::string>& first, const std::string& a, const std::string& b) {
  const auto at_a = std::ranges::find(first, a), at_b = std::ranges::find(first, b);
  return at_a != at_b ? (at_a < at_b ? -1 : 1) : compare_naturally(a, b);
}

int compare_values(const Json& a, const Json& b) {
  if (rank(a) != rank(b)) return rank(a) - rank(b);
  if (a.is_number()) return sign(a.get<double>() - b.get<double>());
  if (a.is_string()) return compare_naturally(a.get_ref<const std::string&>(), b.get_ref<const std::string&>());
  return a.dump().compare(b.dump());
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

int Dimension::compare(const Json& a, const Json& b) const {
  if (a.is_string() && b.is_string())
    return compare_listed(listed, a.get_ref<const std::string&>(), b.get_ref<const std::string&>());
  return compare_values(a, b);
}

Dimensions::Dimensions(std::span<const RecordRow> rows, const RecordOrder& order) {
  using enum DimensionKind;
  all_ = {
      {"case", named, [](Row row, Trial) { return or_null(row.experiment_case); }, {}, order.cases},
      {"dataset", named, [](Row row, Trial) { return or_null(row.dataset); }},
      {kNodes, nodes, nodes_of},
      {"algorithm", named, [](Row row, Trial) { return or_null(row.algorithm); }, {}, order.algorithms},
      {"chosen", chosen, chosen_of},
      {"iterations", iterations, [](Row row, Trial) { return row.iterations > 0 ? Json(row.iterations) : Json(); }},
      {"repeat", of_trial, [](Row, Trial trial) { return of_record(trial, &Record::repeat); }},
      {"fold", of_trial, [](Row, Trial trial) { return of_record(trial, &Record::fold); }},
      {"status", of_trial, [](Row, Trial trial) { return or_null(trial.status.text()); }},
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
  throw ConfigError(option + " " + name, "the results have no field of this name" + suggest(name, names));
}

Json key_of(const RecordRow& row, const Dimension& dimension) {
  return dimension.kind == DimensionKind::chosen && row.chosen.empty() ? Json() : dimension.value(row, {});
}

std::optional<double> number_of(const RecordRow& row, const Dimension& dimension) {
  const Json value = dimension.value(row, {});
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::vector<std::string> numeric_keys(const std::vector<RecordRow>& rows, DimensionKind kind) {
  const Dimensions dimensions(rows);
  std::vector<std::string> keys;
  for (const Dimension& dimension : dimensions.all()) {
    const auto has = [&](const RecordRow& row) { return number_of(row, dimension) && !is_size(row, dimension); };
    if (dimension.kind == kind && std::ranges::any_of(rows, has)) keys.push_back(dimension.key());
  }
  return keys;
}

std::vector<std::span<const RecordRow>> by_data_set(std::span<const RecordRow> rows) {
  return neighbours(rows, [](const RecordRow& a, const RecordRow& b) {
    return a.experiment_case == b.experiment_case && a.dataset == b.dataset;
  });
}

std::vector<Trait> traits_of(const RecordRow& row, const Dimensions& dimensions) {
  std::vector<Trait> traits;
  for (const Dimension& dimension : dimensions.all()) {
    if (is_trait(row, dimension)) traits.push_back({&dimension, trait_text(dimension, dimension.value(row, {}))});
  }
  return traits;
}

std::string point_text(const std::vector<Trait>& traits) {
  std::vector<std::string> texts;
  for (const Trait& trait : traits) {
    if (trait.dimension->kind == DimensionKind::swept) texts.push_back(trait.text);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

bool ByFields::operator()(const FieldValues& a, const FieldValues& b) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (const int order = fields[i]->compare(a[i], b[i]); order != 0) return order < 0;
  }
  return false;
}

FieldValueSet values_in(const Dimension& field, const std::vector<const RecordRow*>& rows) {
  FieldValueSet values(ByFields{{&field}});
  for (const RecordRow* row : rows) values.insert(FieldValues(1, field.value(*row, {})));
  return values;
}

std::string listed(const FieldValueSet& values) {
  constexpr std::size_t kMostListed = 4;
  if (values.size() > kMostListed) return std::to_string(values.size()) + " values";
  std::vector<std::string> texts;
  for (const FieldValues& value : values) texts.push_back(text_of(value[0]));
  return fmt::format("{}", fmt::join(texts, ", "));
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
