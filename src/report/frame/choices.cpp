#include "report/frame/choices.hpp"

#include <cmath>

#include "base/numbers.hpp"
#include "metrics/registry.hpp"

namespace elmx {

std::vector<Choice> choices_of(const std::vector<RecordRow>& rows, const Selections& select) {
  std::vector<Choice> choices;
  for (const RecordRow& row : rows) {
    const auto rule = select.find(row.experiment_case);
    if (rule == select.end() || !rule->second.wanted() || row.chosen == kBestOnTest || row.one_of_grid) continue;
    const std::string& by = rule->second.by;
    for (const RecordedStep& step : row.steps) choices.push_back({step, by, value_of(step, by).value_or(nan)});
  }
  return choices;
}

bool is_better(const Choice& a, const Choice& b) {
  if (a.by != b.by) return false;
  if (std::isnan(a.value) || std::isnan(b.value)) return std::isnan(b.value) && !std::isnan(a.value);
  if (a.value == b.value) return a.taken.step->nodes < b.taken.step->nodes;
  return metric_named(a.by).better == Better::higher ? a.value > b.value : a.value < b.value;
}

std::vector<Choice> nested_choices(const std::vector<Choice>& choices) {
  std::map<std::pair<std::size_t, std::size_t>, const Choice*> best;
  for (const Choice& choice : choices) {
    const auto [of_fold, is_new] = best.try_emplace({choice.taken.repeat, choice.taken.fold}, &choice);
    if (!is_new && is_better(choice, *of_fold->second)) of_fold->second = &choice;
  }
  std::vector<Choice> nested;
  for (const auto& [fold, choice] : best) nested.push_back(*choice);
  return nested;
}

}  // namespace elmx
