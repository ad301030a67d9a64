#include "tables/against_best.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "results/row_keys.hpp"
#include "statistics/rank_tests.hpp"
#include "statistics/ties.hpp"
#include "tables/finding.hpp"
#include "tables/matched_rows.hpp"

namespace elmx {
namespace {

constexpr double kAlpha = 0.05;

using Group = std::vector<std::size_t>;  // indices of rows

std::vector<Group> groups_of(const std::vector<RecordRow>& rows) {
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) groups[{rows[i].experiment_case, rows[i].dataset}].push_back(i);
  std::vector<Group> all;
  for (const auto& [name, group] : groups) all.push_back(group);
  return all;
}

/// Those that were not chosen by what they are judged by, unless there are no others.
Group candidates_of(const std::vector<RecordRow>& rows, const Group& group) {
  Group honest = group;
  std::erase_if(honest, [&](std::size_t i) { return rows[i].chosen == kBestOnTest; });
  return honest.empty() ? group : honest;
}

/// The row with the best number in column j; the end of the table where none has one.
std::size_t best_of(const Table& table, const Group& candidates, std::size_t j, Better better) {
  std::size_t best = table.rows.size();
  for (const std::size_t i : candidates) {
    const std::optional<double>& value = table.rows[i][j].value;
    if (!value) continue;
    const bool first = best == table.rows.size();
    if (first || (better == Better::lower ? *value < *table.rows[best][j].value : *value > *table.rows[best][j].value))
      best = i;
  }
  return best;
}

void mark_best(Table& table, const Group& candidates, std::size_t j, Better better) {
  const std::size_t best = best_of(table, candidates, j, better);
  if (best == table.rows.size()) return;
  const auto shown = [&](std::size_t i) { return show(*table.rows[i][j].value, table.rows[i][j].display); };
  const std::string of_best = shown(best);
  for (const std::size_t i : candidates) table.rows[i][j].best = table.rows[i][j].value && shown(i) == of_best;
}

/// What the rows of one data set are beside the best of them.
struct Judgement {
  std::map<std::size_t, Finding> findings;  ///< of the rows that have trials in common with the best
  const PairedTest* test = nullptr;
  bool several_trials = false;
};

/// The numbers to seven digits: what differs less is one hypothesis.
std::vector<std::string> identity_of(const std::vector<double>& values) {
  std::vector<std::string> shown;
  for (const double value : values) shown.push_back(show(value, significant(7)));
  return shown;
}

void adjust(Judgement& judgement, const std::map<std::vector<std::string>, Group>& hypotheses) {
  std::vector<double> p;
  for (const auto& [values, rows] : hypotheses) p.push_back(judgement.findings.at(rows.front()).p);
  const std::vector<double> adjusted = holm(p);
  std::size_t h = 0;
  for (const auto& [values, rows] : hypotheses) {
    for (const std::size_t i : rows) {
      Finding& finding = judgement.findings.at(i);
      finding.p = adjusted[h];
      const bool decided = finding.decision == Decision::lower || finding.decision == Decision::higher;
      if (decided && !(finding.p <= kAlpha)) finding.decision = Decision::not_significant;
    }
    ++h;
  }
}

Judgement judge(const std::vector<RecordRow>& rows, const Group& group, std::size_t best, const std::string& metric,
                const std::function<double(const RecordRow&)>& test_over_train) {
  Judgement judgement;
  double ratio = 0;
  try {
    if (!test_over_train) throw ConfigError("no description");
    ratio = test_over_train(rows[best]);
    judgement.test = &find_paired_test("corrected_t");
  } catch (const ConfigError&) {  // a split that it does not know
    judgement.test = &find_paired_test("wilcoxon");
  }
  std::map<std::vector<std::string>, Group> hypotheses;
  for (const std::size_t i : group) {
    const auto values = matched_values(matched_steps({&rows[best], &rows[i]}), metric);
    if (values[0].empty()) continue;
    if (i != best) judgement.several_trials = judgement.several_trials || values[0].size() > 1;
    const Finding finding = finding_of(differences_of(values[0], values[1]), *judgement.test, ratio, kAlpha);
    judgement.findings[i] = finding;
    if (i != best && finding.decision != Decision::same) hypotheses[identity_of(values[1])].push_back(i);
  }
  adjust(judgement, hypotheses);
  return judgement;
}

template <class T>
void move_back(std::vector<T>& list, std::size_t from, std::size_t to) {
  std::rotate(list.begin() + static_cast<std::ptrdiff_t>(to), list.begin() + static_cast<std::ptrdiff_t>(from),
              list.begin() + static_cast<std::ptrdiff_t>(from) + 1);
}

void move_column(Table& table, std::size_t from, std::size_t to) {
  move_back(table.columns, from, to);
  for (auto& row : table.rows) move_back(row, from, to);
}

void insert_column(Table& table, std::size_t place, const Column& column, const std::vector<Cell>& cells) {
  const auto at = static_cast<std::ptrdiff_t>(place);
  table.columns.insert(table.columns.begin() + at, column);
  for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].insert(table.rows[i].begin() + at, cells[i]);
}

/// The column of the first of the quantities, behind the keys, which may be called as one of the structure.
std::size_t first_metric(const Table& table, const std::vector<Quantity>& quantities) {
  const auto of_quantity = [&](const Column& column) {
    return std::ranges::any_of(quantities, [&](const Quantity& quantity) {
      return quantity.kind != MetricKind::structure && quantity.name == column.name;
    });
  };
  return static_cast<std::size_t>(std::ranges::find_if(table.columns, of_quantity) - table.columns.begin());
}

std::string text_of(const Finding& finding, Better better) {
  const auto p = [&] { return finding.p < 0.001 ? "p < 0.001" : "p " + show(finding.p, significant(2)); };
  switch (finding.decision) {
    case Decision::same:
      return "best";
    case Decision::lower:
    case Decision::higher:
      return ((finding.decision == Decision::lower) == (better == Better::lower) ? "better, " : "worse, ") + p();
    case Decision::not_significant:
      return p();
    case Decision::cannot_decide:
    case Decision::not_available:
      break;
  }
  return "p ?";
}

}  // namespace

void add_against_best(Table& table, const std::vector<RecordRow>& rows, const std::vector<Quantity>& quantities,
                      const std::function<double(const RecordRow&)>& test_over_train) {
  expects(table.rows.size() == rows.size(), "add_against_best: one row of records a row");
  const std::vector<Group> groups = groups_of(rows);
  const auto column_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name, &Column::name) - table.columns.begin());
  };
  for (const Quantity& quantity : quantities) {
    const std::size_t j = column_of(quantity.name);
    const bool of_training = quantity.name.starts_with("train_") || quantity.kind == MetricKind::structure;
    if (j == table.columns.size() || !quantity.better || of_training) continue;
    for (const Group& group : groups) {
      if (group.size() > 1) mark_best(table, candidates_of(rows, group), j, *quantity.better);
    }
  }

  const std::size_t acc = column_of("test_acc");
  const std::size_t j = acc < table.columns.size() ? acc : column_of("test_rmse");
  if (j == table.columns.size()) return;
  const Quantity deciding = quantity_of(table.columns[j].name);
  std::vector<Cell> cells(rows.size(), text_cell("-"));
  std::set<std::string> tests;
  for (const Group& group : groups) {
    const std::size_t best = best_of(table, candidates_of(rows, group), j, *deciding.better);
    if (best == table.rows.size() || group.size() < 2) continue;
    const Judgement judgement = judge(rows, group, best, deciding.name, test_over_train);
    if (!judgement.several_trials) continue;
    tests.insert(judgement.test->doc);
    for (const auto& [i, finding] : judgement.findings) cells[i] = text_cell(text_of(finding, *deciding.better));
  }
  const std::size_t first = first_metric(table, quantities);
  move_column(table, j, first);
  if (tests.empty()) return;
  insert_column(table, first + 1, {"against_best", "against the best"}, cells);
  std::string names;
  for (const std::string& test : tests) names += (names.empty() ? "" : ", or ") + test;
  add_remark(table, "against the best: how " + deciding.heading +
                        " differs, trial by trial, from that of the best row " + "of its case and data set; p of " +
                        names + ", adjusted by Holm for the number of rows.");
}

}  // namespace elmx
