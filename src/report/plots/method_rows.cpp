#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/config/fields.hpp"
#include "report/plots/row_plots.hpp"

namespace elmx {
namespace {

/// Returns the settings of each case that have several values, except for the axes.
Selections settings_of(const std::vector<RecordRow>& rows, const Selections& asked,
                       const std::vector<std::string>& axes) {
  std::map<std::string, std::map<std::string, std::set<double>>> values;  // case -> setting -> values
  std::map<std::string, std::set<std::string>> sizes;                     // case -> places that give the size
  for (const RecordRow& row : rows) {
    auto& of_case = values[row.experiment_case];
    for (const auto& [name, value] : row.parameters) of_case[name].insert(value);
    if (row.nodes) of_case[kNodes].insert(static_cast<double>(*row.nodes));
    for (const auto& [place, value] : row.point) {
      if (!value.is_number() || !can_be_chosen(place)) continue;
      if (row.nodes && last_component(place) == kNodes && value == Json(*row.nodes))
        sizes[row.experiment_case].insert(place);
      else
        of_case[place].insert(value.get<double>());
    }
  }
  Selections settings;
  for (const auto& [name, of_case] : values) {
    SelectOptions& select = settings[name];
    if (const auto found = asked.find(name); found != asked.end()) select = found->second;
    for (const auto& [setting, some] : of_case) {
      if (some.size() > 1) add_missing(select.over, {setting});
    }
    std::erase_if(select.over, [&](const std::string& setting) { return std::ranges::count(axes, setting) > 0; });
    const std::set<std::string>& places = sizes[name];
    if (std::ranges::count(select.over, kNodes) > 0)
      add_missing(select.over, {places.begin(), places.end()});
    else
      std::erase_if(select.over, [&](const std::string& place) { return places.contains(place); });
  }
  return settings;
}

}  // namespace

std::vector<RecordRow> method_rows(const std::vector<RecordRow>& rows, const Selections& asked,
                                   const std::vector<std::string>& axes) {
  std::vector<RecordRow> points = rows;
  std::erase_if(points, [](const RecordRow& row) { return !row.over.empty() || row.chosen == kBestOnTest; });
  for (RecordRow& row : points) row.one_of_grid = false;
  prefer_choices_of_trials(points, [](const RecordRow& row) { return !row.parameters.empty(); });
  const Selections settings = settings_of(points, asked, axes);
  points = without_grids(with_selections(std::move(points), settings));
  prefer_choices_of_trials(points, [](const RecordRow& row) { return row.chosen == kBestOnTest; });
  return points;
}

std::string choice_text(std::span<const RecordRow> rows, const std::string& at) {
  std::vector<std::string> settings;
  std::map<std::string, std::vector<std::string>> algorithms;  // by choice
  for (const RecordRow& row : rows) {
    if (row.chosen.empty()) continue;
    for (const std::string& place : row.over) add_missing(settings, {last_component(place)});
    add_missing(algorithms[row.chosen], {row.algorithm});
  }
  if (algorithms.empty()) return fmt::format("{}", fmt::join(settings, ", "));
  std::vector<std::string> choices;
  for (const auto& [chosen, names] : algorithms)
    choices.push_back(fmt::format("{}{}{}", algorithms.size() > 1 ? fmt::format("{} ", fmt::join(names, ", ")) : "",
                                  chosen, chosen == kBestOnTest ? ", optimistic" : ""));
  if (settings.empty()) settings.emplace_back("settings");
  return fmt::format("{}{}: {}", fmt::join(settings, ", "), at, fmt::join(choices, "; "));
}

std::vector<EntryRows> by_entry(const std::vector<const RecordRow*>& rows, const Dimensions& dimensions,
                                const std::function<bool(const Dimension&)>& in_legend) {
  std::vector<EntryRows> all;
  for (const RecordRow* row : rows) {
    std::vector<Trait> traits = traits_of(*row, dimensions);
    std::erase_if(traits, [&](const Trait& trait) { return !in_legend(*trait.dimension); });
    auto found = std::ranges::find_if(all, [&](const EntryRows& other) {
      return other.algorithm == row->algorithm && other.traits == traits &&
             other.rows.front()->imported == row->imported;
    });
    if (found == all.end()) found = all.insert(found, {row->algorithm, std::move(traits)});
    found->rows.push_back(row);
  }
  for (EntryRows& entry : all) {
    for (const Trait& trait : entry.traits) {
      const auto lacks = [&](const EntryRows& other) {
        return other.algorithm == entry.algorithm && std::ranges::count(other.traits, trait) == 0;
      };
      if (std::ranges::any_of(all, lacks)) entry.suffix += ", " + trait.text;
    }
  }
  return all;
}

}  // namespace elmx
