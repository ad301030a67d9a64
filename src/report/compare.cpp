#include "report/compare.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "report/row_keys.hpp"

namespace elmx {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Pair {
  RecordedStep a;
  RecordedStep b;
};

std::vector<Pair> pairs_of(const RecordRow& a, const RecordRow& b) {
  std::vector<Pair> pairs;
  for (const RecordedStep& x : a.steps) {
    const auto y = std::find_if(b.steps.begin(), b.steps.end(), [&](const RecordedStep& other) {
      return other.repeat == x.repeat && other.fold == x.fold;
    });
    if (y != b.steps.end()) pairs.push_back({x, *y});
  }
  return pairs;
}

/// What a row is of, but for its sweep point.
auto key_of(const RecordRow& row) {
  return std::tie(row.algorithm, row.parameters, row.chosen, row.iterations, row.nodes, row.dataset, row.experiment_case);
}

using RowIndex = std::map<decltype(key_of(RecordRow{})), std::vector<const RecordRow*>>;

/// The row of B that is of the same as `row` in everything; null where there is none.
const RecordRow* partner_of(const RecordRow& row, const RowIndex& index) {
  const auto alike = index.find(key_of(row));
  if (alike == index.end()) return nullptr;
  const auto found = std::find_if(alike->second.begin(), alike->second.end(), [&](const RecordRow* other) { return same_block(*other, row); });
  return found == alike->second.end() ? nullptr : *found;
}

/// What the units have done: a row kBestOnTest has the steps of another one once more.
std::vector<RecordRow> rows_of_units(const std::vector<Record>& records, const RecordOrder& order) {
  std::vector<RecordRow> rows = group_records(records, order);
  std::erase_if(rows, [](const RecordRow& row) { return row.chosen == kBestOnTest; });
  return rows;
}

/// Every metric that a side of a pair has.
std::set<std::string> metrics_of(const std::vector<Pair>& pairs) {
  std::set<std::string> names;
  for (const Pair& pair : pairs) {
    for (const auto& [name, value] : pair.a.step->metrics) names.insert(name);
    for (const auto& [name, value] : pair.b.step->metrics) names.insert(name);
  }
  return names;
}

/// `differences` are those that `d` summarises.
const char* verdict_of(const std::vector<double>& differences, const Summary& d) {
  if (differences.empty()) return "NA";
  if (std::all_of(differences.begin(), differences.end(), [](double x) { return x == 0; })) return "same";
  const auto interval = interval_of_mean(d);
  if (interval && interval->high < 0) return "lower";
  if (interval && interval->low > 0) return "higher";
  return "cannot decide";
}

void append_metric(const std::vector<Pair>& pairs, const std::string& metric, std::vector<Cell> cells, Table& table) {
  std::vector<double> of_a;
  std::vector<double> of_b;
  std::vector<double> differences;
  for (const Pair& pair : pairs) {
    const auto a = value_of(pair.a, metric);
    const auto b = value_of(pair.b, metric);
    if (!a || !b) continue;
    of_a.push_back(*a);
    of_b.push_back(*b);
    differences.push_back(*b - *a);
  }
  const Summary d = summary_of(differences);
  const auto interval = interval_of_mean(d);
  cells.push_back(text_cell(metric));
  cells.push_back(number_cell(static_cast<double>(d.n)));
  cells.push_back(number_cell(summary_of(of_a).mean, significant(4)));
  cells.push_back(number_cell(summary_of(of_b).mean, significant(4)));
  cells.push_back(spread_cell(d.mean, d.sd, scientific(1)));
  cells.push_back(number_cell(interval ? interval->low : nan, scientific(1)));
  cells.push_back(number_cell(interval ? interval->high : nan, scientific(1)));
  cells.push_back(text_cell(verdict_of(differences, d)));
  table.rows.push_back(std::move(cells));
}

/// Time B / A of the row for "step_seconds" or "total_seconds".
void append_ratio(const RecordRow& a, const RecordRow& b, const std::string& quantity, std::vector<Cell>& cells) {
  const Ratio ratio = ratio_of_means(summary_of(b, quantity), summary_of(a, quantity));
  cells.push_back(number_cell(ratio.value, significant(3)));
  cells.push_back(number_cell(ratio.interval ? ratio.interval->low : nan, significant(3)));
  cells.push_back(number_cell(ratio.interval ? ratio.interval->high : nan, significant(3)));
}

Table empty_table(const std::string& name, const std::string& title, const RowKeys& keys, std::vector<Column> columns) {
  Table table{name, title, keys.columns(), {}, {}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  return table;
}

std::size_t steps_in(const std::vector<RecordRow>& rows) {
  std::size_t sum = 0;
  for (const RecordRow& row : rows) sum += row.steps.size();
  return sum;
}

}  // namespace

std::vector<Table> compare_records(const std::vector<Record>& a, const std::vector<Record>& b,
                                   const RecordOrder& order) {
  const std::vector<RecordRow> rows_a = rows_of_units(a, order);
  const std::vector<RecordRow> rows_b = rows_of_units(b, order);
  RowIndex index;
  for (const RecordRow& row : rows_b) index[key_of(row)].push_back(&row);
  const RowKeys keys(rows_a);
  Table metrics = empty_table("compare", "B against A, paired", keys,
                              {{"metric", "metric"},
                               {"pairs", "pairs"},
                               {"a", "A"},
                               {"b", "B"},
                               {"difference", "B - A"},
                               {"low", "95 % from"},
                               {"high", "to"},
                               {"b_is", "B is"}});
  Table times = empty_table("compare_time", "Time, B / A", keys,
                            {{"step_ratio", "step"},
                             {"step_low", "95 % from"},
                             {"step_high", "to"},
                             {"total_ratio", "total"},
                             {"total_low", "95 % from"},
                             {"total_high", "to"}});

  std::size_t paired = 0;
  for (const RecordRow& row : rows_a) {
    const RecordRow* other = partner_of(row, index);
    const std::vector<Pair> pairs = other ? pairs_of(row, *other) : std::vector<Pair>{};
    if (pairs.empty()) continue;
    paired += pairs.size();
    for (const std::string& metric : metrics_of(pairs)) append_metric(pairs, metric, keys.cells(row, metrics), metrics);
    std::vector<Cell> cells = keys.cells(row, times);
    append_ratio(row, *other, "step_seconds", cells);
    append_ratio(row, *other, "total_seconds", cells);
    times.rows.push_back(std::move(cells));
  }
  metrics.remarks.push_back(std::to_string(paired) +
                            " pairs of steps; without a partner: " + std::to_string(steps_in(rows_a) - paired) +
                            " of A, " + std::to_string(steps_in(rows_b) - paired) + " of B");
  return {std::move(metrics), std::move(times)};
}

}  // namespace elmx
