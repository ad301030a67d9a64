#include "report/tables/matched_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/frame/quantities.hpp"

namespace elmx {
namespace {

using Rows = std::vector<RecordRow*>;

/// The rows of one data set, one list per side.
struct DataGroup {
  std::vector<Rows> of_side;
  Fields several = {};  ///< fields with several values on a side
  Fields single = {};   ///< the other fields
  std::vector<MatchedRows> matched = {};
};

bool has_steps(const RecordRow* row) { return row != nullptr && !row->steps.empty(); }

/// Returns the values of a field in the rows that have steps.
FieldValueSet values_reached(const Dimension& field, const Rows& rows) {
  std::vector<const RecordRow*> reached;
  std::ranges::copy_if(rows, std::back_inserter(reached), has_steps);
  return values_in(field, reached);
}

std::vector<DataGroup> groups_of(std::vector<ComparedSide>& sides, bool by_content) {
  std::vector<DataGroup> groups;
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (RecordRow& row : sides[i].rows) {
      const std::string& identity = by_content && !row.steps.empty() ? row.steps[0].record->samples.data : row.dataset;
      const auto [found, is_new] = number.try_emplace(identity, groups.size());
      if (is_new) groups.push_back({std::vector<Rows>(sides.size())});
      groups[found->second].of_side[i].push_back(&row);
    }
  }
  return groups;
}

FieldValues values_of(const Fields& fields, const RecordRow& row) {
  FieldValues values;
  for (const Dimension* field : fields) values.push_back(field->value(row, {}));
  return values;
}

void match_rows(const Dimensions& fields, const std::string& by, DataGroup& group) {
  for (const Dimension& field : fields.all()) {
    if (field.kind == DimensionKind::of_trial || field.name == by) continue;
    const auto has_several = [&](const Rows& rows) { return values_reached(field, rows).size() > 1; };
    (std::ranges::any_of(group.of_side, has_several) ? group.several : group.single).push_back(&field);
  }
  std::map<FieldValues, std::size_t, ByFields> place_of(ByFields{group.several});
  for (std::size_t i = 0; i < group.of_side.size(); ++i) {
    for (const RecordRow* row : group.of_side[i]) {
      const auto [found, is_new] = place_of.try_emplace(values_of(group.several, *row), group.matched.size());
      if (is_new) group.matched.emplace_back(group.of_side.size(), nullptr);
      // A row in which all trials failed has no values, so another row may replace it.
      const RecordRow*& there = group.matched[found->second][i];
      if (there == nullptr || (!has_steps(there) && has_steps(row))) there = row;
    }
  }
}

/// Returns "A: dataset d.csv, algorithm panel; B: dataset copy.csv, algorithm alg2", or "".
std::string differences_in(const DataGroup& group, const std::vector<ComparedSide>& sides, std::size_t side) {
  std::vector<std::string> a, b;
  for (const Dimension* field : group.single) {
    const FieldValueSet first = values_reached(*field, group.of_side[0]);
    const FieldValueSet second = values_reached(*field, group.of_side[side]);
    if (first.empty() || second.empty() || *first.begin() == *second.begin()) continue;
    a.push_back(field->name + " " + listed(first));
    b.push_back(field->name + " " + listed(second));
  }
  return a.empty()
             ? ""
             : fmt::format("{}: {}; {}: {}", sides[0].name, fmt::join(a, ", "), sides[side].name, fmt::join(b, ", "));
}

/// Returns conditions on the fields `apart`, in which the sides have no value in common, that keep a pair
/// of rows which agree in the fields `shared`: " --where "ridge=1,0.5"". Returns "" if there is no such
/// pair.
std::string conditions_for_a_pair(const DataGroup& group, std::size_t side, const Fields& apart, const Fields& shared) {
  std::map<FieldValues, const RecordRow*, ByFields> first(ByFields{shared});
  for (const RecordRow* row : group.of_side[0]) {
    if (has_steps(row)) first[values_of(shared, *row)] = row;
  }
  for (const RecordRow* row : group.of_side[side]) {
    const auto partner = has_steps(row) ? first.find(values_of(shared, *row)) : first.end();
    if (partner == first.end() || matched_steps({partner->second, row}).empty()) continue;
    std::string conditions;
    for (const Dimension* field : apart) {
      const std::string values = text_of(field->value(*partner->second, {})) + "," + text_of(field->value(*row, {}));
      if (split_list(values).size() != 2) return "";  // a comma within a value cannot be written
      conditions += fmt::format(" --where \"{}={}\"", field->name, values);
    }
    return conditions;
  }
  return "";
}

/// Returns the reason why two sides that both have trials of a data set form no pairs there.
std::string why_apart(const DataGroup& group, const std::vector<ComparedSide>& sides, std::size_t side,
                      const ComparedRuns& runs) {
  for (const MatchedRows& rows : group.matched) {
    if (!has_steps(rows[0]) || !has_steps(rows[side])) continue;
    std::set<std::pair<std::size_t, std::size_t>> folds;
    for (const RecordedStep& step : rows[0]->steps) folds.emplace(step.repeat, step.fold);
    const auto is_common = [&](const RecordedStep& step) { return folds.contains({step.repeat, step.fold}); };
    if (std::ranges::none_of(rows[side]->steps, is_common)) return "they have no repeat and fold in common";
    std::vector<std::string> options;
    for (const auto& [place, text] : differing_options(runs.a, *rows[0], runs.b, *rows[side])) {
      if (place == "/seed" || place.starts_with("/split/")) options.push_back(text);
    }
    if (options.empty()) options.emplace_back("their test parts have other rows or targets");
    return fmt::format("the splits differ ({}); use runs of one seed and split", fmt::join(options, ", "));
  }
  std::vector<std::string> texts;
  Fields apart, shared;
  for (const Dimension* field : group.several) {
    const FieldValueSet first = values_reached(*field, group.of_side[0]);
    const FieldValueSet second = values_reached(*field, group.of_side[side]);
    const bool some = std::ranges::any_of(first, [&](const FieldValues& value) { return second.contains(value); });
    (some ? shared : apart).push_back(field);
    if (some) continue;
    texts.push_back(fmt::format("{}: {} has {}, {} has {}", field->name, sides[0].name, listed(first), sides[side].name,
                                listed(second)));
  }
  if (texts.empty()) return "no two of their rows agree in every field; use --where to keep one value per side";
  const std::string conditions = conditions_for_a_pair(group, side, apart, shared);
  return fmt::format("{}; use --where or --by to keep one value per side (elmx table DIR shows them){}{}",
                     fmt::join(texts, "; "), conditions.empty() ? "" : ", as in", conditions);
}

}  // namespace

bool may_be_same(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

const Dimension& field_of_sides(const std::string& name, const Dimensions& fields) {
  const Dimension& field = fields.find(name, "--by");
  if (field.kind == DimensionKind::of_trial || field.name == "dataset")
    throw ConfigError(
        "--by " + name,
        "trials with different values of this field form no pairs; use algorithm, case, nodes or a swept key");
  return field;
}

std::vector<ComparedSide> sides_by(const Condition& by, const std::vector<RecordRow>& rows, const Dimensions& fields) {
  const Dimension& field = field_of_sides(by.field, fields);
  std::map<std::string, std::vector<RecordRow>> rows_with;
  FieldValueSet values(ByFields{{&field}});
  for (const RecordRow& row : rows) {
    for (const RecordTrial& trial : trials_of(row)) values.insert(FieldValues(1, field.value(row, trial)));
    for (auto& [text, part] : parted(row, field)) rows_with[text].push_back(std::move(part));
  }
  std::vector<std::string> all;
  for (const FieldValues& value : values) all.push_back(text_of(value[0]));
  const std::vector<std::string> names = by.values.empty() ? all : by.meant({all.begin(), all.end()}, "--by");
  if (names.size() < 2 || std::set<std::string>(names.begin(), names.end()).size() < names.size())
    throw ConfigError("--by " + by.field + (by.text.empty() ? "" : "=") + by.text,
                      "expected two or more different values to compare");
  std::vector<ComparedSide> sides;
  for (const std::string& text : names) sides.push_back({text, rows_with.at(text)});
  return sides;
}

MatchedSteps matched_steps(const MatchedRows& rows) {
  MatchedSteps matched;
  if (std::find(rows.begin(), rows.end(), nullptr) != rows.end()) return matched;
  const auto place_of = [](const RecordedStep& step) { return std::pair(step.repeat, step.fold); };
  std::vector<std::size_t> at(rows.size(), 0);
  for (const RecordedStep& step : rows[0]->steps) {
    MatchedTrial trial{&step};
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const std::vector<RecordedStep>& steps = rows[i]->steps;
      while (at[i] < steps.size() && place_of(steps[at[i]]) < place_of(step)) ++at[i];
      if (at[i] < steps.size() && place_of(steps[at[i]]) == place_of(step) &&
          may_be_same(step.record->samples.test, steps[at[i]].record->samples.test))
        trial.push_back(&steps[at[i]]);
    }
    if (trial.size() == rows.size()) matched.push_back(std::move(trial));
  }
  return matched;
}

MatchedSteps observations(MatchedSteps steps, const std::string& quantity) {
  if (is_time(quantity)) return steps;
  std::set<std::vector<std::size_t>> seen;
  std::erase_if(steps, [&](const MatchedTrial& trial) {
    std::vector<std::size_t> observation;
    for (const RecordedStep* step : trial) observation.push_back(step->observation);
    return !seen.insert(std::move(observation)).second;
  });
  return steps;
}

std::vector<std::vector<double>> matched_values(const MatchedRows& rows, const std::string& quantity) {
  std::vector<std::vector<double>> values(rows.size());
  for (const MatchedTrial& trial : observations(matched_steps(rows), quantity)) {
    std::vector<double> of_trial;
    for (const RecordedStep* step : trial) {
      if (const auto value = value_of(*step, quantity)) of_trial.push_back(*value);
    }
    for (std::size_t i = 0; i < rows.size() && of_trial.size() == rows.size(); ++i) values[i].push_back(of_trial[i]);
  }
  return values;
}

std::vector<MatchedRows> pair_rows(std::vector<ComparedSide>& sides, const Dimensions& fields, const std::string& by,
                                   const ComparedRuns& runs, std::vector<std::string>& remarks) {
  const bool by_content = std::ranges::all_of(sides, [](const ComparedSide& side) {
    return std::ranges::all_of(side.rows, [](const RecordRow& row) {
      return row.steps.empty() || !row.steps[0].record->samples.data.empty();
    });
  });
  std::vector<DataGroup> groups = groups_of(sides, by_content);
  for (DataGroup& group : groups) match_rows(fields, by, group);
  for (std::size_t side = 1; side < sides.size(); ++side) {
    bool some = false;
    std::vector<std::string> reasons;
    for (const DataGroup& group : groups) {
      const bool of_first = std::ranges::any_of(group.of_side[0], has_steps);
      const bool of_other = std::ranges::any_of(group.of_side[side], has_steps);
      const bool here = std::ranges::any_of(group.matched, [&](const MatchedRows& rows) {
        return !matched_steps({rows[0], rows[side]}).empty();
      });
      some = some || here;
      if (here) {
        add_missing(remarks, {differences_in(group, sides, side)});
      } else if (of_first || of_other) {
        const std::string& name = group.of_side[of_first ? 0 : side][0]->dataset;
        const bool both_know_it = std::ranges::any_of(groups, [&](const DataGroup& one) {
          return std::ranges::any_of(one.of_side[of_first ? side : 0],
                                     [&](const RecordRow* row) { return has_steps(row) && row->dataset == name; });
        });
        reasons.insert(of_first && of_other ? reasons.begin() : reasons.end(),
                       fmt::format("{}: no pairs of {} and {}: {}", name, sides[0].name, sides[side].name,
                                   of_first && of_other ? why_apart(group, sides, side, runs)
                                   : both_know_it       ? "its contents differ"
                                                  : "only " + sides[of_first ? 0 : side].name + " has trials of it"));
      }
    }
    if (!some) throw ConfigError("compare", reasons.empty() ? "every trial has failed" : reasons[0]);
    add_missing(remarks, reasons);
  }
  std::erase(remarks, "");
  if (!by_content)
    remarks.push_back(
        "Some records were written by an earlier elmx and do not identify their data and folds. Data sets with the "
        "same name, and repeats and folds with the same number, were assumed to be the same.");
  std::vector<MatchedRows> matched;
  for (DataGroup& group : groups) {
    matched.insert(matched.end(), group.matched.begin(), group.matched.end());
    // Equal contents get the name of the first side; a remark names the other.
    const bool one_name = std::ranges::any_of(group.single, [](const auto* field) { return field->name == "dataset"; });
    if (!one_name || group.of_side[0].empty()) continue;
    for (const Rows& rows : group.of_side) {
      for (RecordRow* row : rows) row->dataset = group.of_side[0][0]->dataset;
    }
  }
  std::ranges::stable_sort(matched, {}, [](const MatchedRows& rows) {
    const auto first = std::ranges::find_if(rows, [](const RecordRow* row) { return row != nullptr; });
    return std::pair(first - rows.begin(), *first);
  });
  return matched;
}

}  // namespace elmx
