#include "tables/matched_rows.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "results/quantities.hpp"

namespace elmx {

bool may_be_same(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

const Dimension& field_of_sides(const std::string& name, const Dimensions& fields) {
  const Dimension& field = fields.find(name, "--by");
  if (field.kind == DimensionKind::of_trial || field.name == "dataset")
    throw ConfigError("--by " + name +
                      ": there are no pairs of trials across its values; use algorithm, case, nodes or a swept place");
  return field;
}

std::vector<ComparedSide> sides_by(const Condition& by, const std::vector<RecordRow>& rows, const Dimensions& fields) {
  const Dimension& field = field_of_sides(by.field, fields);
  std::map<std::string, std::vector<RecordRow>> rows_with;
  std::vector<const RecordRow*> all;
  for (const RecordRow& row : rows) {
    for (auto& [text, part] : parted(row, field)) rows_with[text].push_back(std::move(part));
    all.push_back(&row);
  }
  std::set<std::string> known;
  for (const auto& [text, some] : rows_with) known.insert(text);
  std::vector<std::string> names = by.meant(known, "--by");
  if (by.values.empty()) {
    for (const FieldValues& value : values_in(field, all)) names.push_back(text_of(value[0]));
  }
  if (names.size() < 2 || std::set<std::string>(names.begin(), names.end()).size() < names.size())
    throw ConfigError("--by " + by.field + (by.text.empty() ? "" : "=") + by.text +
                      ": expected two or more different values");
  std::vector<ComparedSide> sides;
  for (const std::string& text : names) sides.push_back({text, rows_with.at(text)});
  return sides;
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
    const std::string& test = step.record->samples.test;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const std::vector<RecordedStep>& steps = rows[i]->steps;
      while (at[i] < steps.size() && before(steps[at[i]], step)) ++at[i];
      everywhere = everywhere && at[i] < steps.size() && !before(step, steps[at[i]]) &&
                   may_be_same(test, steps[at[i]].record->samples.test);
    }
    if (!everywhere) continue;
    matched[0].push_back(&step);
    for (std::size_t i = 1; i < rows.size(); ++i) matched[i].push_back(&rows[i]->steps[at[i]]);
  }
  return matched;
}

MatchedSteps observations(const MatchedSteps& steps, const std::string& quantity) {
  if (is_time(quantity)) return steps;
  MatchedSteps distinct(steps.size());
  std::set<std::vector<std::size_t>> seen;
  for (std::size_t trial = 0; trial < steps[0].size(); ++trial) {
    std::vector<std::size_t> observation;
    for (const auto& of_row : steps) observation.push_back(of_row[trial]->observation);
    if (!seen.insert(std::move(observation)).second) continue;
    for (std::size_t i = 0; i < steps.size(); ++i) distinct[i].push_back(steps[i][trial]);
  }
  return distinct;
}

std::vector<std::vector<double>> matched_values(const MatchedSteps& all_steps, const std::string& quantity) {
  const MatchedSteps steps = observations(all_steps, quantity);
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
