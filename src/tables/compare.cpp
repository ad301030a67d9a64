#include "tables/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/nan.hpp"
#include "base/printable.hpp"
#include "results/row_keys.hpp"
#include "tables/method_comparison.hpp"
#include "tables/pairing.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostSides = 50;  // that every one is set against every other

bool is_copy(const RecordRow& row) { return row.chosen == kBestOnTest || !row.over.empty(); }

/// Rows that can be compared, and a choice that is not among them but could be asked for.
struct Comparable {
  std::vector<RecordRow> rows;
  std::string choice = {};
};

/// Of A and of B; of one run twice the same.
using Runs = std::pair<const RunDescription*, const RunDescription*>;

/// The order of A, then what B has beside.
RecordOrder order_of_both(const Runs& runs) {
  RecordOrder order = runs.first->order;
  add_missing(order.cases, runs.second->order.cases);
  add_missing(order.algorithms, runs.second->order.algorithms);
  return order;
}

/// What the trials have done: a choice has the steps of other rows once more, and is left out unless it is
/// asked for. Trials that have chosen for themselves are of one row, whatever they chose.
Comparable comparable(std::vector<RecordRow> rows, const BoundPredicate& conditions, bool with_choices) {
  Comparable found{conditions.applied(std::move(rows))};
  if (!with_choices && !conditions.asks_for_choices()) {
    for (const RecordRow& row : found.rows) {
      if (is_copy(row) && (found.choice.empty() || found.choice == kBestOnTest)) found.choice = row.chosen;
    }
    std::erase_if(found.rows, is_copy);
  }
  for (RecordRow& row : found.rows) {
    if (!row.chosen.empty()) row.parameters.clear();
  }
  return found;
}

std::vector<RecordRow> all_rows(const std::vector<ComparedSide>& sides) {
  std::vector<RecordRow> rows;
  for (const ComparedSide& side : sides) rows.insert(rows.end(), side.rows.begin(), side.rows.end());
  return rows;
}

/// Those asked for; else those of the registry of the test part, or all where there are none of these.
std::vector<Quantity> metrics_of(const std::vector<std::string>& asked, const std::vector<RecordRow>& rows) {
  const std::vector<std::string> known = quantities_in(rows);
  for (const std::string& name : asked) {
    if (is_pooled(name))
      throw ConfigError("--metric " + name + ": one number over all trials of a row makes no pairs; use test_" +
                        name.substr(kPooled.size()));
  }
  if (!asked.empty() && asked != std::vector<std::string>{"all"}) return find_quantities(asked, known);
  std::vector<Quantity> metrics = find_quantities(known, known);
  std::erase_if(metrics, [](const Quantity& metric) { return metric.name.ends_with("_seconds"); });
  const auto of_test = [](const Quantity& metric) {
    return metric.kind && metric.name.starts_with("test_") && !is_of_target(metric.name);
  };
  if (asked.empty() && std::ranges::any_of(metrics, of_test)) std::erase_if(metrics, std::not_fn(of_test));
  return metrics;
}

bool any_has(const MatchedSteps& steps, const std::string& metric) {
  const auto has = [&](const RecordedStep* step) { return value_of(*step, metric).has_value(); };
  return std::ranges::any_of(steps, [&](const auto& of_row) { return std::ranges::any_of(of_row, has); });
}

/// "A: 1 of 5 trials failed (...)", and what else there is to say of the trials of both sides; "" where there
/// is nothing.
std::string notes_of(const MatchedRows& rows, const std::string& metric) {
  std::string text;
  for (const std::size_t i : {0u, 1u}) {
    const RecordRow& row = *rows[i];
    const std::string of_row = both_notes(both_notes(row.failed() > 0 ? failure_text(row) : "", doubt_of(row)),
                                          note_of(row, quantity_of(metric)));
    if (!of_row.empty()) text = both_notes(text, (i == 0 ? "A: " : "B: ") + of_row);
  }
  return text;
}

void append_metric(const MethodComparison& comparison, const MatchedRows& rows, const std::string& metric,
                   std::vector<Cell> cells, Table& table) {
  const PairedDifference difference = comparison.difference(*rows[0], *rows[1], metric, comparison.alpha);
  const Summary& d = difference.all;
  const auto& interval = difference.interval;
  const Finding& finding = difference.finding;
  cells.push_back(text_cell(metric));
  cells.push_back(number_cell(static_cast<double>(d.n)));
  if (const std::string note = notes_of(rows, metric); !note.empty()) cells.back().note = footnote(table, note);
  cells.push_back(number_cell(difference.a.mean, significant(4)));
  cells.push_back(number_cell(difference.b.mean, significant(4)));
  cells.push_back(spread_cell(d.mean, d.sd, scientific(1)));
  cells.push_back(number_cell(interval ? interval->low : nan, scientific(1)));
  cells.push_back(number_cell(interval ? interval->high : nan, scientific(1)));
  cells.push_back(number_cell(finding.p, significant(2)));
  cells.push_back(text_cell(to_string(finding.decision)));
  if (!finding.why.empty()) cells.back().note = footnote(table, finding.why);
  table.rows.push_back(std::move(cells));
}

/// Time B / A of the trials for "step_seconds" or "total_seconds"; in_turn: their rounds belong together, and
/// count where they were measured alike.
void append_ratio(const MatchedSteps& steps, const std::string& quantity, bool in_turn, std::vector<Cell>& cells) {
  const auto measured = [&](const RecordedStep& step) {
    std::vector<double> times = times_of(step, quantity);
    return in_turn || times.empty() ? times : std::vector{quantile(std::move(times), 0.5)};
  };
  std::vector<TimesOfTrial> trials;
  for (std::size_t i = 0; i < steps[0].size(); ++i) {
    if (in_turn && !measured_alike(*steps[0][i]->record, *steps[1][i]->record)) continue;
    trials.push_back({measured(*steps[1][i]), measured(*steps[0][i])});
  }
  const Ratio ratio = time_ratio(trials);
  cells.push_back(number_cell(ratio.value, significant(3)));
  cells.push_back(number_cell(ratio.interval ? ratio.interval->low : nan, significant(3)));
  cells.push_back(number_cell(ratio.interval ? ratio.interval->high : nan, significant(3)));
}

Table empty_table(const std::string& name, const std::string& title, const RowKeys& keys,
                  const std::vector<Column>& columns) {
  Table table{name, title, keys.columns(), {}, {}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  return table;
}

std::size_t steps_in(const std::vector<RecordRow>& rows) {
  std::size_t sum = 0;
  for (const RecordRow& row : rows) sum += row.steps.size();
  return sum;
}

std::string percent(double share) { return show(std::round(1e4 * share) / 100); }

/// Whether the algorithms of two rows were measured in turn: in the same folds of one case and sweep point.
bool same_tasks(const RecordRow& a, const RecordRow& b) {
  const auto of_a_task = [](const RecordRow& row) { return !row.imported && row.over.empty(); };
  return of_a_task(a) && of_a_task(b) && a.experiment_case == b.experiment_case && a.point == b.point;
}

bool in_several_units(const MatchedRows& rows) {
  std::set<std::string> units;
  for (const RecordRow* row : rows) {
    if (row != nullptr) units.insert(row->units);
  }
  return units.size() > 1;
}

std::string unlike_units(const RecordRow& a, const RecordRow& b) {
  const auto units = [](const RecordRow& row) { return row.units.empty() ? "original" : row.units; };
  return fmt::format(
      "errors of A are in {} units and those of B in {} units: they are not compared (set "
      "preprocess.targets.units to \"original\" on both sides, or compare r2)",
      units(a), units(b));
}

/// The metrics and the times of sides 1, 2, ... against side 0; `by_algorithm`: they are algorithms of one
/// run.
std::vector<Table> row_tables(const MethodComparison& comparison, const std::string& what, bool by_algorithm) {
  const RowKeys keys(all_rows(comparison.sides));
  const std::string from = percent(1 - comparison.alpha) + " % from";
  Table differences = empty_table("compare", what + ", paired: " + comparison.test->doc, keys,
                                  {{"metric", "metric"},
                                   {"pairs", "pairs", Worth::rest},
                                   {"a", "A", Worth::detail},
                                   {"b", "B", Worth::detail},
                                   {"difference", "B - A", Worth::detail},
                                   {"low", from, Worth::rest},
                                   {"high", "to", Worth::rest},
                                   {"p", "p", Worth::result},
                                   {"b_is", "B is", Worth::result}});
  Table times = empty_table("compare_time", "Time, B / A", keys,
                            {{"step_ratio", "step", Worth::result},
                             {"step_low", "95 % from", Worth::rest},
                             {"step_high", "to", Worth::rest},
                             {"total_ratio", "total", Worth::result},
                             {"total_low", "95 % from", Worth::rest},
                             {"total_high", "to", Worth::rest}});
  std::vector<std::size_t> paired(comparison.sides.size(), 0);
  bool all_in_turn = true;
  std::string unlike;  // in which units two rows are, where these differ
  std::size_t apart = 0, elsewhere = 0;
  for (const MatchedRows& matched : comparison.rows) {
    for (std::size_t b = 1; b < matched.size(); ++b) {
      const MatchedRows rows = {matched[0], matched[b]};
      const MatchedSteps steps = matched_steps(rows);
      if (steps[0].empty()) continue;
      paired[b] += steps[0].size();
      const bool same_units = rows[0]->units == rows[1]->units;
      if (!same_units) unlike = unlike_units(*rows[0], *rows[1]);
      for (const Quantity& metric : comparison.metrics) {
        if (any_has(steps, metric.name) && (same_units || !metric.in_target_units))
          append_metric(comparison, rows, metric.name, keys.cells(*rows[1]), differences);
      }
      const bool in_turn = by_algorithm && same_tasks(*rows[0], *rows[1]);
      all_in_turn = all_in_turn && in_turn;
      (in_turn ? apart : elsewhere) += times_apart(steps);
      std::vector<Cell> cells = keys.cells(*rows[1]);
      const std::string why_no_step = unlike_steps(*rows[0], *rows[1]);
      append_ratio(why_no_step.empty() ? steps : MatchedSteps(2), "step_seconds", in_turn, cells);
      if (!why_no_step.empty()) cells[cells.size() - 3].note = footnote(times, why_no_step);
      append_ratio(steps, "total_seconds", in_turn, cells);
      times.rows.push_back(std::move(cells));
    }
  }
  add_remark(differences, unlike);
  if (!unlike.empty() && differences.rows.empty()) throw ConfigError("compare: " + unlike);
  if (apart > 0) times.remarks.push_back(times_apart_text(apart) + ".");
  if (elsewhere > 0)
    times.remarks.push_back("The times of " + counted(elsewhere, "pair") +
                            " were measured on different machines, or with other kernels or numbers of threads.");
  if (!all_in_turn)
    times.remarks.push_back(
        "A and B were not measured in turn: the intervals know nothing of what changed in between.");
  for (std::size_t b = 1; b < paired.size(); ++b) {
    const auto without = [&](std::size_t side) {
      return std::to_string(steps_in(comparison.sides[side].rows) - paired[b]) + " of " + comparison.sides[side].name;
    };
    differences.remarks.push_back(std::to_string(paired[b]) + " pairs of steps; without a partner: " + without(0) +
                                  ", " + without(b));
  }
  return {std::move(differences), std::move(times)};
}

/// What else differs between the sides: the options of the first rows that make pairs.
std::vector<std::string> other_differences(const MethodComparison& comparison, const Runs& runs) {
  constexpr std::size_t kMostRows = 50, kMostNamed = 8;
  std::vector<std::string> remarks;
  for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
    std::vector<std::string> differences;
    std::size_t seen = 0;
    for (const MatchedRows& rows : comparison.rows) {
      const bool both = rows[0] != nullptr && rows[side] != nullptr && !rows[0]->imported && !rows[side]->imported;
      if (!both || ++seen > kMostRows) continue;
      add_missing(differences, different_options(*runs.first, *rows[0], *runs.second, *rows[side]));
    }
    if (differences.empty()) continue;
    const std::size_t unnamed = differences.size() - std::min(kMostNamed, differences.size());
    differences.resize(differences.size() - unnamed);
    if (unnamed > 0) differences.push_back(fmt::format("and {} more", unnamed));
    remarks.push_back(fmt::format("The configs of {} and {} differ in {}.", comparison.sides[0].name,
                                  comparison.sides[side].name, fmt::join(differences, ", ")));
  }
  return remarks;
}

std::vector<Table> tables_of(std::vector<ComparedSide> sides, const std::string& by, const std::string& what,
                             const std::string& choice, const Runs& runs, const CompareOptions& options) {
  const std::vector<RecordRow> rows = all_rows(sides);
  const Dimensions fields(rows, order_of_both(runs));
  MethodComparison comparison{std::move(sides),
                              {},
                              metrics_of(options.metrics, rows),
                              &find_paired_test(options.test),
                              options.alpha,
                              [&](const RecordRow& row) { return test_over_train(*runs.first, row); }};
  Pairing pairing = pair_rows(comparison.sides, fields, by, choice,
                              [&](const RecordRow& a, const RecordRow& b, std::size_t) -> std::string {
                                return different_splits(*runs.first, a, *runs.second, b);
                              });
  comparison.rows = std::move(pairing.rows);
  std::vector<Table> tables = row_tables(comparison, what, by == "algorithm");
  add_remark(tables.front(), repeated_text(rows));
  for (const std::vector<std::string>& some : {pairing.remarks, other_differences(comparison, runs)})
    tables.front().remarks.insert(tables.front().remarks.end(), some.begin(), some.end());
  if (std::ranges::any_of(comparison.rows, in_several_units))
    std::erase_if(comparison.metrics, [](const Quantity& metric) { return metric.in_target_units; });
  if (comparison.sides.size() > kMostSides) {  // pairs of sides grow with their square
    add_remark(tables.front(),
               fmt::format("The tables over the data sets are left out: they take at most {} values.", kMostSides));
    return tables;
  }
  for (Table& table : data_set_tables(comparison)) tables.insert(tables.end() - 1, std::move(table));
  return tables;
}

}  // namespace

std::vector<Table> compare_records(const Frame& a, const Frame& b, const CompareOptions& options) {
  const Runs runs(&a.run(), &b.run());
  std::vector<ComparedSide> sides = {{"A", a.rows()}, {"B", b.rows()}};
  const std::vector<RecordRow> known = all_rows(sides);
  const Dimensions fields(known, order_of_both(runs));
  const BoundPredicate conditions(options.where, fields, known);
  std::string choice;
  for (ComparedSide& side : sides) {
    Comparable found = comparable(std::move(side.rows), conditions, false);
    side.rows = std::move(found.rows);
    if (choice.empty()) choice = found.choice;
    if (side.rows.empty())
      throw ConfigError("--where: no record of " + side.name +
                        " meets all conditions; use a value of each side, as in field=value,value");
  }
  std::vector<Table> tables = tables_of(std::move(sides), "", "B against A", choice, runs, options);
  const std::vector<std::string> differ = different_data(a.run(), b.run());
  for (Table& table : tables) table.remarks.insert(table.remarks.end(), differ.begin(), differ.end());
  return tables;
}

std::vector<Table> compare_by(const Frame& frame, const Condition& by, const CompareOptions& options) {
  const Dimension& field = frame.fields().find(by.field, "--by");
  const bool choices = field.kind == DimensionKind::chosen;
  const Comparable found =
      comparable(frame.rows(), BoundPredicate(options.where, frame.fields(), frame.rows()), choices);
  if (found.rows.empty()) throw ConfigError("--where matches no record: no record meets all of its conditions");
  std::vector<ComparedSide> sides = sides_by(by, found.rows, frame.fields());
  const std::string what = "B against A (" + field.name + " " + sides[0].name + ")";
  return tables_of(std::move(sides), field.name, what, found.choice, {&frame.run(), &frame.run()}, options);
}

}  // namespace elmx
