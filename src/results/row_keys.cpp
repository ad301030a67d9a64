#include "results/row_keys.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/printable.hpp"
#include "results/natural_order.hpp"
#include "results/notes.hpp"

namespace elmx {

void add_remark(Table& table, const std::string& text) {
  if (text.empty()) return;
  if (std::find(table.remarks.begin(), table.remarks.end(), text) == table.remarks.end()) table.remarks.push_back(text);
}

namespace {

/// What the trials of `row` have: the value, or the most frequent ones with their counts, "0.1 (7), 1 (3)".
Cell chosen_cell(const RecordRow& row, const Dimension& dimension) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<Json, std::size_t>> counts;
  for (const RecordedStep& step : row.steps) {
    const Json value = dimension.value(row_of(*step.record, step.step->nodes), {});
    const auto found = std::ranges::find(counts, value, &std::pair<Json, std::size_t>::first);
    if (found == counts.end())
      counts.emplace_back(value, 1);
    else
      ++found->second;
  }
  if (counts.empty()) return number_cell(std::numeric_limits<double>::quiet_NaN());
  if (counts.size() == 1) return cell_of(counts[0].first);
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : compare_values(a.first, b.first) < 0;
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, counts.size()); ++i) {
    text += (i > 0 ? ", " : "") + plain_text(cell_of(counts[i].first)) + " (" + std::to_string(counts[i].second) + ")";
  }
  return text_cell(counts.size() > kMost ? text + ", ..." : text);
}

/// A point of a grid is no choice.
Json key_of(const RecordRow& row, const Dimension& dimension) {
  return dimension.kind == DimensionKind::chosen && row.chosen.empty() ? Json() : dimension.value(row, {});
}

Cell key_cell(const RecordRow& row, const Dimension& dimension) {
  if (std::ranges::count(row.over, dimension.key()) > 0) return chosen_cell(row, dimension);
  if (dimension.kind == DimensionKind::nodes && !row.nodes && row.steps.empty())
    return number_cell(std::numeric_limits<double>::quiet_NaN());
  return cell_of(key_of(row, dimension));
}

}  // namespace

std::string choice_text(std::size_t chose, std::size_t trials) {
  if (chose == trials || trials == 0) return "";
  return fmt::format("{} of {} chose this; the numbers are of these alone", chose, counted(trials, "trial"));
}

std::string failure_text(const RecordRow& row) {
  const TrialCounts count = count_trials({&row});
  std::string text = std::to_string(count.failed) + " of " + counted(count.all, "trial") + " failed (";
  bool first = true;
  for (const auto& [why, trials] : row.failures) {
    const std::set<const Record*> each(trials.begin(), trials.end());
    text += (first ? "" : ", ") + why + (row.failures.size() > 1 ? ": " + std::to_string(each.size()) : "");
    first = false;
  }
  text += ")";
  return row.steps.empty() ? text : text + "; the numbers are of the others";
}

Column key_column(const Dimension& dimension) {
  using enum DimensionKind;
  const bool names = dimension.kind != swept && dimension.kind != nodes && dimension.kind != parameter;
  return {dimension.name, dimension.name, names ? Worth::name : Worth::setting};
}

RowKeys::RowKeys(const std::vector<RecordRow>& rows) {
  const Dimensions dimensions(rows);
  for (const Dimension& dimension : dimensions.all()) {
    using enum DimensionKind;
    if (dimension.kind == of_trial) continue;
    const bool may_lack = dimension.kind == chosen || dimension.kind == iterations || dimension.name == "case";
    const auto has = [&](const RecordRow& row) { return !key_of(row, dimension).is_null(); };
    if (!may_lack || std::ranges::any_of(rows, has)) shown_.push_back(dimension);
  }
}

std::vector<Column> RowKeys::columns() const {
  std::vector<Column> columns;
  for (const Dimension& dimension : shown_) columns.push_back(key_column(dimension));
  return columns;
}

std::vector<Cell> RowKeys::cells(const RecordRow& row) const {
  std::vector<Cell> cells;
  for (const Dimension& dimension : shown_) cells.push_back(key_cell(row, dimension));
  return cells;
}

std::vector<Cell> RowKeys::cells(const RecordRow& row, Table& table) const {
  std::vector<Cell> all = cells(row);
  const std::string note = both_notes(
      both_notes(choice_text(row.trials(), row.chose_this), row.failed() > 0 ? failure_text(row) : ""), doubt_of(row));
  const auto algorithm = std::ranges::find(shown_, "algorithm", &Dimension::name) - shown_.begin();
  if (!note.empty()) all[static_cast<std::size_t>(algorithm)].note = footnote(table, note);
  if (row.chosen == kBestOnTest) add_remark(table, kOptimistic);
  if (!row.over.empty() && row.chosen != kBestOnTest) {
    add_remark(table, row.chosen +
                          ": each trial took the point that is best on its own training part; the numbers in "
                          "brackets say how many trials took which; times are of that point alone.");
  }
  return all;
}

}  // namespace elmx
