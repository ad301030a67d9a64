#include "tables/pivot.hpp"

#include <algorithm>
#include <set>

#include "base/nan.hpp"
#include "results/notes.hpp"
#include "results/row_keys.hpp"
#include "tables/pivot_levels.hpp"
#include "tables/speed_ups.hpp"
#include "tables/tables_of_records.hpp"

namespace elmx {
namespace {

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

void refuse_unknown_metric(const std::string& option, const std::string& metric,
                           const std::vector<std::string>& metrics) {
  if (std::ranges::count(metrics, metric) == 0)
    throw ConfigError(option + " " + metric + ": not in --metric" + suggest(metric, metrics));
}

/// The quantity as it is shown in percent.
Quantity in_percent(Quantity quantity) {
  quantity.heading += " (%)";
  quantity.display.scale = 100;
  if (quantity.display.notation == Display::Notation::fixed)
    quantity.display.digits = std::max(0, quantity.display.digits - 2);
  return quantity;
}

std::vector<Measure> measures_of(const PivotOptions& options, const std::vector<RecordRow>& rows) {
  std::vector<Measure> measures;
  for (const std::string& metric : options.metrics) {
    const Quantity known = found_quantity(metric, rows);
    const Quantity quantity = std::ranges::count(options.percent, metric) > 0 ? in_percent(known) : known;
    for (const std::string& name : options.statistics) {
      const CellStatistic* statistic = &find_cell_statistic(name);
      const bool one_number = is_speed_up(quantity) || is_pooled(quantity.name);
      if (one_number && name != "mean_sd" && name != "mean")
        throw ConfigError("--stat " + name + ": " + quantity.name +
                          " is one number over all trials of a cell; use --stat mean");
      if (name == "best" && !quantity.better)
        throw ConfigError("--stat best: nothing says which " + quantity.name + " is better; allowed: min, max");
      measures.push_back({quantity, statistic, metric, metric});
      if (!is_speed_up(quantity) || options.references.size() < 2) continue;
      measures.pop_back();
      for (std::size_t i = 0; i < options.references.size(); ++i) {
        const std::string over = " over " + options.references[i];
        measures.push_back({quantity, statistic, metric, metric + over, "", i});
        measures.back().quantity.heading += over;
      }
    }
  }
  for (const std::string& metric : options.percent) refuse_unknown_metric("--percent", metric, options.metrics);
  for (const MetricValues& one : options.only) refuse_unknown_metric("--only", one.metric, options.metrics);
  if (options.best == BestBy::row && options.columns.empty())
    throw ConfigError("--best: without --cols a row has nothing to compare; use it together with --cols");
  if (options.best == BestBy::column && options.rows.empty())
    throw ConfigError("--best-by column: without --rows a column has nothing to compare; use it together with --rows");
  if (options.best && std::none_of(measures.begin(), measures.end(), can_be_best))
    throw ConfigError(
        "--best: of none of the columns it is known which value is better; allowed: --stat mean, median, ... of a "
        "metric of `elmx list metrics`");
  return measures;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
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
  explicit PivotSpeedUps(SpeedUps speed_ups) : speed_ups_(std::move(speed_ups)) {}

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

  /// Names the references of the cases that `rows` are of.
  void add_remarks(const std::vector<RecordRow>& rows, Table& table) const {
    for (const auto& [name, reference] : speed_ups_.references()) {
      if (!reference.empty() && std::ranges::count(rows, name, &RecordRow::experiment_case) > 0)
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

  SpeedUps speed_ups_;
  std::map<std::pair<const RecordRow*, std::string>, SpeedUp> known_;
  std::map<std::string, std::size_t> apart_;  // pairs that are left out, by the time
};

std::set<std::string> units_in(const PivotCell& cell) {
  std::set<std::string> units;
  for (const RecordRow* row : cell.rows) units.insert(row->units);
  return units;
}

/// One measure of the trials of a cell.
Cell measured_cell(const PivotCell& cell, const Fields& named, const Measure& measure, PivotSpeedUps& speed_ups,
                   std::optional<int> digits, Table& table) {
  if (is_speed_up(measure.quantity)) return speed_ups.cell(cell, measure.quantity, digits, table);
  const RecordRow& trials = cell.trials;
  if (measure.quantity.in_target_units && units_in(cell).size() > 1) {
    Cell shown = statistic_cell(*measure.statistic, measure.quantity, RecordRow(), digits);
    shown.note = footnote(table, "its trials are in different units; name more fields in --rows or --cols");
    return shown;
  }
  Cell shown = statistic_cell(*measure.statistic, measure.quantity, trials, digits);
  const std::string of_trials = both_notes(
      both_notes(trials_that_chose(cell, named), trials.failed() > 0 ? failure_text(trials) : ""), doubt_of(trials));
  const std::string note = both_notes(of_trials, note_of(trials, measure.quantity));
  if (!note.empty()) shown.note = footnote(table, note);
  return shown;
}

/// A measure of a cell of records, at its place in the table.
struct PlacedCell {
  const PivotCell* cell = nullptr;
  const Measure* measure = nullptr;
};

/// Values of the row levels -> values of the column levels -> cell.
using PlacedCells = std::map<FieldValues, std::map<FieldValues, PlacedCell, ByFields>, ByFields>;

/// Marks the best of several numbers, and those that look the same.
void mark_best(const std::vector<Cell*>& cells, Better better) {
  if (cells.size() < 2) return;
  const Cell* best = *std::min_element(cells.begin(), cells.end(), [&](const Cell* a, const Cell* b) {
    return better == Better::lower ? *a->value < *b->value : *a->value > *b->value;
  });
  const std::string shown = show(*best->value, best->display);
  for (Cell* cell : cells) cell->best = show(*cell->value, cell->display) == shown;
}

/// Numbers of one measure among which the best is marked.
struct Contenders {
  const Measure* measure = nullptr;
  std::vector<Cell*> cells;
  std::set<std::string> units;
};

/// Marks the best of each row, or of each column among the rows of one case and data set. Numbers in several
/// units have no best.
void mark_best(const PlacedCells& placed, const PivotLevels& levels, const std::vector<FieldValues>& columns,
               BestBy best_by, Table& table) {
  std::map<std::pair<std::string, const Measure*>, Contenders> all;
  std::size_t i = 0;
  for (const auto& [values, of_row] : placed) {
    std::string row = std::to_string(i);
    if (best_by == BestBy::column) {
      row.clear();
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::string& field = levels.rows[k]->name;
        if (field == "dataset" || field == "case") row += text_of(values[k]) + '\n';
      }
    }
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto found = of_row.find(columns[j]);
      Cell& cell = table.rows[i][levels.rows.size() + j];
      if (found == of_row.end() || !cell.value || !can_be_best(*found->second.measure)) continue;
      const std::string group = best_by == BestBy::row ? row : row + std::to_string(j);
      Contenders& contenders = all[{group, found->second.measure}];
      contenders.measure = found->second.measure;
      contenders.cells.push_back(&cell);
      contenders.units.merge(units_in(*found->second.cell));
    }
    ++i;
  }
  for (const auto& [key, contenders] : all) {
    if (contenders.units.size() < 2 || !contenders.measure->quantity.in_target_units)
      mark_best(contenders.cells, *contenders.measure->quantity.better);
  }
}

std::string title_of(const PivotOptions& options, const std::vector<Measure>& measures) {
  std::vector<std::string> metrics;
  std::vector<std::string> statistics;
  for (const Measure& measure : measures) {
    add_missing(metrics, {measure.quantity.heading});
    add_missing(statistics, {measure.statistic->heading});
  }
  std::vector<std::string> fields;
  for (const std::vector<std::string>* names : {&options.rows, &options.columns}) {
    for (const std::string& name : *names) {
      if (name != "metric" && name != "stat" && name != "part") fields.push_back(name);
    }
  }
  return joined(metrics, ", ") + " (" + joined(statistics, ", ") + ")" +
         (fields.empty() ? "" : " by " + joined(fields, ", "));
}

/// The speed-ups over each of the references, or over that of the config.
std::vector<PivotSpeedUps> speed_ups_over(const Frame& frame, std::vector<std::string> references) {
  if (references.empty()) references = {""};
  std::vector<PivotSpeedUps> all;
  for (const std::string& reference : references) {
    refuse_unknown_reference(frame, reference);
    all.emplace_back(SpeedUps(frame.rows(), reference_algorithms(frame.rows(), reference, frame.run().baselines)));
  }
  return all;
}

/// Returns true if the values of a cell's fields let a measure be shown.
bool is_shown(const Measure& measure, const std::set<std::string>& values, const std::vector<MetricValues>& only) {
  return std::ranges::all_of(only, [&](const MetricValues& one) {
    return one.metric != measure.metric ||
           std::ranges::any_of(one.values, [&](const std::string& value) { return values.contains(value); });
  });
}

/// Each measure of each cell at its place.
PlacedCells placed_cells(const PivotCells& cells, const PivotLevels& levels, const std::vector<Measure>& measures,
                         const std::vector<MetricValues>& only) {
  PlacedCells placed(ByFields{levels.rows});
  std::set<std::string> known;
  for (const auto& [row, of_row] : cells) {
    for (const auto& [column, cell] : of_row) {
      std::set<std::string> values;
      for (const FieldValues* of_cell : {&row, &column}) {
        for (const Json& value : *of_cell) values.insert(text_of(value));
      }
      known.insert(values.begin(), values.end());
      for (const Measure& measure : measures) {
        if (!is_shown(measure, values, only)) continue;
        placed.try_emplace(levels.values(levels.rows, row, measure), ByFields{levels.columns})
            .first->second[levels.values(levels.columns, column, measure)] = {&cell, &measure};
      }
    }
  }
  for (const MetricValues& one : only) {
    for (const std::string& value : one.values) {
      if (!known.contains(value))
        throw ConfigError("--only " + one.metric + ": no row or column is of \"" + value + '"' + suggest(value, known));
    }
  }
  return placed;
}

/// The values of the column levels that occur, in order.
std::vector<FieldValues> columns_of(const PlacedCells& placed, const PivotLevels& levels) {
  FieldValueSet columns(ByFields{levels.columns});
  for (const auto& [row, of_row] : placed) {
    for (const auto& [column, cell] : of_row) columns.insert(column);
  }
  return {columns.begin(), columns.end()};
}

}  // namespace

Table pivot_table(const Frame& frame, const PivotOptions& options) {
  const Dimensions& fields = frame.fields();
  const bool names_chosen =
      std::ranges::count(options.rows, "chosen") + std::ranges::count(options.columns, "chosen") > 0;
  const std::vector<RecordRow> rows =
      BoundPredicate(options.where, fields, frame.rows()).selected(frame.rows(), names_chosen);
  std::vector<Measure> measures = measures_of(options, rows);
  const PivotLevels levels(options, fields, measures);
  std::vector<PivotSpeedUps> speed_ups = speed_ups_over(frame, options.references);

  const Fields row_fields = levels.fields_of(levels.rows), column_fields = levels.fields_of(levels.columns);
  Fields named = row_fields;
  named.insert(named.end(), column_fields.begin(), column_fields.end());
  const PivotCells cells = pivot_cells(rows, row_fields, column_fields);
  const PlacedCells placed = placed_cells(cells, levels, measures, options.only);
  const std::vector<FieldValues> columns = columns_of(placed, levels);

  Table table{"pivot", title_of(options, measures), {}, {}, {}, {}};
  table.label = frame.run().label(joined(options.metrics, "-") + "-by-" + joined(options.rows, "-") + "-" +
                                  joined(options.columns, "-"));
  for (const Dimension* level : levels.rows) table.columns.push_back({level->name, level->name});
  for (const FieldValues& column : columns) table.columns.push_back(levels.column(column));
  for (const auto& [values, of_row] : placed) {
    std::vector<Cell>& line = table.rows.emplace_back();
    for (std::size_t k = 0; k < values.size(); ++k) line.push_back(levels.row_head(levels.rows[k], values[k]));
    std::set<std::string> units;
    for (const FieldValues& column : columns) {
      const auto found = of_row.find(column);
      if (found == of_row.end()) {
        line.push_back(number_cell(nan));
        continue;
      }
      const auto& [cell, measure] = found->second;
      line.push_back(measured_cell(*cell, named, *measure, speed_ups[measure->speed_ups], options.digits, table));
      units.merge(units_in(*cell));
    }
    if (units.size() > 1) add_remark(table, "Errors of different columns are in different units of the targets.");
  }
  if (options.best) mark_best(placed, levels, columns, *options.best, table);
  if (const std::string pooled = pooled_in(cells, fields); !pooled.empty())
    add_remark(table, "A cell takes together all values of " + pooled + ".");
  add_remark(table, repeated_text(rows));
  if (std::ranges::any_of(measures, [](const Measure& measure) { return is_speed_up(measure.quantity); }))
    std::ranges::for_each(speed_ups, [&](const PivotSpeedUps& over) { over.add_remarks(rows, table); });
  const bool optimistic =
      std::any_of(rows.begin(), rows.end(), [](const RecordRow& row) { return row.chosen == kBestOnTest; });
  if (optimistic) add_remark(table, kOptimistic);
  return table;
}

}  // namespace elmx
