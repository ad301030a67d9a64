#include "report/record_rows.hpp"

#include <algorithm>
#include <set>

#include "report/natural_order.hpp"

namespace elmx {
namespace {

int compare_listed(const std::vector<std::string>& first, const std::string& a, const std::string& b) {
  const auto at_a = std::find(first.begin(), first.end(), a) - first.begin();
  const auto at_b = std::find(first.begin(), first.end(), b) - first.begin();
  return at_a != at_b ? (at_a < at_b ? -1 : 1) : compare_naturally(a, b);
}

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
  return compare_points(a.point, b.point);
}

std::vector<const Record*> sorted(const std::vector<Record>& records, const RecordOrder& order) {
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

/// Counts `record` in `row`, as a success or as a failure at the row's nodes and iterations.
void add(RecordRow& row, const Record& record) {
  const auto step = std::find_if(record.steps.begin(), record.steps.end(), [&](const StepRecord& s) {
    return row.nodes && s.nodes == *row.nodes && s.iterations == row.iterations;
  });
  if (step == record.steps.end()) {
    if (record.status != "ok")
      ++row.failures[record.status];
    else if (!row.nodes)
      ++row.failures["no step was reported"];
  } else if (step->status != Status::ok) {
    ++row.failures[std::string(to_string(step->status))];
  } else {
    row.steps.push_back({record.repeat, record.fold, &*step});
  }
}

using Place = std::vector<const Record*>::const_iterator;

/// The numbers of iterations that some records of one algorithm report at `nodes`; at any size where none got there.
std::set<arma::uword> iterations_of(Place first, Place last, const std::optional<arma::uword>& nodes) {
  std::set<arma::uword> there;
  std::set<arma::uword> anywhere;
  for (Place i = first; i != last; ++i) {
    for (const StepRecord& step : (*i)->steps) {
      anywhere.insert(step.iterations);
      if (step.nodes == nodes) there.insert(step.iterations);
    }
  }
  if (!there.empty()) return there;
  return anywhere.empty() ? std::set<arma::uword>{0} : anywhere;
}

/// The rows of one block: every reported size times every algorithm, times its numbers of iterations.
void append_block(Place first, Place last, std::vector<RecordRow>& rows) {
  std::set<std::optional<arma::uword>> sizes;
  for (Place i = first; i != last; ++i) {
    for (const StepRecord& step : (*i)->steps) sizes.insert(step.nodes);
  }
  if (sizes.empty()) sizes.insert(std::nullopt);
  for (const auto& nodes : sizes) {
    for (Place begin = first; begin != last;) {
      const Record& of = **begin;
      const Place end = std::find_if(begin, last, [&](const Record* r) { return r->algorithm != of.algorithm; });
      for (const arma::uword iterations : iterations_of(begin, end, nodes)) {
        RecordRow row{of.experiment_case, of.dataset, of.point, nodes, of.algorithm, iterations, {}, {}};
        for (Place i = begin; i != end; ++i) add(row, **i);
        if (row.units() > 0) rows.push_back(std::move(row));
      }
      begin = end;
    }
  }
}

}  // namespace

void add_missing(std::vector<std::string>& all, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }
}

arma::uword RecordRow::failed() const {
  arma::uword sum = 0;
  for (const auto& [why, units] : failures) sum += units;
  return sum;
}

std::vector<RecordRow> group_records(const std::vector<Record>& records, const RecordOrder& order) {
  const std::vector<const Record*> pointers = sorted(records, order);
  std::vector<RecordRow> rows;
  for (Place first = pointers.begin(); first != pointers.end();) {
    const Place last =
        std::find_if(first, pointers.end(), [&](const Record* r) { return compare_blocks(order, **first, *r) != 0; });
    append_block(first, last, rows);
    first = last;
  }
  return rows;
}

bool same_block(const RecordRow& a, const RecordRow& b) {
  return a.experiment_case == b.experiment_case && a.dataset == b.dataset && a.nodes == b.nodes &&
         compare_points(a.point, b.point) == 0;
}

std::optional<double> value_of(const StepRecord& step, const std::string& quantity) {
  if (quantity == "step_seconds") return step.step.n > 0 ? std::optional(step.step.mean) : std::nullopt;
  if (quantity == "total_seconds") return step.total_seconds;
  const auto found = step.metrics.find(quantity);
  return found == step.metrics.end() ? std::nullopt : std::optional(found->second);
}

Summary summary_of(const RecordRow& row, const std::string& quantity) {
  std::vector<Summary> parts;
  for (const RecordedStep& recorded : row.steps) {
    const StepRecord& step = *recorded.step;
    if (quantity == "step_seconds") {
      parts.push_back({step.step.mean, step.step.sd, step.step.n});
    } else if (const auto value = value_of(step, quantity)) {
      parts.push_back({*value, 0, 1});
    }
  }
  return pooled(parts);
}

}  // namespace elmx
