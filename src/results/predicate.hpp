#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/dimensions.hpp"

namespace elmx {

/// A field and the values that it may have: "nodes=20,100" on a command line, {"nodes": [20, 100]} in a
/// config.
struct Condition {
  std::string field;                ///< its name, or the whole place of a swept one
  std::vector<std::string> values;  ///< any of them; "-" = none
  /// the values as they were given together: one value may have commas of its own
  std::string text = {};

  /// Returns those of `known` that are meant, in the order given: "1e2" means 100, kBestOnTestInShort
  /// kBestOnTest. Throws ConfigError that begins with `option` and names the nearest where one is not known.
  std::vector<std::string> meant(const std::set<std::string>& known, const std::string& option) const;
};

/// Conditions that a trial meets all together.
using Predicate = std::vector<Condition>;

/// Reads "field=value" or "field=value,value". Without "=", a condition without values: all that occur.
/// `option` begins what is thrown.
Condition condition_of(const std::string& text, const std::string& option);

/// Reads --where, a condition each. Throws ConfigError that begins with `option`: one without a value.
Predicate predicate_of(const std::vector<std::string>& texts, const std::string& option = "--where");

/// Reads {"field": value or list of values}.
Predicate predicate_from_json(const Json& object);

/// A predicate over given rows: the fields are found, the values known.
class BoundPredicate {
 public:
  /// `known`: the rows whose values may be named. Points into `fields`. Throws ConfigError: no such field or
  /// value.
  BoundPredicate(const Predicate& predicate, const Dimensions& fields, const std::vector<RecordRow>& known);

  /// Returns true if one of the conditions is on `chosen`.
  bool asks_for_choices() const;

  /// Returns true if a condition is on a place, or on the sizes, that a row chooses among (RecordRow::over).
  bool is_about_chosen_places(const std::vector<RecordRow>& rows) const;

  /// The trials that meet all of them, and the rows that have such trials.
  std::vector<RecordRow> applied(std::vector<RecordRow> rows) const;

  /// The same; choices among the points of a grid, copies of their steps, are kept only where a condition is
  /// on `chosen` or `with_choices`. Throws ConfigError where nothing is left.
  std::vector<RecordRow> selected(std::vector<RecordRow> rows, bool with_choices) const;

 private:
  struct Bound {
    const Dimension* field;
    std::set<std::string> texts;  ///< of the values that are let through
  };
  std::vector<Bound> conditions_;
};

/// The trials of a row by what they have in a field: text -> the row with those trials alone.
std::map<std::string, RecordRow> parted(const RecordRow& row, const Dimension& field);

/// "a,b[c, d]" -> a, b[c, d]: brackets keep a comma; "" -> none.
std::vector<std::string> split_list(const std::string& text);

}  // namespace elmx
