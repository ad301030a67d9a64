#include "tables/time_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/nan.hpp"
#include "base/printable.hpp"
#include "results/row_keys.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {

std::string unrest(const std::vector<RecordRow>& rows) {
  std::size_t with_outliers = 0, slow = 0;
  for (const RecordRow& row : rows) {
    if (!row.chosen.empty() && row.chosen != kBestOnTest) continue;  // a copy of a grid point
    std::vector<double> steps, totals;
    for (const RecordedStep& step : row.steps) {
      for (const double seconds : times_of(step, "step_seconds")) steps.push_back(seconds);
      for (const double seconds : times_of(step, "total_seconds")) totals.push_back(seconds);
    }
    with_outliers += count_outliers(steps) + count_outliers(totals) > 0;
    slow += slow_at_first(totals);
  }
  if (with_outliers + slow == 0) return "";
  return "The machine was not quiet. Rows with outliers among their times: " + std::to_string(with_outliers) + " of " +
         std::to_string(rows.size()) +
         ". Rows whose first trial took more than twice as long as any other: " + std::to_string(slow) +
         ". Run again beside fewer programs.";
}

namespace {

constexpr std::array kTimes{"step_seconds", "total_seconds"};

/// The columns of one speed-up and its 95 % interval.
std::vector<Column> speed_up_columns(const std::string& time, const std::string& over) {
  const std::string name = prefix_of(time) + "_speedup";
  return {{name, prefix_of(time) + " speed-up" + over, Worth::result},
          {name + "_low", "95 % from", Worth::rest},
          {name + "_high", "to", Worth::rest}};
}

/// The cells of speed-ups, with what is to be said of them below the table.
class SpeedUpCells {
 public:
  explicit SpeedUpCells(const SpeedUps& speed_ups) : speed_ups_(speed_ups) {}

  void append(const RecordRow& row, const std::string& time, std::vector<Cell>& cells, Table& table) {
    const SpeedUp found = speed_ups_.of(row, time);
    const bool of_reference = row.algorithm == speed_ups_.references().at(row.experiment_case);
    const auto& [value, interval] = std::pair(found.ratio.value, found.ratio.interval);
    cells.push_back(number_cell(value, significant(3)));
    if (!found.missing.empty()) cells.back().note = footnote(table, found.missing);
    cells.push_back(number_cell(interval ? interval->low : nan, significant(3)));
    cells.push_back(number_cell(interval ? interval->high : nan, significant(3)));
    if (time == "total_seconds") apart_ += times_apart(found.pairs);
    once_ = once_ || (std::isfinite(value) && !interval && !of_reference);
    chosen_ = chosen_ || (std::isfinite(value) && !row.over.empty() && !of_reference);
  }

  void add_remarks(Table& table) const {
    if (once_)
      add_remark(table,
                 "No interval where a speed-up was measured once: several folds, repeats or timing.repetitions give "
                 "one.");
    if (chosen_)
      add_remark(table,
                 "The speed-up of a chosen network is over the same network (size and parameters) trained by the "
                 "other algorithm.");
    if (apart_ > 0) add_remark(table, "Speed-ups: " + times_apart_text(apart_) + ".");
  }

 private:
  const SpeedUps& speed_ups_;
  bool once_ = false, chosen_ = false;
  std::size_t apart_ = 0;
};

}  // namespace

Table time_table(const std::vector<RecordRow>& rows, const SpeedUps& speed_ups) {
  const std::map<std::string, std::string>& references = speed_ups.references();
  const RowKeys keys(rows);
  std::set<std::string> distinct;
  for (const auto& [name, reference] : references) {
    if (!reference.empty()) distinct.insert(reference);
  }
  Table table{"time", "Training time", keys.columns(), {}, {}, {}};
  const bool tested =
      std::any_of(rows.begin(), rows.end(), [](const RecordRow& row) { return summary_of(row, "test_seconds").n > 0; });
  table.columns.insert(table.columns.end(),
                       {{"step_seconds", "step (s)", Worth::detail}, {"total_seconds", "total (s)", Worth::result}});
  if (tested) table.columns.push_back({"test_seconds", "testing (s)", Worth::rest});
  const bool compared = !distinct.empty();
  const std::string over = distinct.size() == 1 ? " over " + *distinct.begin() : "";
  for (const char* time : kTimes) {
    if (!compared) continue;
    for (const Column& column : speed_up_columns(time, over)) table.columns.push_back(column);
  }
  SpeedUpCells speed_up_cells(speed_ups);
  for (const RecordRow& row : rows) {
    std::vector<Cell> cells = keys.cells(row, table);
    const Summary step = summary_of(row, "step_seconds");
    const Summary total = summary_of(row, "total_seconds");
    cells.push_back(spread_cell(step.mean, step.sd, significant(3)));
    cells.push_back(spread_cell(total.mean, total.sd, significant(3)));
    const Summary test = summary_of(row, "test_seconds");
    if (tested) cells.push_back(spread_cell(test.mean, test.sd, significant(3)));
    for (const char* time : kTimes) {
      if (compared) speed_up_cells.append(row, time, cells, table);
    }
    table.rows.push_back(std::move(cells));
  }
  speed_up_cells.add_remarks(table);
  add_remark(table, unrest(rows));
  if (distinct.size() > 1) {
    for (const auto& [name, reference] : references) {
      if (!reference.empty()) table.remarks.push_back(name + ": speed-up over " + reference);
    }
  }
  return table;
}

}  // namespace elmx
