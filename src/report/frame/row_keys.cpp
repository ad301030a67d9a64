#include "report/frame/row_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "models/trainer.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/quantities.hpp"

namespace elmx {
namespace {

/// Returns "2 of 5 trials: why; 1 of 5 trials: another reason".
std::string counted_notes(const RecordRow& row, const std::string& name) {
  std::map<std::string, std::set<const Record*>> noted;
  std::set<const Record*> trials;
  for (const RecordedStep& recorded : row.steps) {
    const auto note = recorded.step->notes.find(name);
    if (note != recorded.step->notes.end()) {
      const bool lacks_class = leaves_out_classes(*recorded.step, name);
      noted[lacks_class ? "a class has no sample there, so it is left out of the mean" : note->second].insert(
          recorded.record);
    }
    trials.insert(recorded.record);
  }
  std::vector<std::string> texts;
  for (const auto& [why, with] : noted)
    texts.push_back(fmt::format("{} of {}: {}", with.size(), counted(trials.size(), "trial"), why));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Returns the value that trials of `row` chose, or the most frequent ones with counts, "0.1 (7), 1 (3)".
Cell chosen_cell(const RecordRow& row, const Dimension& dimension) {
  constexpr std::size_t kMost = 3;
  const auto before = [](const Json& a, const Json& b) { return compare_values(a, b) < 0; };
  std::map<Json, std::size_t, decltype(before)> counts(before);
  for (const RecordedStep& step : row.steps) ++counts[dimension.value(row, step)];
  if (counts.empty()) return number_cell(nan);
  if (counts.size() == 1) return cell_of(counts.begin()->first);
  std::vector<std::pair<Json, std::size_t>> most(counts.begin(), counts.end());
  std::ranges::stable_sort(most, std::greater(), &std::pair<Json, std::size_t>::second);
  std::vector<std::string> texts;
  for (const auto& [value, count] : most) texts.push_back(fmt::format("{} ({})", plain_text(cell_of(value)), count));
  if (texts.size() > kMost) {
    texts.resize(kMost);
    texts.push_back("...");
  }
  return text_cell(fmt::format("{}", fmt::join(texts, ", ")));
}

Cell key_cell(const RecordRow& row, const Dimension& dimension) {
  if (std::ranges::count(row.over, dimension.key()) > 0) return chosen_cell(row, dimension);
  if (dimension.kind == DimensionKind::nodes && !row.nodes && row.steps.empty()) return number_cell(nan);
  return cell_of(key_of(row, dimension));
}

}  // namespace

void add_remark(Table& table, const std::string& text) {
  if (!text.empty() && std::ranges::count(table.remarks, text) == 0) table.remarks.push_back(text);
}

std::string both_notes(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : ". ") + b;
}

std::string choice_text(std::size_t chose, std::size_t trials) {
  if (chose == trials || trials == 0) return "";
  return fmt::format("{} of {} chose this; the numbers are of these alone", chose, counted(trials, "trial"));
}

std::string failure_text(const RecordRow& row) {
  const TrialCounts count = count_trials({&row});
  if (count.failed == 0) return "";
  std::map<std::string, std::set<const Record*>> failed;  // by reason
  for (const RecordTrial& trial : row.failures) failed[trial.status.why].insert(trial.record);
  std::vector<std::string> reasons;
  for (const auto& [why, records] : failed)
    reasons.push_back(why + (failed.size() > 1 ? ": " + std::to_string(records.size()) : ""));
  return fmt::format("{} of {} failed ({}){}", count.failed, counted(count.all, "trial"), fmt::join(reasons, ", "),
                     row.steps.empty() ? "" : "; the numbers are of the others");
}

std::string note_of(const RecordRow& row, const Quantity& quantity) {
  const std::string text =
      is_pooled(quantity.name) ? pooled_value(row, quantity.name).note : counted_notes(row, quantity.name);
  return text.empty() ? "" : quantity.heading + ": " + text;
}

std::string units_text(const RecordRow& row) {
  if (row.units.empty()) return "";
  const std::string& of = row.experiment_case.empty() ? row.dataset : row.experiment_case;
  return "Errors of " + of + " are in the units of its " + row.units + " targets.";
}

std::string trial_notes(const RecordRow& row, const std::string& choice) {
  std::string notes = both_notes(choice, failure_text(row));
  for (const char* doubt : {kWeights, kGraph, kRidge}) notes = both_notes(notes, counted_notes(row, doubt));
  return notes;
}

std::size_t count_doubtful(const std::vector<Record>& records) {
  return static_cast<std::size_t>(std::ranges::count_if(records, [](const Record& record) {
    return std::ranges::any_of(record.steps, [](const StepRecord& step) { return step.notes.contains(kWeights); });
  }));
}

Column key_column(const Dimension& dimension) {
  using enum DimensionKind;
  const bool names = dimension.kind != swept && dimension.kind != nodes && dimension.kind != parameter;
  return {dimension.name, dimension.name, names ? Worth::name : Worth::setting};
}

RowKeys::RowKeys(const std::vector<RecordRow>& rows) {
  using enum DimensionKind;
  const Dimensions dimensions(rows);
  for (const Dimension& dimension : dimensions.all()) {
    const bool may_lack = dimension.kind == chosen || dimension.kind == iterations || dimension.name == "case";
    const auto has = [&](const RecordRow& row) { return !key_of(row, dimension).is_null(); };
    if (dimension.kind != of_trial && (!may_lack || std::ranges::any_of(rows, has))) shown_.push_back(dimension);
  }
  for (const Dimension& dimension : shown_) columns_.push_back(key_column(dimension));
  name_rows(rows);
}

void RowKeys::name_rows(const std::vector<RecordRow>& rows) {
  std::vector<std::string> names(rows.size());
  const auto distinct = [](const std::vector<std::string>& all) { return std::set(all.begin(), all.end()).size(); };
  const auto longer = [&](std::size_t j) {
    std::vector<std::string> all = names;
    for (std::size_t i = 0; i < rows.size(); ++i) all[i] += key_of(rows[i], shown_[j]).dump() + '\n';
    return all;
  };
  for (std::size_t j = 0; j < shown_.size(); ++j) {
    if (columns_[j].worth == Worth::name) names = longer(j);
  }
  for (std::size_t j = 0; j < shown_.size(); ++j) {
    if (columns_[j].worth == Worth::name) continue;
    std::vector<std::string> all = longer(j);
    if (distinct(all) == distinct(names)) continue;
    columns_[j].worth = Worth::name;
    names = std::move(all);
  }
}

std::vector<Cell> RowKeys::cells(const RecordRow& row) const {
  std::vector<Cell> cells;
  for (const Dimension& dimension : shown_) cells.push_back(key_cell(row, dimension));
  return cells;
}

std::vector<Cell> RowKeys::cells(const RecordRow& row, Table& table) const {
  std::vector<Cell> all = cells(row);
  const auto algorithm = std::ranges::find(shown_, "algorithm", &Dimension::name) - shown_.begin();
  all[static_cast<std::size_t>(algorithm)].note =
      footnote(table, trial_notes(row, choice_text(row.trials(), row.chose_this)));
  if (row.chosen == kBestOnTest) add_remark(table, kOptimistic);
  if (!row.over.empty() && row.chosen != kBestOnTest) {
    add_remark(table, row.chosen +
                          ": each trial took the point that is best on its own training part; the numbers in "
                          "brackets say how many trials took which; times are of that point alone.");
  }
  return all;
}

std::vector<std::string> RowKeys::texts(const RecordRow& row, const std::function<bool(const Column&)>& wanted) const {
  std::vector<std::string> texts;
  for (std::size_t j = 0; j < shown_.size(); ++j) {
    const std::string value = plain_text(key_cell(row, shown_[j]));
    if (!wanted(columns_[j]) || value == "-" || value == "NA") continue;
    const bool is_name = shown_[j].kind == DimensionKind::named || shown_[j].kind == DimensionKind::chosen;
    texts.push_back(is_name ? value : shown_[j].name + " " + value);
  }
  return texts;
}

}  // namespace elmx
