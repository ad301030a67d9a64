#include "report/tables/time_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/numbers.hpp"
#include "report/frame/row_keys.hpp"

namespace elmx {

std::string timing_noise(const std::vector<RecordRow>& rows) {
  std::size_t with_outliers = 0, slow = 0;
  for (const RecordRow& row : rows) {
    if (!row.chosen.empty() && row.chosen != kBestOnTest) continue;  // a copy of a grid point
    const auto all = [&](const std::string& time) {
      std::vector<double> times;
      for (const RecordedStep& step : row.steps) std::ranges::copy(times_of(step, time), std::back_inserter(times));
      return times;
    };
    const std::vector<double> steps = all("step_seconds"), totals = all("total_seconds");
    with_outliers += count_outliers(steps) + count_outliers(totals) > 0;
    slow += slow_at_first(totals);
  }
  if (with_outliers + slow == 0) return "";
  return fmt::format(
      "The times are noisy. Rows with outliers among their times: {} of {}. Rows whose first trial took more than "
      "twice as long as any other: {}. Run again with fewer other programs.",
      with_outliers, rows.size(), slow);
}

Table time_table(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups) {
  constexpr std::array kTimes{"step_seconds", "total_seconds"};
  const RowKeys keys(rows);
  std::set<std::string> references;
  for (const auto& [name, reference] : speed_ups.references()) {
    if (!reference.empty()) references.insert(reference);
  }
  Table table{"time", "Training time", keys.columns(), {}, {}, {}};
  std::vector<Column> seconds = {{"step_seconds", "step (s)", Worth::detail},
                                 {"total_seconds", "total (s)", Worth::result},
                                 {"test_seconds", "testing (s)", Worth::rest}};
  if (std::ranges::none_of(rows, [](const RecordRow& row) { return summary_of(row, "test_seconds").n > 0; }))
    seconds.pop_back();
  table.columns.insert(table.columns.end(), seconds.begin(), seconds.end());
  const std::string over = references.size() == 1 ? " over " + *references.begin() : "";
  for (const std::string time : kTimes) {
    if (references.empty()) continue;
    const std::string name = prefix_of(time) + "_speedup";
    table.columns.push_back({name, prefix_of(time) + " speed-up" + over, Worth::result});
    table.columns.push_back({name + "_low", "95 % from", Worth::rest});
    table.columns.push_back({name + "_high", "to", Worth::rest});
  }
  bool once = false, chosen = false;
  std::size_t apart = 0;
  for (const RecordRow& row : rows) {
    std::vector<Cell> cells = keys.cells(row, table);
    for (const Column& column : seconds) {
      const Summary summary = summary_of(row, column.name);
      cells.push_back(spread_cell(summary.mean, summary.sd, significant(3)));
    }
    for (const std::string time : kTimes) {
      if (references.empty()) continue;
      const SpeedUp found = speed_ups.of(row, time);
      const auto& interval = found.ratio.interval;
      cells.push_back(number_cell(found.ratio.value, significant(3)));
      cells.back().note = footnote(table, found.missing);
      cells.push_back(number_cell(interval ? interval->low : nan, significant(3)));
      cells.push_back(number_cell(interval ? interval->high : nan, significant(3)));
      if (time == "total_seconds") apart += times_apart(found.pairs);
      const bool is_reference = row.algorithm == speed_ups.references().at(row.experiment_case);
      if (!std::isfinite(found.ratio.value) || is_reference) continue;
      once = once || !interval;
      chosen = chosen || !row.over.empty();
    }
    table.rows.push_back(std::move(cells));
  }
  if (once)
    add_remark(
        table,
        "No interval where a speed-up was measured once: several folds, repeats or timing.repetitions give one.");
  if (chosen)
    add_remark(table,
               "The speed-up of a chosen network is over the same network (size and parameters) trained by the other "
               "algorithm.");
  add_remark(table, times_apart_remark(apart));
  add_remark(table, timing_noise(rows));
  for (const auto& [name, reference] : speed_ups.references()) {
    if (references.size() > 1 && !reference.empty()) table.remarks.push_back(name + ": speed-up over " + reference);
  }
  return table;
}

}  // namespace elmx
