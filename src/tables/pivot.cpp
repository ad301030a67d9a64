#include "tables/pivot.hpp"

#include <algorithm>
#include <set>

#include "results/notes.hpp"
#include "results/row_keys.hpp"
#include "results/select_rows.hpp"
#include "tables/cell_statistics.hpp"
#include "tables/pivot_cells.hpp"
#include "tables/speed_ups.hpp"

namespace elmx {
namespace {

/// One level of columns below the fields: a statistic of a metric.
struct Measure {
  Quantity quantity;
  const CellStatistic* statistic;
};

bool is_speed_up(const Quantity& quantity) {
  return std::ranges::count(speed_up_quantities(), quantity.name, &Quantity::name) > 0;
}

/// The quantity of that name: of the records, a pooled one, or a speed-up.
Quantity found_quantity(const std::string& name, const std::vector<RecordRow>& rows) {
  std::vector<std::string> known = quantities_in(rows);
  for (const Quantity& speed_up : speed_up_quantities()) {
    if (std::ranges::count(known, time_of_speed_up(speed_up.name)) == 0) continue;
    if (speed_up.name == name) return speed_up;
    known.push_back(speed_up.name);
  }
  for (const Quantity& pooled : pooled_quantities()) {
    if (std::ranges::count(known, "test_" + pooled.name.substr(kPooled.size())) == 0) continue;
    if (pooled.name == name) return pooled;
    known.push_back(pooled.name);
  }
  return find_quantities({name}, known)[0];
}

bool can_be_best(const Measure& measure) {
  return measure.statistic->kind == StatisticKind::level && measure.quantity.better.has_value();
}

std::vector<Measure> measures_of(const PivotOptions& options, const std::vector<RecordRow>& rows) {
  std::vector<Measure> measures;
  for (const std::string& metric : options.metrics) {
    const Quantity quantity = found_quantity(metric, rows);
    for (const std::string& name : options.statistics) {
      measures.push_back({quantity, &find_cell_statistic(name)});
      const bool one_number = is_speed_up(quantity) || is_pooled(quantity.name);
      if (one_number && name != "mean_sd" && name != "mean")
        throw ConfigError("--stat " + name + ": " + quantity.name +
                          " is one number over all trials of a cell; use --stat mean");
      if (name == "best" && !quantity.better)
        throw ConfigError("--stat best: nothing says which " + quantity.name + " is better; allowed: min, max");
    }
  }
  if (options.best && options.columns.empty())
    throw ConfigError("--best: without --cols a row has nothing to compare; allowed: together with --cols");
  if (options.best && std::none_of(measures.begin(), measures.end(), can_be_best))
    throw ConfigError(
        "--best: of none of the columns it is known which value is better; allowed: --stat mean, median, ... of a "
        "metric of `elmx list metrics`");
  return measures;
}

Fields find_fields(const std::vector<std::string>& names, const Dimensions& fields, const std::string& option) {
  Fields found;
  for (const std::string& name : names) found.push_back(&fields.find(name, option));
  return found;
}

void refuse_twice(const Fields& rows, const Fields& columns) {
  std::set<const Dimension*> seen;
  for (const Fields* fields : {&rows, &columns}) {
    for (const Dimension* field : *fields) {
      if (!seen.insert(field).second)
        throw ConfigError("--rows, --cols: " + field->name + " is named twice; allowed: once");
    }
  }
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

/// "alg2, 100: test RMSE (sd)", where there are several metrics and statistics; in files
/// "alg2/100/test_rmse/sd".
Column column_of(const FieldValues& values, const Measure& measure, bool several_metrics, bool several_statistics) {
  std::vector<std::string> texts;
  for (const Json& value : values) texts.push_back(text_of(value));
  std::string heading = joined(texts, ", ");
  if (several_metrics || texts.empty()) heading += (texts.empty() ? "" : ": ") + measure.quantity.heading;
  if (several_statistics) heading += " (" + std::string(measure.statistic->heading) + ")";
  texts.push_back(measure.quantity.name);
  if (several_statistics) texts.push_back(measure.statistic->name);
  return {joined(texts, "/"), heading};
}

/// Of a cell with the trials alone that chose the values of its fields.
std::string trials_that_chose(const PivotCell& cell, const Fields& named) {
  std::size_t of_all = 0;
  for (const RecordRow* row : cell.rows) {
    const bool chosen = row->chose_this > 0 || std::ranges::any_of(named, [&](const Dimension* field) {
                          return std::ranges::count(row->over, field->key()) > 0;
                        });
    if (!chosen) return "";
    of_all += row->chose_this > 0 ? row->chose_this : row->trials();
  }
  const bool trial_by_trial = std::ranges::count(named, DimensionKind::of_trial, &Dimension::kind) > 0;
  return trial_by_trial ? "" : choice_text(cell.trials.trials(), of_all);
}

/// The speed-ups of cells: each trial over the same network of the reference.
class PivotSpeedUps {
 public:
  explicit PivotSpeedUps(const SpeedUps& speed_ups) : speed_ups_(speed_ups) {}

  Cell cell(const PivotCell& cell, const Quantity& quantity, std::optional<int> digits, Table& table) {
    const std::string time = time_of_speed_up(quantity.name);
    std::set<const StepRecord*> of_cell;
    for (const RecordedStep& one : cell.trials.steps) of_cell.insert(one.step);
    MatchedSteps pairs(2);
    std::string missing;
    for (const RecordRow* row : cell.rows) {
      const SpeedUp& found = speed_up(*row, time);
      if (missing.empty()) missing = found.missing;
      for (std::size_t i = 0; i < found.pairs[1].size(); ++i) {
        if (!of_cell.contains(found.pairs[1][i]->step)) continue;
        pairs[0].push_back(found.pairs[0][i]);
        pairs[1].push_back(found.pairs[1][i]);
      }
    }
    apart_[time] += times_apart(pairs);
    Cell shown =
        number_cell(time_ratio(times_of_trials(pairs, time)).value, digits ? significant(*digits) : quantity.display);
    if (!missing.empty()) shown.note = footnote(table, missing);
    return shown;
  }

  void add_remarks(Table& table) const {
    for (const auto& [name, reference] : speed_ups_.references()) {
      if (!reference.empty())
        add_remark(table, (name.empty() ? "Speed-ups" : name + ": speed-ups") + " are over " + reference + ".");
    }
    for (const auto& [time, apart] : apart_) {
      if (apart > 0) add_remark(table, "Speed-ups: " + times_apart_text(apart) + ".");
    }
  }

 private:
  /// A row is in several cells where these part its trials.
  const SpeedUp& speed_up(const RecordRow& row, const std::string& time) {
    const auto [found, is_new] = known_.try_emplace({&row, time});
    if (is_new) found->second = speed_ups_.of(row, time);
    return found->second;
  }

  const SpeedUps& speed_ups_;
  std::map<std::pair<const RecordRow*, std::string>, SpeedUp> known_;
  std::map<std::string, std::size_t> apart_;  // pairs that are left out, by the time
};

std::set<std::string> units_in(const PivotCell& cell) {
  std::set<std::string> units;
  for (const RecordRow* row : cell.rows) units.insert(row->units);
  return units;
}

/// The measures of one cell, at its end of `line`.
void append_cell(const PivotCell& cell, const Fields& named, const std::vector<Measure>& measures,
                 PivotSpeedUps& speed_ups, std::optional<int> digits, std::vector<Cell>& line, Table& table) {
  const RecordRow& trials = cell.trials;
  const std::string of_trials = both_notes(
      both_notes(trials_that_chose(cell, named), trials.failed() > 0 ? failure_text(trials) : ""), doubt_of(trials));
  for (const Measure& measure : measures) {
    if (is_speed_up(measure.quantity)) {
      line.push_back(speed_ups.cell(cell, measure.quantity, digits, table));
      continue;
    }
    const bool mixed = measure.quantity.in_target_units && units_in(cell).size() > 1;
    line.push_back(statistic_cell(*measure.statistic, measure.quantity, mixed ? RecordRow() : trials, digits));
    if (mixed)
      line.back().note = footnote(table, "its trials are in different units; name more fields in --rows or --cols");
    const std::string note = both_notes(of_trials, note_of(trials, measure.quantity));
    if (!note.empty() && !mixed) line.back().note = footnote(table, note);
  }
}

/// Marks the best of several numbers, and those that look the same.
void mark_best(const std::vector<Cell*>& cells, Better better) {
  if (cells.size() < 2) return;
  const Cell* best = *std::min_element(cells.begin(), cells.end(), [&](const Cell* a, const Cell* b) {
    return better == Better::lower ? *a->value < *b->value : *a->value > *b->value;
  });
  const std::string shown = show(*best->value, best->display);
  for (Cell* cell : cells) cell->best = show(*cell->value, cell->display) == shown;
}

/// Marks the best of each measure; they take turns in `line` from `first`. Numbers in several units have no
/// best.
void mark_best(std::vector<Cell>& line, std::size_t first, const std::vector<Measure>& measures, bool several_units) {
  for (std::size_t m = 0; m < measures.size(); ++m) {
    if (!can_be_best(measures[m]) || (several_units && measures[m].quantity.in_target_units)) continue;
    std::vector<Cell*> cells;
    for (std::size_t j = first + m; j < line.size(); j += measures.size()) {
      if (line[j].value) cells.push_back(&line[j]);
    }
    mark_best(cells, *measures[m].quantity.better);
  }
}

std::string title_of(const PivotOptions& options, const std::vector<Measure>& measures) {
  std::vector<std::string> metrics;
  std::vector<std::string> statistics;
  for (const Measure& measure : measures) {
    add_missing(metrics, {measure.quantity.heading});
    add_missing(statistics, {measure.statistic->heading});
  }
  std::vector<std::string> fields = options.rows;
  fields.insert(fields.end(), options.columns.begin(), options.columns.end());
  return joined(metrics, ", ") + " (" + joined(statistics, ", ") + ")" +
         (fields.empty() ? "" : " by " + joined(fields, ", "));
}

}  // namespace

Table pivot_table(const std::vector<Record>& records, const PivotOptions& options) {
  RecordTableOptions whole = options;  // the partners of speed-ups need not meet the conditions
  whole.where.clear();
  const std::vector<RecordRow> all_rows = shown_rows(records, whole);
  refuse_unknown_reference(all_rows, whole);
  const Dimensions fields(all_rows, options.order);
  const Fields row_fields = find_fields(options.rows, fields, "--rows");
  const Fields column_fields = find_fields(options.columns, fields, "--cols");
  refuse_twice(row_fields, column_fields);
  const auto names_chosen = [](const Fields& fields_of) {
    return std::ranges::count(fields_of, DimensionKind::chosen, &Dimension::kind) > 0;
  };
  const std::vector<RecordRow> rows =
      select_rows(all_rows, fields, options.where, names_chosen(row_fields) || names_chosen(column_fields));
  const std::vector<Measure> measures = measures_of(options, rows);

  const SpeedUps speed_ups(all_rows, reference_algorithms(all_rows, options.reference, options.baselines));
  PivotSpeedUps speed_up_cells(speed_ups);
  Fields named = row_fields;
  named.insert(named.end(), column_fields.begin(), column_fields.end());
  PivotCells cells = pivot_cells(rows, row_fields, column_fields);
  const std::vector<FieldValues> columns = columns_in(cells, column_fields);
  Table table{"pivot", title_of(options, measures), {}, {}, {}, {}};
  for (const Dimension* field : row_fields) table.columns.push_back({field->name, field->name});
  for (const FieldValues& column : columns) {
    for (const Measure& measure : measures)
      table.columns.push_back(column_of(column, measure, options.metrics.size() > 1, options.statistics.size() > 1));
  }
  for (auto& [values, of_row] : cells) {
    std::vector<Cell> line;
    for (const Json& value : values) line.push_back(cell_of(value));
    for (const FieldValues& column : columns)
      append_cell(of_row[column], named, measures, speed_up_cells, options.digits, line, table);
    std::set<std::string> units;
    for (const auto& [column, cell] : of_row) units.merge(units_in(cell));
    if (options.best) mark_best(line, values.size(), measures, units.size() > 1);
    if (units.size() > 1) add_remark(table, "Errors of different columns are in different units of the targets.");
    table.rows.push_back(std::move(line));
  }
  if (const std::string pooled = pooled_in(cells, fields); !pooled.empty())
    add_remark(table, "A cell takes together all values of " + pooled + ".");
  add_remark(table, repeated_text(rows));
  if (std::ranges::any_of(measures, [](const Measure& measure) { return is_speed_up(measure.quantity); }))
    speed_up_cells.add_remarks(table);
  const bool optimistic =
      std::any_of(rows.begin(), rows.end(), [](const RecordRow& row) { return row.chosen == kBestOnTest; });
  if (optimistic) add_remark(table, kOptimistic);
  return table;
}

}  // namespace elmx
