#include "results/row_traits.hpp"

#include <algorithm>
#include <set>

#include "base/config/fields.hpp"
#include "base/printable.hpp"
#include "results/record_fields.hpp"
#include "results/row_keys.hpp"
#include "table_formats/table.hpp"

namespace elmx {
namespace {

bool is_nodes_of(const RecordRow& row, const std::string& place, const Json& value) {
  return row.nodes && last_component(place) == "nodes" && value.is_number() &&
         value.get<double>() == static_cast<double>(*row.nodes);
}

std::map<std::string, std::string> headings_of(const RecordRow& row) {
  std::set<std::string> places;
  for (const auto& [place, value] : row.point) places.insert(place);
  return place_headings(places);
}

const std::string* text_of(const LegendEntry& entry, const std::string& key) {
  const auto found =
      std::find_if(entry.traits.begin(), entry.traits.end(), [&](const Trait& trait) { return trait.key == key; });
  return found == entry.traits.end() ? nullptr : &found->text;
}

bool differ(const LegendEntry& a, const LegendEntry& b, const std::string& key) {
  const std::string *x = text_of(a, key), *y = text_of(b, key);
  return (x == nullptr) != (y == nullptr) || (x != nullptr && *x != *y);
}

}  // namespace

std::vector<Trait> traits_of(const RecordRow& row) {
  std::vector<Trait> traits;
  const std::map<std::string, std::string> headings = headings_of(row);
  for (const auto& [place, value] : row.point) {
    if (!is_nodes_of(row, place, value)) traits.push_back({place, headings.at(place) + " = " + text_of(value)});
  }
  if (row.nodes) traits.push_back({kNodesTrait, counted(*row.nodes, "node")});
  if (row.chosen.empty()) {
    for (const auto& [name, value] : row.parameters) traits.push_back({kGridTrait + name, name + " = " + show(value)});
  } else {
    traits.push_back({"chosen", row.chosen});
  }
  if (row.iterations > 0) traits.push_back({"iterations", counted(row.iterations, "iteration")});
  return traits;
}

std::optional<double> number_of_trait(const RecordRow& row, const std::string& key) {
  if (key == kNodesTrait) return row.nodes ? std::optional(static_cast<double>(*row.nodes)) : std::nullopt;
  if (key.starts_with(kGridTrait)) {
    const auto found = row.parameters.find(key.substr(std::string(kGridTrait).size()));
    return found == row.parameters.end() ? std::nullopt : std::optional(found->second);
  }
  const auto found = row.point.find(key);
  return found == row.point.end() || !found->second.is_number() ? std::nullopt
                                                                : std::optional(found->second.get<double>());
}

std::vector<std::string> numeric_places(const std::vector<RecordRow>& rows) {
  std::set<std::string> places;
  for (const RecordRow& row : rows) {
    for (const auto& [place, value] : row.point) {
      if (value.is_number() && !is_nodes_of(row, place, value)) places.insert(place);
    }
  }
  return {places.begin(), places.end()};
}

std::vector<std::string> grid_parameters(const std::vector<RecordRow>& rows) {
  std::set<std::string> parameters;
  for (const RecordRow& row : rows) {
    for (const auto& [name, value] : row.parameters) parameters.insert(kGridTrait + name);
  }
  return {parameters.begin(), parameters.end()};
}

void remove_trait(std::vector<Trait>& traits, const std::string& key) {
  std::erase_if(traits, [&](const Trait& trait) { return trait.key == key; });
}

std::vector<std::string> distinctions(const std::vector<LegendEntry>& entries) {
  std::vector<std::string> texts;
  for (const LegendEntry& entry : entries) {
    std::string text;
    for (const Trait& trait : entry.traits) {
      const bool tells = std::any_of(entries.begin(), entries.end(), [&](const LegendEntry& other) {
        return other.algorithm == entry.algorithm && differ(entry, other, trait.key);
      });
      if (tells) text += ", " + trait.text;
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace elmx
