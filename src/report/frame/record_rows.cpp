#include "report/frame/record_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "metrics/registry.hpp"
#include "models/registry/registry.hpp"
#include "models/trainer.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/selection.hpp"

namespace elmx {
namespace {

int compare_points(const std::map<std::string, Json>& a, const std::map<std::string, Json>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end(); ++i, ++j) {
    if (const int order = i->first.compare(j->first); order != 0) return order;
    if (const int order = compare_values(i->second, j->second); order != 0) return order;
  }
  return a.size() == b.size() ? 0 : (a.size() < b.size() ? -1 : 1);
}

/// Orders the blocks of rows that differ only in nodes, algorithm and iterations.
int compare_blocks(const RecordOrder& order, const Record& a, const Record& b) {
  for (const int by : {compare_listed(order.cases, a.experiment_case, b.experiment_case),
                       compare_naturally(a.dataset, b.dataset), (a.family == kImported) - (b.family == kImported)}) {
    if (by != 0) return by;
  }
  return compare_points(a.point, b.point);
}

/// Sorts by case, dataset, sweep point, algorithm, repeat and fold, for any order of the records.
std::vector<const Record*> sorted_records(const std::vector<Record>& records, const RecordOrder& order) {
  std::vector<const Record*> pointers;
  for (const Record& record : records) pointers.push_back(&record);
  std::sort(pointers.begin(), pointers.end(), [&](const Record* a, const Record* b) {
    if (const int block = compare_blocks(order, *a, *b); block != 0) return block < 0;
    const int algorithm = compare_listed(order.algorithms, a->algorithm, b->algorithm);
    if (algorithm != 0) return algorithm < 0;
    return std::tie(a->repeat, a->fold, a->key) < std::tie(b->repeat, b->fold, b->key);
  });
  return pointers;
}

using Records = std::span<const Record* const>;
using Sizes = std::set<std::optional<std::size_t>>;

/// Returns the key of the row of a step of one algorithm in one block. Parameters that each trial chose for
/// itself do not tell rows apart.
auto key_of_row(const StepRecord& step) {
  return std::tuple(step.nodes, step.iterations, step.chosen,
                    step.chosen.empty() ? step.parameters : std::map<std::string, double>());
}

std::optional<std::size_t> size_of(const Record& record, const StepRecord& step) {
  return record.family == kImported ? std::nullopt : std::optional(step.nodes);
}

/// Adds rows at the sizes that no trial of the algorithm has reached, copied from its rows at other sizes.
void add_unreached(const Record& of, const Sizes& sizes, std::vector<RecordRow>& rows) {
  Sizes reached;
  std::set<std::tuple<std::size_t, std::string, std::map<std::string, double>>> kinds;
  std::vector<RecordRow> anywhere;
  for (const RecordRow& row : rows) {
    reached.insert(row.nodes);
    if (kinds.emplace(row.iterations, row.chosen, row.parameters).second) anywhere.push_back(row);
  }
  if (anywhere.empty()) anywhere.push_back(row_of(of, std::nullopt));
  for (const auto& nodes : sizes) {
    for (const RecordRow& row : anywhere) {
      if (!reached.contains(nodes)) rows.emplace_back(row).nodes = nodes;
    }
  }
}

/// Counts `record` in `row` as a success or a failure; `step`: its step there, or null.
void count(RecordRow& row, const Record& record, const StepRecord* step) {
  if (step == nullptr) {
    const TrialStatus why = record.status.ok() ? TrialStatus::other("no step was reported") : record.status;
    if (!record.status.ok() || !row.nodes) row.failures.push_back({&record, nullptr, why});
  } else if (step->status != Status::ok) {
    const auto cause = step->notes.find(kCause);
    const std::string why = cause == step->notes.end() ? "" : ": " + cause->second;
    row.failures.push_back({&record, nullptr, TrialStatus::numeric(std::string(to_string(step->status)) + why)});
  } else {
    row.steps.emplace_back(record, *step);
  }
}

/// Returns the rows of one algorithm in one block, in the order in which its records report them.
std::vector<RecordRow> rows_of(Records records, const Sizes& sizes) {
  std::vector<RecordRow> rows;
  std::map<decltype(key_of_row({})), std::size_t> place_of;
  for (const Record* record : records) {
    for (const StepRecord& step : record->steps) {
      if (place_of.try_emplace(key_of_row(step), rows.size()).second)
        rows.push_back(row_of(*record, size_of(*record, step), step));
    }
  }
  add_unreached(*records[0], sizes, rows);
  for (const Record* record : records) {
    std::vector<const StepRecord*> reported(rows.size(), nullptr);
    for (const StepRecord& step : record->steps) {
      const StepRecord*& there = reported[place_of.at(key_of_row(step))];
      if (there == nullptr) there = &step;
    }
    for (std::size_t j = 0; j < rows.size(); ++j) count(rows[j], *record, reported[j]);
  }
  std::erase_if(rows, [](const RecordRow& row) { return row.trials() == 0; });
  return rows;
}

/// Appends the rows of one algorithm in one block, sorted by nodes and iterations, then grid points before
/// choices; the points keep their order. If there are several points, a row kBestOnTest follows them.
void append_with_best(std::vector<RecordRow> rows, std::vector<RecordRow>& all) {
  const auto place = [](const RecordRow& row) { return std::tuple(row.nodes, row.iterations, !row.chosen.empty()); };
  std::ranges::stable_sort(rows, {}, place);
  for (const std::span<RecordRow> points :
       neighbours(std::span(rows), [&](const RecordRow&a, const RecordRow&b) { return place(a) == place(b); })) {
    const bool grid = points[0].chosen.empty() && points.size() > 1 && !in_steps(points[0].parameters);
    for (RecordRow& row : points) row.one_of_grid = grid;
    all.insert(all.end(), points.begin(), points.end());
    if (grid) all.push_back(best_on_test(points));
  }
}

/// Appends the rows of one block: all reported sizes times all algorithms, times the steps reported there.
void append_block(Records block, std::vector<RecordRow>& rows) {
  Sizes sizes;
  for (const Record* record : block) {
    for (const StepRecord& step : record->steps) sizes.insert(size_of(*record, step));
  }
  if (sizes.empty()) sizes.insert(std::nullopt);
  const auto begin = static_cast<std::ptrdiff_t>(rows.size());
  for (const Records records :
       neighbours(block, [](const Record*a, const Record*b) { return a->algorithm == b->algorithm; }))
    append_with_best(rows_of(records, sizes), rows);
  std::stable_sort(rows.begin() + begin, rows.end(),
                   [](const RecordRow& a, const RecordRow& b) { return a.nodes < b.nodes; });
}

/// Returns true if the family draws new random numbers in each repeat; false for an unknown family.
bool draws_anew(const std::string& family) {
  const auto found = std::ranges::find(families(), family, &Family::name);
  return found != families().end() && found->can.random;
}

/// Returns a hash that is equal for steps with the same samples and with metrics that agree to single
/// precision, so that rounding does not tell them apart. A training that draws random numbers is always a
/// separate observation.
std::size_t observation_of(const Record& record, const StepRecord& step) {
  constexpr double kRoundingNoise = 1e-9;  // smaller residuals and errors differ from machine to machine
  if (record.samples.test.empty() || draws_anew(record.family)) return std::hash<const StepRecord*>()(&step);
  std::size_t hash = 0;
  const auto add = [&](std::size_t next) { hash = (hash ^ next) * 0x9e3779b97f4a7c15 + (hash >> 32); };
  for (const std::string* text : {&record.experiment_case, &record.algorithm, &step.chosen, &record.samples.data,
                                  &record.samples.train, &record.samples.test})
    add(std::hash<std::string>()(*text));
  for (const auto& [place, value] : record.point) {
    // The seed has no effect if nothing is drawn.
    if (place != "/seed") add(std::hash<Json>()({place, value}));
  }
  add(step.nodes);
  add(step.iterations);
  for (const auto& [name, value] : step.parameters) {
    add(std::hash<std::string>()(name));
    add(std::hash<double>()(value));
  }
  for (const auto& [name, value] : step.metrics) {
    add(std::hash<std::string>()(name));
    add(std::hash<float>()(std::abs(value) < kRoundingNoise ? 0.0F : static_cast<float>(value)));
  }
  return hash;
}

}  // namespace

RecordedStep::RecordedStep(const Record& of, const StepRecord& reported)
    : repeat(of.repeat), fold(of.fold), step(&reported), record(&of), observation(observation_of(of, reported)) {}

void add_missing(std::vector<std::string>& all, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::count(all, name) == 0) all.push_back(name);
  }
}

std::vector<RecordTrial> trials_of(const RecordRow& row) {
  std::vector<RecordTrial> trials(row.steps.begin(), row.steps.end());
  trials.insert(trials.end(), row.failures.begin(), row.failures.end());
  return trials;
}

TrialCounts count_trials(const std::vector<const RecordRow*>& rows) {
  std::set<const Record*> all, failed;
  for (const RecordRow* row : rows) {
    for (const RecordTrial& trial : trials_of(*row)) all.insert(trial.record);
    for (const RecordTrial& trial : row->failures) failed.insert(trial.record);
  }
  return {all.size(), failed.size()};
}

RecordRow row_of(const Record& of, const std::optional<std::size_t>& nodes, const StepRecord& step) {
  RecordRow row{.experiment_case = of.experiment_case,
                .dataset = of.dataset,
                .point = of.point,
                .nodes = nodes,
                .algorithm = of.algorithm,
                .iterations = step.iterations,
                .chosen = step.chosen,
                .imported = of.family == kImported};
  if (step.chosen.empty()) row.parameters = step.parameters;
  return row;
}

std::vector<RecordRow> group_records(const std::vector<Record>& records, const RecordOrder& order) {
  const std::vector<const Record*> pointers = sorted_records(records, order);
  std::vector<RecordRow> rows;
  for (const Records block : neighbours(
           Records(pointers), [&](const Record*a, const Record*b) { return compare_blocks(order, *a, *b) == 0; }))
    append_block(block, rows);
  return rows;
}

std::vector<std::string> names_of_classes(const ClassesOfSets& classes, const std::string& dataset, std::size_t n) {
  const auto known = classes.find(dataset);
  std::vector<std::string> names = known == classes.end() ? std::vector<std::string>() : known->second;
  for (std::size_t k = names.size(); k < n; ++k) names.push_back(std::to_string(k));
  names.resize(n);
  return names;
}

std::vector<RecordRow> without_grids(std::vector<RecordRow> rows) {
  std::erase_if(rows, [](const RecordRow& row) { return row.one_of_grid; });
  return rows;
}

bool leaves_out_classes(const StepRecord& step, const std::string& metric) {
  const auto note = step.notes.find(metric);
  return note != step.notes.end() && note->second.find(kClassLeftOut) != std::string::npos;
}

std::optional<double> value_of(const RecordedStep& recorded, const std::string& quantity) {
  const StepRecord& step = *recorded.step;
  const auto found = step.metrics.find(quantity);
  if (found != step.metrics.end())
    return leaves_out_classes(step, quantity) ? std::nullopt : std::optional(found->second);
  const auto measured = [](double seconds) { return seconds > 0 ? std::optional(seconds) : std::nullopt; };
  if (quantity == "step_seconds") return step.step.n > 0 ? std::optional(step.step.mean) : std::nullopt;
  if (quantity == "total_seconds")
    return std::isnan(step.total_seconds) ? std::nullopt : std::optional(step.total_seconds);
  if (quantity == "test_seconds") return measured(step.test_seconds);
  if (quantity == "feature_seconds") return measured(recorded.record->feature_seconds);
  return std::nullopt;
}

std::vector<RecordedStep> observations(const std::vector<RecordedStep>& steps, const std::string& quantity) {
  if (is_time(quantity)) return steps;
  std::vector<RecordedStep> distinct;
  std::unordered_set<std::size_t> seen;
  std::ranges::copy_if(steps, std::back_inserter(distinct),
                       [&](const RecordedStep& one) { return seen.insert(one.observation).second; });
  return distinct;
}

std::string repeated_text(std::span<const RecordRow> rows) {
  std::size_t all = 0, distinct = 0;  // of the row with the most repeated results
  for (const RecordRow& row : rows) {
    const std::size_t once = observations(row.steps, "").size();
    if (row.steps.size() - once <= all - distinct) continue;
    all = row.steps.size();
    distinct = once;
  }
  if (all == 0) return "";
  return fmt::format(
      "The repeats draw no new numbers: of {} results of a row only {} are distinct (the others have the same samples "
      "and values). Means, standard deviations and tests count each once.",
      all, distinct);
}

Summary summary_of(const RecordRow& row, const std::string& quantity) {
  std::vector<Summary> parts;
  for (const RecordedStep& recorded : observations(row.steps, quantity)) {
    const auto& seconds = recorded.step->step;
    if (quantity == "step_seconds")
      parts.push_back({seconds.mean, seconds.sd, seconds.n});
    else if (const auto value = value_of(recorded, quantity))
      parts.push_back({*value, 0, 1});
  }
  return pooled(parts);
}

}  // namespace elmx
