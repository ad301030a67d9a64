#include "report/time_table.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "report/row_keys.hpp"

namespace elmx {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::string reference_algorithm(const std::vector<RecordRow>& rows, const std::string& told) {
  std::vector<std::string> names;
  std::map<std::string, double> seconds;
  for (const RecordRow& row : rows) {
    if (std::find(names.begin(), names.end(), row.algorithm) == names.end()) names.push_back(row.algorithm);
    if (!row.chosen.empty() && row.chosen != kBestOnTest) continue;  // a copy of a grid point
    if (const Summary step = summary_of(row, "step_seconds"); step.n > 0) seconds[row.algorithm] += step.mean;
  }
  const std::vector<std::string> wanted = told.empty() ? std::vector<std::string>{"existing", "orig"} : std::vector{told};
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  }
  if (!told.empty()) throw ConfigError("reference algorithm \"" + told + "\": not in the records" + suggest(told, names));
  const auto slowest = std::max_element(seconds.begin(), seconds.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return slowest == seconds.end() ? "" : slowest->first;
}

std::map<std::string, std::string> reference_algorithms(const std::vector<RecordRow>& rows, const std::string& told) {
  std::map<std::string, std::vector<RecordRow>> by_case;
  for (const RecordRow& row : rows) by_case[row.experiment_case].push_back(row);
  std::map<std::string, std::string> references;
  for (const auto& [name, of_case] : by_case) references[name] = reference_algorithm(of_case, told);
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

Ratio speed_up(const std::vector<RecordRow>& rows, const RecordRow& row, const std::string& reference, const std::string& time) {
  const RecordRow* other = counterpart(rows, row, reference);
  if (other == nullptr) return {nan, {}};
  const Ratio ratio = ratio_of_means(summary_of(*other, time), summary_of(row, time));
  return {ratio.value, other == &row ? std::nullopt : ratio.interval};
}

Table time_table(const std::vector<RecordRow>& rows, const std::map<std::string, std::string>& references) {
  const RowKeys keys(rows);
  std::set<std::string> distinct;
  for (const auto& [name, reference] : references) distinct.insert(reference);
  const std::string heading = distinct.size() == 1 ? "step speed-up over " + *distinct.begin() : "step speed-up";
  Table table{"time", "Training time", keys.columns(), {}, {}, {}};
  const bool tested =
      std::any_of(rows.begin(), rows.end(), [](const RecordRow& row) { return summary_of(row, "test_seconds").n > 0; });
  table.columns.insert(table.columns.end(), {{"step_seconds", "step (s)"}, {"total_seconds", "total (s)"}});
  if (tested) table.columns.push_back({"test_seconds", "testing (s)"});
  table.columns.insert(table.columns.end(), {{"step_speedup", heading},
                                             {"step_speedup_low", "95 % from"},
                                             {"step_speedup_high", "to"}});
  for (const RecordRow& row : rows) {
    std::vector<Cell> cells = keys.cells(row, table);
    const Summary step = summary_of(row, "step_seconds");
    const Summary total = summary_of(row, "total_seconds");
    const Ratio speedup = speed_up(rows, row, references.at(row.experiment_case), "step_seconds");
    cells.push_back(spread_cell(step.mean, step.sd, significant(3)));
    cells.push_back(spread_cell(total.mean, total.sd, significant(3)));
    const Summary test = summary_of(row, "test_seconds");
    if (tested) cells.push_back(spread_cell(test.mean, test.sd, significant(3)));
    cells.push_back(number_cell(speedup.value, significant(3)));
    cells.push_back(number_cell(speedup.interval ? speedup.interval->low : nan, significant(3)));
    cells.push_back(number_cell(speedup.interval ? speedup.interval->high : nan, significant(3)));
    table.rows.push_back(std::move(cells));
  }
  if (distinct.size() > 1) {
    for (const auto& [name, reference] : references) table.remarks.push_back(name + ": speed-up over " + reference);
  }
  return table;
}

}  // namespace elmx
