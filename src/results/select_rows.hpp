#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/dimensions.hpp"

namespace elmx {

/// Conditions "field=value" or "field=value,value", as --where has them; "-" is "has none", and
/// kBestOnTestInShort stands for kBestOnTest.
class RowConditions {
 public:
  struct Condition {
    const Dimension* field;
    std::set<std::string> texts;  ///< of the values that are let through
  };

  /// `known`: the rows whose values may be named. Points into `fields`. Throws ConfigError: no such field or
  /// value.
  RowConditions(const std::vector<std::string>& texts, const Dimensions& fields, const std::vector<RecordRow>& known);

  /// Whether one of them is on `chosen`.
  bool ask_for_choices() const;

  /// Whether one of them is on a place, or on the sizes, that a row chooses among (RecordRow::over).
  bool about_chosen_places(const std::vector<RecordRow>& rows) const;

  /// The trials that meet all of them, and the rows that have such trials.
  std::vector<RecordRow> applied(std::vector<RecordRow> rows) const;

 private:
  std::vector<Condition> conditions_;
};

/// What is left of `rows` under every one of `conditions`, "field=value" or "field=value,value": trials that
/// have one of the values in the field ("-": none), and the rows that have such trials. Choices among the
/// points of a grid are copies of their steps and are only kept where a condition is on `chosen` or
/// `with_choices`. Throws ConfigError: no field, no such value, nothing is left.
std::vector<RecordRow> select_rows(std::vector<RecordRow> rows, const Dimensions& fields,
                                   const std::vector<std::string>& conditions, bool with_choices);

/// The one of the known texts that is meant: "1e2" means 100, kBestOnTestInShort kBestOnTest; else the text
/// itself.
std::string meant(const std::string& text, const std::set<std::string>& known);

/// The trials of a row by what they have in a field: text -> the row with those trials alone.
std::map<std::string, RecordRow> parted(const RecordRow& row, const Dimension& field);

/// "a,b,c" -> a, b, c.
std::vector<std::string> split_list(const std::string& text);

}  // namespace elmx
