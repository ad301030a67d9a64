#include "tables/time_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/nan.hpp"
#include "base/printable.hpp"
#include "results/row_keys.hpp"
#include "tables/matched_rows.hpp"

namespace elmx {

std::map<std::string, std::string> reference_algorithms(const std::vector<RecordRow>& rows, const std::string& told,
                                                        const std::map<std::string, std::string>& baselines) {
  std::map<std::string, std::vector<std::string>> algorithms;  // of each case
  for (const RecordRow& row : rows) add_missing(algorithms[row.experiment_case], {row.algorithm});
  std::map<std::string, std::string> references;
  for (const auto& [name, names] : algorithms) {
    const auto baseline = baselines.find(name);
    std::string& reference = references[name];
    if (names.size() < 2) continue;
    for (const std::string& wanted : {told, baseline == baselines.end() ? "" : baseline->second,
                                      std::string("existing"), std::string("orig"), names.front()}) {
      if (reference.empty() && std::ranges::count(names, wanted) > 0) reference = wanted;
    }
  }
  return references;
}

const RecordRow* counterpart(const std::vector<RecordRow>& rows, const RecordRow& row, const std::string& algorithm) {
  const RecordRow* found = nullptr;
  const auto merit = [&](const RecordRow& other) { return std::pair(other.iterations, other.chosen == row.chosen); };
  for (const RecordRow& other : rows) {
    if (other.algorithm != algorithm || !same_block(other, row)) continue;
    if (found == nullptr || merit(other) > merit(*found)) found = &other;
  }
  return found;
}

std::vector<double> times_of(const RecordedStep& recorded, const std::string& time) {
  if (time == "step_seconds" && !recorded.step->step.rounds.empty()) return recorded.step->step.rounds;
  const auto value = value_of(recorded, time);
  return value ? std::vector{*value} : std::vector<double>();
}

bool measured_alike(const Record& a, const Record& b) {
  const auto moved = [](const Record& record) { return record.machine.find(';') != std::string::npos; };
  return &a == &b || (may_be_same(a.machine, b.machine) && !moved(a) && !moved(b));
}

std::vector<TimesOfTrial> times_of_trials(const RecordRow* a, const RecordRow* b, const std::string& time) {
  const MatchedSteps steps = matched_steps({a, b});
  std::vector<TimesOfTrial> trials;
  for (std::size_t i = 0; i < steps[0].size(); ++i) {
    if (measured_alike(*steps[0][i]->record, *steps[1][i]->record))
      trials.push_back({times_of(*steps[0][i], time), times_of(*steps[1][i], time)});
  }
  return trials;
}

std::size_t times_apart(const RecordRow* a, const RecordRow* b) {
  const MatchedSteps steps = matched_steps({a, b});
  std::size_t apart = 0;
  for (std::size_t i = 0; i < steps[0].size(); ++i) {
    apart += !measured_alike(*steps[0][i]->record, *steps[1][i]->record);
  }
  return apart;
}

std::string times_apart_text(std::size_t trials) {
  return counted(trials, "trial") +
         " left out: the two times were measured on different machines, or with other kernels or numbers of threads";
}

Ratio speed_up(const std::vector<RecordRow>& rows, const RecordRow& row, const std::string& reference,
               const std::string& time) {
  const RecordRow* other = counterpart(rows, row, reference);
  Ratio ratio = time_ratio(times_of_trials(other, &row, time));
  if (other == &row) ratio.interval.reset();
  return ratio;
}

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

Table time_table(const std::vector<RecordRow>& rows, const std::map<std::string, std::string>& references) {
  const RowKeys keys(rows);
  std::set<std::string> distinct;
  for (const auto& [name, reference] : references) {
    if (!reference.empty()) distinct.insert(reference);
  }
  const std::string heading = distinct.size() == 1 ? "step speed-up over " + *distinct.begin() : "step speed-up";
  Table table{"time", "Training time", keys.columns(), {}, {}, {}};
  const bool tested =
      std::any_of(rows.begin(), rows.end(), [](const RecordRow& row) { return summary_of(row, "test_seconds").n > 0; });
  table.columns.insert(table.columns.end(),
                       {{"step_seconds", "step (s)", Worth::detail}, {"total_seconds", "total (s)", Worth::result}});
  if (tested) table.columns.push_back({"test_seconds", "testing (s)", Worth::rest});
  const bool compared = !distinct.empty();
  if (compared) {
    table.columns.insert(table.columns.end(), {{"step_speedup", heading, Worth::result},
                                               {"step_speedup_low", "95 % from", Worth::rest},
                                               {"step_speedup_high", "to", Worth::rest}});
  }
  bool once = false;
  std::size_t apart = 0;
  for (const RecordRow& row : rows) {
    std::vector<Cell> cells = keys.cells(row, table);
    const Summary step = summary_of(row, "step_seconds");
    const Summary total = summary_of(row, "total_seconds");
    cells.push_back(spread_cell(step.mean, step.sd, significant(3)));
    cells.push_back(spread_cell(total.mean, total.sd, significant(3)));
    const Summary test = summary_of(row, "test_seconds");
    if (tested) cells.push_back(spread_cell(test.mean, test.sd, significant(3)));
    if (compared) {
      const std::string& reference = references.at(row.experiment_case);
      const Ratio speedup = speed_up(rows, row, reference, "step_seconds");
      cells.push_back(number_cell(speedup.value, significant(3)));
      cells.push_back(number_cell(speedup.interval ? speedup.interval->low : nan, significant(3)));
      cells.push_back(number_cell(speedup.interval ? speedup.interval->high : nan, significant(3)));
      apart += times_apart(counterpart(rows, row, reference), &row);
      once = once || (std::isfinite(speedup.value) && !speedup.interval && row.algorithm != reference);
    }
    table.rows.push_back(std::move(cells));
  }
  if (once) {
    table.remarks.push_back(
        "No interval where a speed-up was measured once: several folds, repeats or timing.repetitions give one.");
  }
  if (apart > 0) table.remarks.push_back("Speed-ups: " + times_apart_text(apart) + ".");
  if (const std::string noise = unrest(rows); !noise.empty()) table.remarks.push_back(noise);
  if (distinct.size() > 1) {
    for (const auto& [name, reference] : references) {
      if (!reference.empty()) table.remarks.push_back(name + ": speed-up over " + reference);
    }
  }
  return table;
}

}  // namespace elmx
