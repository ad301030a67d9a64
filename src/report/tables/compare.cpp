#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/methods.hpp"
#include "report/tables/speed_ups.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

/// Returns the rows whose steps are compared. Choices repeat the steps of other rows and are left out unless
/// the caller asks for them. Trials that chose for themselves are in one row, whatever they chose.
std::vector<RecordRow> comparable(const Frame& frame, const BoundPredicate& conditions, bool with_choices,
                                  const std::string& whose) {
  std::vector<RecordRow> rows = conditions.applied(frame.rows());
  if (!with_choices && !conditions.asks_for_choices())
    std::erase_if(rows, [](const RecordRow& row) { return row.chosen == kBestOnTest || !row.over.empty(); });
  for (RecordRow& row : rows) {
    if (!row.chosen.empty()) row.parameters.clear();
  }
  if (rows.empty())
    throw ConfigError("--where",
                      "matches no record" + whose + "; a condition may name several values: field=value,value");
  return rows;
}

std::vector<RecordRow> all_rows(const std::vector<ComparedSide>& sides) {
  std::vector<RecordRow> rows;
  for (const ComparedSide& side : sides) rows.insert(rows.end(), side.rows.begin(), side.rows.end());
  return rows;
}

/// Returns the fields of both runs, in the order of A, followed by those that only B has.
Dimensions fields_of_both(const std::vector<RecordRow>& rows, const ComparedRuns& runs) {
  RecordOrder order = runs.a.order;
  add_missing(order.cases, runs.b.order.cases);
  add_missing(order.algorithms, runs.b.order.algorithms);
  return Dimensions(rows, order);
}

/// Returns the requested metrics; by default registered metrics of the test part, or all if there are none.
std::vector<Quantity> metrics_of(const std::vector<std::string>& asked, const std::vector<RecordRow>& rows) {
  const std::vector<std::string> known = quantities_in(rows);
  if (!asked.empty() && asked != std::vector<std::string>{"all"}) return find_quantities(asked, known);
  std::vector<Quantity> metrics = find_quantities(known, known);
  std::erase_if(metrics, [](const Quantity& metric) { return metric.name.ends_with("_seconds"); });
  const auto of_test = [](const Quantity& metric) {
    return metric.kind && metric.name.starts_with("test_") && !is_of_target(metric.name);
  };
  if (asked.empty() && std::ranges::any_of(metrics, of_test)) std::erase_if(metrics, std::not_fn(of_test));
  return metrics;
}

/// Returns "A: 1 of 5 trials failed (...)" and the other notes on the trials of both sides.
std::string notes_of(const MatchedRows& rows, const Quantity& metric) {
  std::string text;
  for (const std::size_t i : {0u, 1u}) {
    const std::string of_row = both_notes(trial_notes(*rows[i], ""), note_of(*rows[i], metric));
    if (!of_row.empty()) text = both_notes(text, (i == 0 ? "A: " : "B: ") + of_row);
  }
  return text;
}

/// Returns the chosen settings of A that differ from the settings of B, "A: ridge 1e-06, nodes 30".
std::string other_settings(const RowKeys& keys, const MatchedRows& rows) {
  if (rows[0]->over.empty() && rows[1]->over.empty()) return "";
  const auto is_setting = [](const Column& key) { return key.worth == Worth::setting; };
  std::vector<std::string> a = keys.texts(*rows[0], is_setting);
  const std::vector<std::string> b = keys.texts(*rows[1], is_setting);
  std::erase_if(a, [&](const std::string& text) { return std::ranges::count(b, text) > 0; });
  return a.empty() ? "" : fmt::format("A: {}", fmt::join(a, ", "));
}

void append_metric(const MethodComparison& comparison, const MatchedRows& rows, const Quantity& metric,
                   const std::string& settings_of_a, std::vector<Cell> cells, Table& table) {
  const auto [a, b, all, interval, finding] = comparison.difference(*rows[0], *rows[1], metric.name, comparison.alpha);
  Cell pairs = number_cell(static_cast<double>(all.n));
  pairs.note = footnote(table, notes_of(rows, metric));
  Cell mean_of_a = number_cell(a.mean, significant(4));
  mean_of_a.note = footnote(table, settings_of_a);
  cells.insert(cells.end(), {text_cell(metric.name), pairs, mean_of_a, number_cell(b.mean, significant(4)),
                             spread_cell(all.mean, all.sd, scientific(1))});
  append_interval(cells, interval, scientific(1));
  cells.insert(cells.end(), {number_cell(finding.p, significant(2)), finding_cell(finding, table)});
  table.rows.push_back(std::move(cells));
}

/// Appends the time B / A of the trials of B and A for "step_seconds" or "total_seconds". in_turn: the rounds
/// of both are paired, and count if they were measured alike.
void append_ratio(const MatchedSteps& steps, const std::string& quantity, bool in_turn, std::vector<Cell>& cells) {
  const auto median = [&](const RecordedStep& step) {
    const std::vector<double> times = times_of(step, quantity);
    return times.empty() ? times : std::vector{quantile(times, 0.5)};
  };
  std::vector<TimesOfTrial> trials;
  for (const MatchedTrial& trial : steps) trials.push_back({median(*trial[0]), median(*trial[1])});
  const Ratio ratio = time_ratio(in_turn ? times_of_trials(steps, quantity) : trials);
  cells.push_back(number_cell(ratio.value, significant(3)));
  append_interval(cells, ratio.interval, significant(3));
}

/// Returns true if two rows were measured in turn: in the same folds of one case and sweep point.
bool same_tasks(const RecordRow& a, const RecordRow& b) {
  const auto of_a_task = [](const RecordRow& row) { return !row.imported && row.over.empty(); };
  return of_a_task(a) && of_a_task(b) && a.experiment_case == b.experiment_case && a.point == b.point;
}

/// Returns metrics and times of sides 1, 2, ... against side 0; `by_algorithm`: sides are algorithms.
std::vector<Table> row_tables(const MethodComparison& comparison, const std::string& what, bool by_algorithm) {
  const RowKeys keys(all_rows(comparison.sides));
  const std::string from = show(std::round(1e4 * (1 - comparison.alpha)) / 100) + " % from";
  Table differences{"compare", what + ", paired: " + comparison.test->doc, keys.columns()};
  differences.columns.insert(differences.columns.end(), {{"metric", "metric"},
                                                         {"pairs", "pairs", Worth::rest},
                                                         {"a", "A", Worth::detail},
                                                         {"b", "B", Worth::detail},
                                                         {"difference", "B - A", Worth::detail},
                                                         {"low", from, Worth::rest},
                                                         {"high", "to", Worth::rest},
                                                         {"p", "p", Worth::result},
                                                         {"b_is", "B is", Worth::result}});
  Table times{"compare_time", "Time, B / A", keys.columns()};
  times.columns.insert(times.columns.end(), {{"step_ratio", "step", Worth::result},
                                             {"step_low", "95 % from", Worth::rest},
                                             {"step_high", "to", Worth::rest},
                                             {"total_ratio", "total", Worth::result},
                                             {"total_low", "95 % from", Worth::rest},
                                             {"total_high", "to", Worth::rest}});
  std::vector<std::size_t> paired(comparison.sides.size(), 0);
  bool all_in_turn = true, unlike_units = false;
  std::size_t apart = 0, elsewhere = 0;
  for (const MatchedRows& matched : comparison.rows) {
    for (std::size_t b = 1; b < matched.size(); ++b) {
      const MatchedRows rows = {matched[0], matched[b]};
      const MatchedSteps steps = matched_steps({matched[b], matched[0]});
      if (steps.empty()) continue;
      paired[b] += steps.size();
      const bool other_units = rows[0]->units != rows[1]->units;
      unlike_units = unlike_units || other_units;
      for (const Quantity& metric : comparison.metrics) {
        const auto has = [&](const MatchedTrial& trial) {
          return value_of(*trial[0], metric.name) || value_of(*trial[1], metric.name);
        };
        if (!(other_units && metric.in_target_units) && std::ranges::any_of(steps, has))
          append_metric(comparison, rows, metric, other_settings(keys, rows), keys.cells(*rows[1]), differences);
      }
      const bool in_turn = by_algorithm && same_tasks(*rows[0], *rows[1]);
      all_in_turn = all_in_turn && in_turn;
      (in_turn ? apart : elsewhere) += times_apart(steps);
      std::vector<Cell> cells = keys.cells(*rows[1]);
      const std::string why_no_step = unlike_steps(*rows[0], *rows[1]);
      append_ratio(why_no_step.empty() ? steps : MatchedSteps(), "step_seconds", in_turn, cells);
      if (!why_no_step.empty()) cells[cells.size() - 3].note = footnote(times, why_no_step);
      append_ratio(steps, "total_seconds", in_turn, cells);
      times.rows.push_back(std::move(cells));
    }
  }
  const std::string unlike =
      "errors of A and B in different units are not compared; set preprocess.targets.units to \"original\" on both "
      "sides, or compare r2";
  if (differences.rows.empty())
    throw ConfigError("compare", unlike_units ? unlike : "no pair of trials has any of the metrics");
  if (unlike_units) differences.remarks.push_back(unlike);
  for (std::size_t b = 1; b < paired.size(); ++b) {
    const auto without = [&](const ComparedSide& side) {
      std::size_t steps = 0;
      for (const RecordRow& row : side.rows) steps += row.steps.size();
      return fmt::format("{} of {}", steps - paired[b], side.name);
    };
    differences.remarks.push_back(fmt::format("{} pairs of steps; without a partner: {}, {}", paired[b],
                                              without(comparison.sides[0]), without(comparison.sides[b])));
  }
  add_remark(times, times_apart_remark(apart));
  if (elsewhere > 0)
    times.remarks.push_back("The times of " + counted(elsewhere, "pair") +
                            " were measured on different machines, or with other kernels or numbers of threads.");
  if (!all_in_turn)
    times.remarks.push_back("A and B were not measured in turn, so the intervals ignore what changed in between.");
  return {std::move(differences), std::move(times)};
}

/// Adds the options that differ between the sides, taken from the first rows that form pairs.
void append_other_differences(const MethodComparison& comparison, const ComparedRuns& runs, Table& table) {
  constexpr std::size_t kMostRows = 50;
  for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
    std::vector<std::string> differences;
    std::size_t seen = 0;
    for (const MatchedRows& rows : comparison.rows) {
      const bool both = rows[0] != nullptr && rows[side] != nullptr && !rows[0]->imported && !rows[side]->imported;
      if (both && ++seen <= kMostRows)
        add_missing(differences, different_options(runs.a, *rows[0], runs.b, *rows[side]));
    }
    if (!differences.empty())
      table.remarks.push_back(fmt::format("The configs of {} and {} differ in {}.", comparison.sides[0].name,
                                          comparison.sides[side].name, fmt::join(differences, ", ")));
  }
}

std::vector<Table> tables_of(std::vector<ComparedSide> sides, const std::string& by, const std::string& what,
                             const ComparedRuns& runs, const CompareOptions& options) {
  const std::vector<RecordRow> rows = all_rows(sides);
  const Dimensions fields = fields_of_both(rows, runs);
  MethodComparison comparison{std::move(sides),
                              {},
                              metrics_of(options.metrics, rows),
                              &find_paired_test(options.test),
                              options.alpha,
                              [&](const RecordRow& row) { return test_over_train(runs.a, row); }};
  std::vector<std::string> remarks;
  comparison.rows = pair_rows(comparison.sides, fields, by, runs, remarks);
  std::vector<Table> tables = row_tables(comparison, what, by == "algorithm");
  add_remark(tables.front(), repeated_text(rows));
  tables.front().remarks.insert(tables.front().remarks.end(), remarks.begin(), remarks.end());
  append_other_differences(comparison, runs, tables.front());
  return tables;
}

}  // namespace

std::vector<Table> compare_records(const Frame& a, const Frame& b, const CompareOptions& options) {
  const ComparedRuns runs{a.run(), b.run()};
  const std::vector<RecordRow> known = all_rows({{"A", a.rows()}, {"B", b.rows()}});
  const Dimensions fields = fields_of_both(known, runs);
  const BoundPredicate conditions(options.where, fields, known);
  std::vector<ComparedSide> sides = {{"A", comparable(a, conditions, false, " of A")},
                                     {"B", comparable(b, conditions, false, " of B")}};
  std::vector<Table> tables = tables_of(std::move(sides), "", "B against A", runs, options);
  const std::vector<std::string> differ = different_data(runs.a, runs.b);
  for (Table& table : tables) table.remarks.insert(table.remarks.end(), differ.begin(), differ.end());
  return tables;
}

std::vector<Table> compare_by(const Frame& frame, const Condition& by, const CompareOptions& options) {
  const Dimension& field = frame.fields().find(by.field, "--by");
  const BoundPredicate conditions(options.where, frame.fields(), frame.rows());
  const std::vector<RecordRow> rows = comparable(frame, conditions, field.kind == DimensionKind::chosen, "");
  std::vector<ComparedSide> sides = sides_by(by, rows, frame.fields());
  const std::string what = "B against A (" + field.name + " " + sides[0].name + ")";
  return tables_of(std::move(sides), field.name, what, {frame.run(), frame.run()}, options);
}

}  // namespace elmx
