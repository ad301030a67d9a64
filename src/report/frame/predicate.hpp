#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/frame/dimensions.hpp"

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

}  // namespace elmx
