#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/numbers.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/pivot_measures.hpp"
#include "report/tables/speed_ups.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

/// The trials that have the same values in all fields of rows and columns, shown by one measure.
struct PivotCell {
  const Measure* measure = nullptr;
  RecordRow trials = {};                    ///< steps and failures; no keys
  std::vector<const RecordRow*> rows = {};  ///< the rows that have these trials
  std::set<std::string> units = {};         ///< units of these rows

  void add(const RecordRow& row, std::size_t i, const RecordTrial& trial) {
    if (rows.empty() || rows.back() != &row) rows.push_back(&row);
    units.insert(row.units);
    if (!row.units.empty()) trials.units = row.units;
    if (i < row.steps.size())
      trials.steps.push_back(row.steps[i]);
    else
      trials.failures.push_back(trial);
  }
};

class Pivot {
 public:
  Pivot(const Frame& frame, const PivotOptions& options)
      : frame_(frame),
        options_(with_full_names(options, frame.rows())),
        rows_(BoundPredicate(options.where, frame.fields(), frame.rows()).selected(frame.rows(), names("chosen"))),
        measures_(measures_of(options_, rows_)) {
    add_levels();
    for (const std::string& name : options.references.empty() ? std::vector<std::string>{""} : options.references) {
      refuse_unknown_reference(frame, name);
      speed_ups_.emplace_back(frame.rows(), reference_algorithms(frame.rows(), name, frame.run().baselines));
    }
    place_trials();
  }

  Table table() {
    table_.title = title();
    table_.label = frame_.run().label(fmt::format("{}-by-{}-{}", fmt::join(options_.metrics, "-"),
                                                  fmt::join(options_.rows, "-"), fmt::join(options_.columns, "-")));
    for (const Dimension* level : row_levels_) table_.columns.push_back({level->name, level->name});
    for (const FieldValues& values : columns_) table_.columns.push_back(column(values));
    for (const auto& [values, of_row] : cells_) {
      std::vector<Cell> line;
      for (std::size_t k = 0; k < values.size(); ++k) {
        const Dimension& level = *row_levels_[k];
        line.push_back(level.value ? cell_of(values[k]) : text_cell(text(level, values[k])));
      }
      for (const FieldValues& column : columns_) {
        const auto found = of_row.find(column);
        line.push_back(found == of_row.end() ? number_cell(nan) : shown_cell(found->second));
      }
      table_.rows.push_back(std::move(line));
    }
    if (options_.best) mark_best();
    add_remarks();
    return std::move(table_);
  }

 private:
  /// Returns true if the field heads rows or columns.
  bool names(const std::string& field) const {
    return std::ranges::count(options_.rows, field) + std::ranges::count(options_.columns, field) > 0;
  }

  Fields found(const std::vector<std::string>& wanted, const std::string& option) const {
    Fields levels;
    for (const std::string& name : wanted) {
      levels.push_back(name == "metric" ? &metric_
                       : name == "stat" ? &statistic_
                       : name == "part" ? &part_
                                        : &frame_.fields().find(name, option));
    }
    return levels;
  }

  void add_levels() {
    row_levels_ = found(options_.rows, "--rows");
    column_levels_ = found(options_.columns, "--cols");
    for (Measure& measure : measures_) {
      // "test_acc" becomes "acc" of the part "test".
      for (const std::string part : {"test", "train", "unlabelled"}) {
        if (!names("part") || !measure.quantity.kind || !measure.quantity.name.starts_with(part + "_")) continue;
        measure.part = part;
        measure.name = measure.quantity.name.substr(part.size() + 1);
        measure.quantity.heading = measure.quantity.heading.substr(part.size() + 1);
      }
      add_missing(metric_.listed, {measure.name});
      add_missing(statistic_.listed, {measure.statistic->name});
      if (!measure.part.empty()) add_missing(part_.listed, {measure.part});
    }
    if (!names("metric")) column_levels_.push_back(&metric_);
    if (!names("stat") && options_.statistics.size() > 1) column_levels_.push_back(&statistic_);
    hides_metric_ = !names("metric") && metric_.listed.size() == 1 && !options_.columns.empty();
    std::set<const Dimension*> seen;
    for (const Fields* levels : {&row_levels_, &column_levels_}) {
      for (const Dimension* level : *levels) {
        if (!seen.insert(level).second)
          throw ConfigError("--rows, --cols", "\"" + level->name + "\" is named twice; name each field once");
        if (level->value) fields_.push_back(level);
      }
    }
  }

  /// Returns true if the measure is shown for trials whose fields have these values.
  bool is_shown(const Measure& measure, const std::set<std::string>& texts) const {
    return std::ranges::all_of(options_.only, [&](const Condition& one) {
      return one.field != measure.metric ||
             std::ranges::any_of(one.values, [&](const std::string& value) { return texts.contains(value); });
    });
  }

  /// Returns the value of a trial in a level, which is a field of records or belongs to measures.
  Json value_in(const Dimension& level, const Measure& measure, const RecordRow& row, const RecordTrial& trial) const {
    if (level.value) return level.value(row, trial);
    if (&level == &metric_) return measure.name;
    if (&level == &statistic_) return measure.statistic->name;
    return measure.part.empty() ? Json() : Json(measure.part);
  }

  /// Puts each trial into a cell for each measure.
  void place_trials() {
    cells_ = decltype(cells_)(ByFields{row_levels_});
    FieldValueSet columns(ByFields{column_levels_});
    std::set<std::string> known;  // all values that --only can name
    for (const RecordRow& row : rows_) {
      const std::vector<RecordTrial> trials = trials_of(row);
      for (std::size_t i = 0; i < trials.size(); ++i) {
        std::set<std::string> texts;
        for (const Dimension* field : fields_) {
          if (!options_.only.empty()) texts.insert(text_of(field->value(row, trials[i])));
        }
        known.insert(texts.begin(), texts.end());
        for (const Measure& measure : measures_) {
          if (!is_shown(measure, texts)) continue;
          FieldValues of_row, of_column;
          for (const Dimension* level : row_levels_) of_row.push_back(value_in(*level, measure, row, trials[i]));
          for (const Dimension* level : column_levels_) of_column.push_back(value_in(*level, measure, row, trials[i]));
          columns.insert(of_column);
          auto& cells = cells_.try_emplace(std::move(of_row), ByFields{column_levels_}).first->second;
          PivotCell& cell = cells[std::move(of_column)];
          if (cell.measure == nullptr) cell.measure = &measure;
          if (cell.measure == &measure) cell.add(row, i, trials[i]);  // a metric may be asked for twice
        }
      }
    }
    columns_.assign(columns.begin(), columns.end());
    for (const Condition& one : options_.only) {
      for (const std::string& value : one.values) {
        if (!known.contains(value))
          throw ConfigError("--only " + one.field, "no row or column has \"" + value + '"' + suggest(value, known));
      }
    }
  }

  std::string title() const {
    std::vector<std::string> metrics, statistics, fields = options_.rows;
    for (const Measure& measure : measures_) {
      add_missing(metrics, {measure.quantity.heading});
      add_missing(statistics, {measure.statistic->heading()});
    }
    fields.insert(fields.end(), options_.columns.begin(), options_.columns.end());
    std::erase_if(fields, [](const std::string& name) { return name == "metric" || name == "stat" || name == "part"; });
    return fmt::format("{} ({}){}{}", fmt::join(metrics, ", "), fmt::join(statistics, ", "),
                       fields.empty() ? "" : " by ", fmt::join(fields, ", "));
  }

  /// Returns a value of a level as a heading of rows and columns.
  std::string text(const Dimension& level, const Json& value) const {
    if (&level == &metric_)
      return hides_metric_ ? ""
                           : std::ranges::find(measures_, value.get<std::string>(), &Measure::name)->quantity.heading;
    if (&level == &statistic_) return find_cell_statistic(value).heading();
    return &level == &part_ && value.is_null() ? "" : text_of(value);
  }

  /// Returns the column under the values of all column levels.
  Column column(const FieldValues& values) const {
    std::vector<ColumnLabel> labels;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Dimension& level = *column_levels_[k];
      const bool is_group = k + 1 < values.size() - (hides_metric_ ? 1 : 0) && values[k].is_number();
      labels.push_back({level.name, text_of(values[k]), (is_group ? level.name + " " : "") + text(level, values[k])});
    }
    return labelled_column(std::move(labels));
  }

  /// Returns the note of a cell that has only the trials that chose the values of its fields.
  std::string trials_that_chose(const PivotCell& cell) const {
    std::size_t of_all = 0;
    for (const RecordRow* row : cell.rows) {
      const auto is_chosen = [&](const Dimension* field) { return std::ranges::count(row->over, field->key()) > 0; };
      if (row->chose_this == 0 && std::ranges::none_of(fields_, is_chosen)) return "";
      of_all += row->chose_this > 0 ? row->chose_this : row->trials();
    }
    const bool trial_by_trial = std::ranges::count(fields_, DimensionKind::of_trial, &Dimension::kind) > 0;
    return trial_by_trial ? "" : choice_text(cell.trials.trials(), of_all);
  }

  /// Returns the speed-up of the trials of a cell, each over the same network of the reference.
  Cell speed_up_cell(const PivotCell& cell) {
    const Measure& measure = *cell.measure;
    const std::string time = time_of_speed_up(measure.quantity.name);
    std::set<const StepRecord*> of_cell;
    for (const RecordedStep& one : cell.trials.steps) of_cell.insert(one.step);
    MatchedSteps pairs;
    std::string missing;
    for (const RecordRow* row : cell.rows) {
      const SpeedUp found = speed_ups_[measure.reference].of(*row, time);
      if (missing.empty()) missing = found.missing;
      std::ranges::copy_if(found.pairs, std::back_inserter(pairs),
                           [&](const MatchedTrial& pair) { return of_cell.contains(pair[1]->step); });
    }
    apart_[{measure.reference, time}] += times_apart(pairs);
    Cell shown = number_cell(time_ratio(times_of_trials(pairs, time)).value,
                             options_.digits ? significant(*options_.digits) : measure.quantity.display);
    shown.note = footnote(table_, missing);
    return shown;
  }

  Cell shown_cell(const PivotCell& cell) {
    const Measure& measure = *cell.measure;
    if (is_speed_up(measure.quantity.name)) return speed_up_cell(cell);
    const bool in_several_units = measure.quantity.in_target_units && cell.units.size() > 1;
    Cell shown = statistic_cell(*measure.statistic, measure.quantity, in_several_units ? RecordRow() : cell.trials,
                                options_.digits);
    shown.note =
        footnote(table_, in_several_units ? "its trials are in different units; name more fields in --rows or --cols"
                                          : both_notes(trial_notes(cell.trials, trials_that_chose(cell)),
                                                       note_of(cell.trials, measure.quantity)));
    return shown;
  }

  /// Marks the best of each row, or of each column among the rows of one case and data set, and all cells
  /// that look the same. Numbers in several units have no best.
  void mark_best() {
    struct Contenders {
      std::vector<Cell*> cells;
      std::set<std::string> units;
    };
    std::map<std::pair<std::string, const Measure*>, Contenders> all;
    std::size_t i = 0;
    for (const auto& [values, of_row] : cells_) {
      std::string data_set;
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::string& field = row_levels_[k]->name;
        if (field == "dataset" || field == "case") data_set += text_of(values[k]) + '\n';
      }
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        const auto found = of_row.find(columns_[j]);
        Cell& cell = table_.rows[i][row_levels_.size() + j];
        if (found == of_row.end() || !cell.value || !found->second.measure->can_be_best()) continue;
        const std::string group = options_.best == BestBy::row ? std::to_string(i) : data_set + std::to_string(j);
        Contenders& contenders = all[{group, found->second.measure}];
        contenders.cells.push_back(&cell);
        contenders.units.insert(found->second.units.begin(), found->second.units.end());
      }
      ++i;
    }
    for (const auto& [key, contenders] : all) {
      const Quantity& quantity = key.second->quantity;
      if (contenders.cells.size() < 2 || (contenders.units.size() > 1 && quantity.in_target_units)) continue;
      const double sign = quantity.better == Better::lower ? 1 : -1;
      const Cell best =
          **std::ranges::min_element(contenders.cells, {}, [&](const Cell* c) { return sign * *c->value; });
      for (Cell* cell : contenders.cells)
        cell->best = show(*cell->value, cell->display) == show(*best.value, best.display);
    }
  }

  /// Returns the fields over which cells pool rows, "nodes (20, 100), mu (9 values)". Throws ConfigError if a
  /// cell has several choices among the same steps.
  std::string pooled_fields() const {
    std::vector<std::string> texts;
    for (const Dimension& field : frame_.fields().all()) {
      FieldValueSet all(ByFields{{&field}});
      for (const auto& [of_row, cells] : cells_) {
        for (const auto& [of_column, cell] : cells) {
          FieldValueSet here = values_in(field, cell.rows);
          if (here.size() > 1) all.insert(here.begin(), here.end());
          if (field.name == "chosen" && here.size() - here.count(FieldValues(1, Json())) > 1)
            throw ConfigError(
                "--where chosen",
                "a cell would count some results more than once; name one choice, or put chosen in --rows or --cols");
        }
      }
      if (!all.empty() && field.name != "chosen") texts.push_back(field.name + " (" + listed(all) + ")");
    }
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  void add_remarks() {
    if (const std::string pooled = pooled_fields(); !pooled.empty())
      add_remark(table_, "A cell takes together all values of " + pooled + ".");
    add_remark(table_, repeated_text(rows_));
    if (std::ranges::any_of(measures_, [](const Measure& one) { return one.quantity.in_target_units; })) {
      for (const RecordRow& row : rows_) add_remark(table_, units_text(row));
    }
    if (std::ranges::any_of(measures_, [](const Measure& one) { return is_speed_up(one.quantity.name); })) {
      for (const SpeedUps& speed_ups : speed_ups_) add_references(speed_ups.references());
    }
    for (const auto& [place, apart] : apart_) add_remark(table_, times_apart_remark(apart));
    if (std::ranges::count(rows_, kBestOnTest, &RecordRow::chosen) > 0) add_remark(table_, kOptimistic);
  }

  void add_references(const std::map<std::string, std::string>& references) {
    for (const auto& [name, algorithm] : references) {
      if (!algorithm.empty() && std::ranges::count(rows_, name, &RecordRow::experiment_case) > 0)
        add_remark(table_, (name.empty() ? "Speed-ups" : name + ": speed-ups") + " are over " + algorithm + ".");
    }
  }

  const Frame& frame_;
  const PivotOptions options_;
  std::vector<RecordRow> rows_;
  std::vector<Measure> measures_;
  // These levels belong to measures and have no value in a record.
  Dimension metric_{"metric", DimensionKind::named}, statistic_{"stat", DimensionKind::named},
      part_{"part", DimensionKind::named};
  Fields row_levels_, column_levels_;
  Fields fields_;                    // the levels that are fields of the records, rows first
  bool hides_metric_ = false;        // a single metric is in the title
  std::vector<SpeedUps> speed_ups_;  // over each reference
  std::map<std::pair<std::size_t, std::string>, std::size_t> apart_;  // omitted pairs by reference and time
  // by the values of the row levels, then of the column levels
  std::map<FieldValues, std::map<FieldValues, PivotCell, ByFields>, ByFields> cells_;
  std::vector<FieldValues> columns_;  // the values of the column levels that occur, in order
  Table table_{"pivot", ""};
};

}  // namespace

Table pivot_table(const Frame& frame, const PivotOptions& options) { return Pivot(frame, options).table(); }

}  // namespace elmx
