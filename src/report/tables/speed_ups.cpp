#include "report/tables/speed_ups.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "models/registry/registry.hpp"
#include "models/trainer.hpp"
#include "report/frame/row_keys.hpp"

namespace elmx {

std::map<std::string, std::string> reference_algorithms(const std::vector<RecordRow>& rows, const std::string& chosen,
                                                        const std::map<std::string, std::string>& baselines) {
  std::map<std::string, std::vector<std::string>> algorithms;  // by case
  for (const RecordRow& row : rows) add_missing(algorithms[row.experiment_case], {row.algorithm});
  std::map<std::string, std::string> references;
  for (const auto& [name, names] : algorithms) {
    const auto baseline = baselines.find(name);
    std::string& reference = references[name];
    if (names.size() < 2) continue;
    for (const std::string& wanted : {chosen, baseline == baselines.end() ? "" : baseline->second,
                                      std::string("existing"), std::string("orig"), names.front()}) {
      if (reference.empty() && std::ranges::count(names, wanted) > 0) reference = wanted;
    }
  }
  return references;
}

namespace {

Json group_of(const RecordRow& row, const std::string& algorithm) {
  return {row.experiment_case, row.dataset, algorithm};
}

Json block_of(const RecordRow& row, const std::string& algorithm) {
  return {row.experiment_case,
          row.dataset,
          algorithm,
          Json(row.point),
          row.nodes ? Json(*row.nodes) : Json(),
          in_steps(row.parameters) ? Json(row.parameters) : Json()};
}

/// Returns what one step of the algorithm of a row does, from its first trial; "" = unknown.
std::string_view step_of(const RecordRow& row) {
  const std::vector<RecordTrial> trials = trials_of(row);
  for (const AlgorithmInfo& info : algorithms()) {
    if (!trials.empty() && info.family == trials[0].record->family && info.name == row.algorithm) return info.step;
  }
  return "";
}

/// Returns true if the times of two trials are comparable: as far as is known, both were measured on one
/// machine with the same kernel and number of threads of the BLAS library. A trial that was continued
/// elsewhere is not comparable with any other.
bool measured_alike(const Record& a, const Record& b) {
  const auto moved = [](const Record& record) { return record.machine.find(';') != std::string::npos; };
  return &a == &b || (may_be_same(a.machine, b.machine) && !moved(a) && !moved(b));
}

}  // namespace

std::vector<double> times_of(const RecordedStep& recorded, const std::string& time) {
  if (time == "step_seconds" && !recorded.step->step.rounds.empty()) return recorded.step->step.rounds;
  const auto value = value_of(recorded, time);
  return value ? std::vector{*value} : std::vector<double>();
}

std::vector<TimesOfTrial> times_of_trials(const MatchedSteps& pairs, const std::string& time) {
  std::vector<TimesOfTrial> trials;
  for (const MatchedTrial& pair : pairs) {
    if (measured_alike(*pair[0]->record, *pair[1]->record))
      trials.push_back({times_of(*pair[0], time), times_of(*pair[1], time)});
  }
  return trials;
}

std::size_t times_apart(const MatchedSteps& pairs) {
  return pairs.size() - times_of_trials(pairs, "total_seconds").size();
}

std::string times_apart_text(std::size_t trials) {
  return counted(trials, "trial") +
         " left out: the two times were measured on different machines, or with other kernels or numbers of threads";
}

std::string times_apart_remark(std::size_t trials) {
  return trials == 0 ? "" : "Speed-ups: " + times_apart_text(trials) + ".";
}

std::string time_of_speed_up(const std::string& quantity) {
  return quantity.substr(0, quantity.find('_')) + "_seconds";
}

std::string prefix_of(const std::string& time) { return time.substr(0, time.find('_')); }

std::string unlike_steps(const RecordRow& a, const RecordRow& b) {
  const std::string_view of_a = step_of(a), of_b = step_of(b);
  if (of_a.empty() || of_b.empty() || of_a == of_b) return "";
  return fmt::format("no step speed-up: one step of {} {}, one step of {} {}; compare the total times", a.algorithm,
                     of_a, b.algorithm, of_b);
}

SpeedUps::SpeedUps(const std::vector<RecordRow>& all, std::map<std::string, std::string> references)
    : references_(std::move(references)) {
  for (const RecordRow& row : all) {
    blocks_[block_of(row, row.algorithm)].push_back(&row);
    algorithms_[group_of(row, row.algorithm)].push_back(&row);
  }
}

const RecordRow* SpeedUps::counterpart(const RecordRow& row, const std::string& algorithm) const {
  const auto block = blocks_.find(block_of(row, algorithm));
  if (block == blocks_.end()) return nullptr;
  return *std::ranges::max_element(block->second, {}, [&](const RecordRow* other) {
    return std::pair(other->iterations, other->chosen == row.chosen);
  });
}

MatchedSteps SpeedUps::equal_networks(const RecordRow& row, const std::string& reference) const {
  if (row.over.empty()) return matched_steps({counterpart(row, reference), &row});
  using Network = std::tuple<std::size_t, std::size_t, std::size_t, std::map<std::string, Json>>;
  const auto network = [](const RecordedStep& one) {
    return Network(one.repeat, one.fold, one.step->nodes, one.record->point);
  };
  std::map<Network, const RecordedStep*> of_reference;
  if (const auto group = algorithms_.find(group_of(row, reference)); group != algorithms_.end()) {
    for (const RecordRow* other : group->second) {
      if (!other->over.empty()) continue;
      for (const RecordedStep& one : other->steps) of_reference.emplace(network(one), &one);
    }
  }
  MatchedSteps pairs;
  for (const RecordedStep& one : row.steps) {
    const auto found = of_reference.find(network(one));
    if (found != of_reference.end()) pairs.push_back({found->second, &one});
  }
  return pairs;
}

SpeedUp SpeedUps::of(const RecordRow& row, const std::string& time) const {
  const std::string& reference = references_.at(row.experiment_case);
  const auto group = algorithms_.find(group_of(row, reference));
  if (time == "step_seconds" && group != algorithms_.end()) {
    if (const std::string why = unlike_steps(*group->second.front(), row); !why.empty()) return {time_ratio({}), why};
  }
  SpeedUp found;
  found.pairs = equal_networks(row, reference);
  found.ratio = time_ratio(times_of_trials(found.pairs, time));
  if (row.algorithm == reference) found.ratio.interval.reset();
  if (!row.over.empty() && row.algorithm != reference && found.pairs.empty())
    found.missing = "no speed-up: " + reference + " did not train the networks that were chosen here";
  return found;
}

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
  const RowKeys keys(rows);
  std::set<std::string> references;
  for (const auto& [name, reference] : speed_ups.references()) {
    if (!reference.empty()) references.insert(reference);
  }
  std::vector<std::string> compared;
  if (!references.empty()) compared = {"step_seconds", "total_seconds"};
  Table table{"time", "Training time", keys.columns()};
  std::vector<Column> seconds = {{"step_seconds", "step (s)", Worth::detail},
                                 {"total_seconds", "total (s)", Worth::result},
                                 {"test_seconds", "testing (s)", Worth::rest}};
  if (std::ranges::none_of(rows, [](const RecordRow& row) { return summary_of(row, "test_seconds").n > 0; }))
    seconds.pop_back();
  table.columns.insert(table.columns.end(), seconds.begin(), seconds.end());
  const std::string over = references.size() == 1 ? " over " + *references.begin() : "";
  for (const std::string& time : compared) {
    const std::string name = prefix_of(time) + "_speedup";
    table.columns.push_back({name, prefix_of(time) + " speed-up" + over, Worth::result});
    table.columns.push_back({name + "_low", "95 % from", Worth::rest});
    table.columns.push_back({name + "_high", "to", Worth::rest});
  }
  bool once = false;
  std::size_t apart = 0;
  for (const RecordRow& row : rows) {
    std::vector<Cell> cells = keys.cells(row, table);
    for (const Column& column : seconds) cells.push_back(summary_cell(row, column.name, significant(3)));
    for (const std::string& time : compared) {
      const SpeedUp found = speed_ups.of(row, time);
      const auto& interval = found.ratio.interval;
      cells.push_back(number_cell(found.ratio.value, significant(3)));
      cells.back().note = footnote(table, found.missing);
      append_interval(cells, interval, significant(3));
      if (time == "total_seconds") apart += times_apart(found.pairs);
      const bool is_reference = row.algorithm == speed_ups.references().at(row.experiment_case);
      if (!std::isfinite(found.ratio.value) || is_reference) continue;
      once = once || !interval;
    }
    table.rows.push_back(std::move(cells));
  }
  if (once)
    add_remark(
        table,
        "No interval where a speed-up was measured once: several folds, repeats or timing.repetitions give one.");
  add_remark(table, times_apart_remark(apart));
  add_remark(table, timing_noise(rows));
  for (const auto& [name, reference] : speed_ups.references()) {
    if (references.size() > 1 && !reference.empty()) table.remarks.push_back(name + ": speed-up over " + reference);
  }
  return table;
}

}  // namespace elmx
