#include "tables/matched_rows.hpp"

#include <algorithm>
#include <set>

#include "results/select_rows.hpp"
#include "tables/pivot_cells.hpp"

namespace elmx {
namespace {

std::set<FieldValues, ByFields> values_in(const Dimension& field, const std::vector<RecordRow>& rows) {
  std::set<FieldValues, ByFields> values(ByFields{{&field}});
  for (const RecordRow& row : rows) values.insert(FieldValues(1, field.value(row, {})));
  return values;
}

/// What an algorithm has for itself: no place of the config, and not what every step has.
bool is_own(const Dimension& field) {
  using enum DimensionKind;
  return field.kind == chosen || field.kind == parameter || field.kind == iterations;
}

}  // namespace

std::vector<ComparedSide> sides_by(const std::string& by, const std::vector<RecordRow>& rows,
                                   const Dimensions& fields) {
  const std::string name = by.substr(0, by.find('='));
  const Dimension& field = fields.find(name, "--by");
  if (field.kind == DimensionKind::of_trial || field.name == "dataset")
    throw ConfigError(
        "--by " + name +
        ": there are no pairs of trials across its values; allowed: algorithm, nodes, a swept place, ...");
  std::vector<std::string> names;
  for (const FieldValues& value : values_in(field, rows)) names.push_back(text_of(value[0]));
  if (by != name) names = split_list(by.substr(name.size() + 1));
  std::vector<ComparedSide> sides;
  for (const std::string& side : names) sides.push_back({side, select_rows(rows, fields, {name + "=" + side}, true)});
  if (sides.size() < 2 || std::set<std::string>(names.begin(), names.end()).size() < names.size())
    throw ConfigError("--by " + by + ": allowed: two or more different values");
  return sides;
}

std::vector<const Dimension*> matching_fields(const std::vector<ComparedSide>& sides, const Dimensions& fields,
                                              const std::string& by) {
  std::vector<const Dimension*> matching;
  for (const Dimension& field : fields.all()) {
    const bool one_a_side = std::all_of(
        sides.begin(), sides.end(), [&](const ComparedSide& side) { return values_in(field, side.rows).size() <= 1; });
    const bool left_out = !by.empty() && (field.name == by || (is_own(field) && one_a_side));
    if (field.kind != DimensionKind::of_trial && !left_out) matching.push_back(&field);
  }
  return matching;
}

std::vector<MatchedRows> match_rows(const std::vector<ComparedSide>& sides,
                                    const std::vector<const Dimension*>& fields) {
  std::map<FieldValues, std::size_t, ByFields> place_of(ByFields{fields});
  std::vector<MatchedRows> matched;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (const RecordRow& row : sides[i].rows) {
      FieldValues values;
      for (const Dimension* field : fields) values.push_back(field->value(row, {}));
      const auto [found, is_new] = place_of.try_emplace(std::move(values), matched.size());
      if (is_new) matched.emplace_back(sides.size(), nullptr);
      const RecordRow*& of_side = matched[found->second][i];
      if (of_side == nullptr) of_side = &row;
    }
  }
  return matched;
}

MatchedSteps matched_steps(const MatchedRows& rows) {
  MatchedSteps matched(rows.size());
  if (std::find(rows.begin(), rows.end(), nullptr) != rows.end()) return matched;
  const auto before = [](const RecordedStep& a, const RecordedStep& b) {
    return std::tie(a.repeat, a.fold) < std::tie(b.repeat, b.fold);
  };
  std::vector<std::size_t> at(rows.size(), 0);
  for (const RecordedStep& step : rows[0]->steps) {
    bool everywhere = true;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const std::vector<RecordedStep>& steps = rows[i]->steps;
      while (at[i] < steps.size() && before(steps[at[i]], step)) ++at[i];
      everywhere = everywhere && at[i] < steps.size() && !before(step, steps[at[i]]);
    }
    if (!everywhere) continue;
    matched[0].push_back(&step);
    for (std::size_t i = 1; i < rows.size(); ++i) matched[i].push_back(&rows[i]->steps[at[i]]);
  }
  return matched;
}

std::vector<std::vector<double>> matched_values(const MatchedSteps& steps, const std::string& quantity) {
  std::vector<std::vector<double>> values(steps.size());
  for (std::size_t trial = 0; trial < steps[0].size(); ++trial) {
    std::size_t had = 0;
    while (had < steps.size()) {
      const auto value = value_of(*steps[had][trial], quantity);
      if (!value) break;
      values[had++].push_back(*value);
    }
    while (had > 0 && had < steps.size() && values[had - 1].size() > values.back().size()) values[--had].pop_back();
  }
  return values;
}

}  // namespace elmx
