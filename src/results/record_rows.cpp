#include "results/record_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "models/registry.hpp"
#include "models/trainer.hpp"
#include "results/best_on_test.hpp"
#include "results/natural_order.hpp"
#include "results/quantities.hpp"

namespace elmx {
namespace {

int compare_points(const std::map<std::string, Json>& a, const std::map<std::string, Json>& b) {
  auto i = a.begin();
  auto j = b.begin();
  for (; i != a.end() && j != b.end(); ++i, ++j) {
    if (const int order = i->first.compare(j->first); order != 0) return order;
    if (const int order = compare_values(i->second, j->second); order != 0) return order;
  }
  return i == a.end() ? (j == b.end() ? 0 : -1) : 1;
}

/// Order of the blocks of rows that differ in nodes, algorithm and iterations only.
int compare_blocks(const RecordOrder& order, const Record& a, const Record& b) {
  if (const int by_case = compare_listed(order.cases, a.experiment_case, b.experiment_case); by_case != 0)
    return by_case;
  if (const int by_dataset = compare_naturally(a.dataset, b.dataset); by_dataset != 0) return by_dataset;
  if (const bool imported = a.family == kImported; imported != (b.family == kImported)) return imported ? 1 : -1;
  return compare_points(a.point, b.point);
}

using Place = std::vector<const Record*>::const_iterator;
using Sizes = std::set<std::optional<arma::uword>>;

/// Order of the steps of one algorithm in one block by the row that they are of. What each trial chooses for
/// itself does not tell rows apart.
struct ByRow {
  bool operator()(const StepRecord* a, const StepRecord* b) const {
    const auto key = [](const StepRecord& step) { return std::tie(step.nodes, step.iterations, step.chosen); };
    if (key(*a) != key(*b)) return key(*a) < key(*b);
    return a->chosen.empty() && a->parameters < b->parameters;
  }
};

std::optional<arma::uword> size_of(const Record& record, const StepRecord& step) {
  return record.family == kImported ? std::nullopt : std::optional(step.nodes);
}

/// Gives the sizes that no trial of the algorithm has reached the rows that it has elsewhere.
void add_unreached(const Record& of, const Sizes& sizes, std::vector<RecordRow>& rows) {
  Sizes reached;
  std::map<std::tuple<arma::uword, std::string, std::map<std::string, double>>, std::size_t> kinds;
  std::vector<RecordRow> anywhere;
  for (const RecordRow& row : rows) {
    reached.insert(row.nodes);
    if (kinds.try_emplace({row.iterations, row.chosen, row.parameters}, 0).second) anywhere.push_back(row);
  }
  if (anywhere.empty()) anywhere.push_back(row_of(of, std::nullopt));
  for (const auto& nodes : sizes) {
    if (reached.count(nodes) > 0) continue;
    for (RecordRow row : anywhere) {
      row.nodes = nodes;
      rows.push_back(std::move(row));
    }
  }
}

/// Counts `record` in `row`, as a success or as a failure; `step` is what it has reported there, if anything.
void count(RecordRow& row, const Record& record, const StepRecord* step) {
  if (step == nullptr) {
    if (record.status != "ok")
      row.failures[record.status].push_back(&record);
    else if (!row.nodes)
      row.failures["no step was reported"].push_back(&record);
  } else if (step->status != Status::ok) {
    const auto cause = step->notes.find(kCause);
    const std::string why = cause == step->notes.end() ? "" : ": " + cause->second;
    row.failures[std::string(to_string(step->status)) + why].push_back(&record);
  } else {
    row.steps.emplace_back(record, *step);
  }
}

/// The rows of one algorithm in one block, in the order in which its records report them.
std::vector<RecordRow> rows_of(Place first, Place last, const Sizes& sizes) {
  std::vector<RecordRow> rows;
  std::map<const StepRecord*, std::size_t, ByRow> place_of;
  for (Place i = first; i != last; ++i) {
    for (const StepRecord& step : (*i)->steps) {
      if (place_of.try_emplace(&step, rows.size()).second) rows.push_back(row_of(**i, size_of(**i, step), step));
    }
  }
  add_unreached(**first, sizes, rows);
  for (Place i = first; i != last; ++i) {
    std::vector<const StepRecord*> reported(rows.size(), nullptr);
    for (const StepRecord& step : (*i)->steps) {
      const StepRecord*& there = reported[place_of.at(&step)];
      if (there == nullptr) there = &step;
    }
    for (std::size_t j = 0; j < rows.size(); ++j) count(rows[j], **i, reported[j]);
  }
  std::erase_if(rows, [](const RecordRow& row) { return row.trials() == 0; });
  return rows;
}

/// The rows of one block: every reported size times every algorithm, times what it reports there.
void append_block(Place first, Place last, std::vector<RecordRow>& rows) {
  Sizes sizes;
  for (Place i = first; i != last; ++i) {
    for (const StepRecord& step : (*i)->steps) sizes.insert(size_of(**i, step));
  }
  if (sizes.empty()) sizes.insert(std::nullopt);
  std::vector<std::vector<RecordRow>> of_algorithms;
  for (Place begin = first; begin != last;) {
    const std::string& algorithm = (*begin)->algorithm;
    const Place end = std::find_if(begin, last, [&](const Record* r) { return r->algorithm != algorithm; });
    of_algorithms.push_back(with_best_on_test(rows_of(begin, end, sizes)));
    begin = end;
  }
  const auto begin = static_cast<std::ptrdiff_t>(rows.size());
  for (std::vector<RecordRow>& of_algorithm : of_algorithms)
    std::move(of_algorithm.begin(), of_algorithm.end(), std::back_inserter(rows));
  std::stable_sort(rows.begin() + begin, rows.end(),
                   [](const RecordRow& a, const RecordRow& b) { return a.nodes < b.nodes; });
}

/// Returns true if each repeat of the family has random numbers of its own. A family that is not known has
/// none.
bool draws_anew(const std::string& family) {
  const auto found = std::ranges::find(families(), family, &Family::name);
  return found != families().end() && found->random;
}

/// The same for steps whose samples are the same and whose metrics agree to single precision, so that
/// rounding does not tell them apart. A training with random numbers of its own is always an observation of
/// its own.
std::size_t observation_of(const Record& record, const StepRecord& step) {
  constexpr double kRoundingNoise = 1e-9;  // residuals and errors below it differ from machine to machine
  if (record.samples.test.empty() || draws_anew(record.family)) return std::hash<const StepRecord*>()(&step);
  std::size_t hash = 0;
  const auto add = [&](std::size_t next) { hash = (hash ^ next) * 0x9e3779b97f4a7c15 + (hash >> 32); };
  for (const std::string* text : {&record.experiment_case, &record.algorithm, &step.chosen, &record.samples.data,
                                  &record.samples.train, &record.samples.test})
    add(std::hash<std::string>()(*text));
  for (const auto& [place, value] : record.point) {
    if (place != "/seed") add(std::hash<Json>()({place, value}));  // it changes nothing where nothing is drawn
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

int compare_listed(const std::vector<std::string>& first, const std::string& a, const std::string& b) {
  const auto at_a = std::find(first.begin(), first.end(), a) - first.begin();
  const auto at_b = std::find(first.begin(), first.end(), b) - first.begin();
  return at_a != at_b ? (at_a < at_b ? -1 : 1) : compare_naturally(a, b);
}

void add_missing(std::vector<std::string>& all, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }
}

arma::uword RecordRow::failed_in_numbers() const {
  arma::uword sum = 0;
  for (const auto& [why, trials] : failures) sum += by_its_numbers(why) ? trials.size() : 0;
  return sum;
}

TrialCounts count_trials(const std::vector<const RecordRow*>& rows) {
  std::set<const Record*> all, failed;
  for (const RecordRow* row : rows) {
    for (const RecordedStep& recorded : row->steps) all.insert(recorded.record);
    for (const auto& [why, records] : row->failures) failed.insert(records.begin(), records.end());
  }
  all.insert(failed.begin(), failed.end());
  return {all.size(), failed.size()};
}

arma::uword RecordRow::failed() const {
  arma::uword sum = 0;
  for (const auto& [why, trials] : failures) sum += trials.size();
  return sum;
}

RecordRow row_of(const Record& of, const std::optional<arma::uword>& nodes, const StepRecord& step) {
  RecordRow row{of.experiment_case,
                of.dataset,
                of.point,
                nodes,
                of.algorithm,
                step.iterations,
                step.chosen,
                {},
                {},
                {},
                false,
                of.family == kImported,
                {},
                {}};
  if (step.chosen.empty()) row.parameters = step.parameters;
  return row;
}

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

std::vector<RecordRow> group_records(const std::vector<Record>& records, const RecordOrder& order) {
  const std::vector<const Record*> pointers = sorted_records(records, order);
  std::vector<RecordRow> rows;
  for (Place first = pointers.begin(); first != pointers.end();) {
    const Place last =
        std::find_if(first, pointers.end(), [&](const Record* r) { return compare_blocks(order, **first, *r) != 0; });
    append_block(first, last, rows);
    first = last;
  }
  return rows;
}

std::vector<RecordRow> without_grids(std::vector<RecordRow> rows) {
  std::erase_if(rows, [](const RecordRow& row) { return row.one_of_grid; });
  return rows;
}

bool same_block(const RecordRow& a, const RecordRow& b) {
  return a.experiment_case == b.experiment_case && a.dataset == b.dataset && a.nodes == b.nodes &&
         compare_points(a.point, b.point) == 0;
}

std::optional<double> value_of(const RecordedStep& recorded, const std::string& quantity) {
  const StepRecord& step = *recorded.step;
  const auto found = step.metrics.find(quantity);
  if (found != step.metrics.end()) return found->second;
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
    std::unordered_set<std::size_t> seen;
    for (const RecordedStep& one : row.steps) seen.insert(one.observation);
    if (row.steps.size() - seen.size() <= all - distinct) continue;
    all = row.steps.size();
    distinct = seen.size();
  }
  if (all == 0) return "";
  return fmt::format(
      "Repeats drew nothing anew: of {} results of a row only {} are distinct (the others have the same samples and "
      "values). Means, standard deviations and tests count each once.",
      all, distinct);
}

Summary summary_of(const RecordRow& row, const std::string& quantity) {
  std::vector<Summary> parts;
  for (const RecordedStep& recorded : observations(row.steps, quantity)) {
    const StepRecord& step = *recorded.step;
    if (quantity == "step_seconds") {
      parts.push_back({step.step.mean, step.step.sd, step.step.n});
    } else if (const auto value = value_of(recorded, quantity)) {
      parts.push_back({*value, 0, 1});
    }
  }
  return pooled(parts);
}

}  // namespace elmx
