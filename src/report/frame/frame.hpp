#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "report/frame/dimensions.hpp"
#include "report/frame/run_description.hpp"

namespace elmx {

/// A field and its accepted values: "nodes=20,100" on a command line, {"nodes": [20, 100]} in a config.
struct Condition {
  std::string field;                ///< its name, or the whole place of a swept field
  std::vector<std::string> values;  ///< alternatives; "-" = none
  /// the unsplit text of the values, because a value may contain commas
  std::string text = {};

  /// Returns the matching values of `known`, in the given order: "1e2" matches 100, kBestOnTestInShort
  /// matches kBestOnTest. Throws ConfigError that begins with `option` and suggests the nearest value if one
  /// is unknown.
  std::vector<std::string> meant(const std::set<std::string>& known, const std::string& option) const;
};

/// Conditions that a trial must all meet.
using Predicate = std::vector<Condition>;

/// Reads "field=value" or "field=value,value". Without "=", the condition has no values and stands for all
/// that occur. Error messages begin with `option`.
Condition condition_of(const std::string& text, const std::string& option);

/// Reads the conditions of --where. Throws ConfigError that begins with `option` if a condition has no value.
Predicate predicate_of(const std::vector<std::string>& texts, const std::string& option = "--where");

/// Reads {"field": value or list of values}.
Predicate predicate_from_json(const Json& object);

/// A predicate whose fields and values were looked up in given rows.
class BoundPredicate {
 public:
  /// `known`: rows with allowed values. Points into `fields`. Throws ConfigError for unknown fields or
  /// values.
  BoundPredicate(const Predicate& predicate, const Dimensions& fields, const std::vector<RecordRow>& known);

  /// Returns true if a condition is on `chosen`.
  bool asks_for_choices() const;

  /// Returns true if a condition is on a place, or on the sizes, that a row chooses among (RecordRow::over).
  bool is_about_chosen_places(const std::vector<RecordRow>& rows) const;

  /// Returns the trials that meet all conditions, and the rows that have such trials.
  std::vector<RecordRow> applied(std::vector<RecordRow> rows) const;

  /// Does the same, but drops choices among the points of a grid, which are copies of steps, unless a
  /// condition is on `chosen` or `with_choices` is true. Throws ConfigError if nothing is left.
  std::vector<RecordRow> selected(std::vector<RecordRow> rows, bool with_choices) const;

 private:
  struct Bound {
    const Dimension* field;
    std::set<std::string> texts;  ///< texts of the accepted values
  };
  std::vector<Bound> conditions_;
};

/// Groups the trials of a row by their value in a field: text -> the row with only those trials.
std::map<std::string, RecordRow> parted(const RecordRow& row, const Dimension& field);

/// Splits at commas outside brackets: "a,b[c, d]" -> a, b[c, d]; "" -> none.
std::vector<std::string> split_list(const std::string& text);

/// The results of one run. All views (tables, pivots, comparisons, diagrams, the page, expectations and
/// published tables) are functions of a frame. A frame has the records, their rows (group_records), the
/// choices of each trial among the points of grids and sweeps (with_selections), the units of the errors, and
/// the fields that tell rows and trials apart. Copies share the records.
class Frame {
 public:
  /// Without a description, records are in natural order, and only algorithms make choices.
  Frame(std::vector<Record> records, RunDescription run = {});

  /// Returns all rows: points of grids and sweeps, and the choices among them.
  const std::vector<RecordRow>& rows() const { return rows_; }

  /// Returns the fields that tell all rows of the run apart.
  const Dimensions& fields() const { return run_->fields; }
  const RunDescription& run() const { return run_->description; }

  const std::vector<Record>& all_records() const { return run_->records; }

  /// Returns the trials that meet the predicate. Throws ConfigError if a field or value is unknown or no
  /// trial is left.
  Frame where(const Predicate& predicate) const;

  /// Returns the conditions that the trials of this frame meet.
  const Predicate& predicate() const { return predicate_; }

  /// Returns the rows of the run without any predicate, for baselines of speed-ups and ranges of axes.
  const std::vector<RecordRow>& all_rows() const { return run_->rows; }

 private:
  struct Run {
    std::vector<Record> records;
    RunDescription description;
    std::vector<RecordRow> rows;
    Dimensions fields;
  };
  std::shared_ptr<const Run> run_;
  std::vector<RecordRow> rows_;
  Predicate predicate_;
};

}  // namespace elmx
