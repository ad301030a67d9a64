#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/table/dataset.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// The column that determines how rows are divided; name "" = none. It is not an input, and its values are
/// kept unchanged.
struct SplitColumn {
  std::string name;   ///< or its number
  std::string place;  ///< the option that names the column, "/split/group"
};

/// The options for reading the tables of a set, common to options.hpp (a user's file) and catalogue.hpp (a
/// known set). Columns are given by name, or by number from 1 (negative: from the end).
struct TableOptions {
  std::vector<std::string> target;
  std::vector<std::string> other_targets;  ///< columns that are never inputs, even if they are not the target
  std::vector<std::string> drop;
  std::vector<std::string> nominal;
  bool codes = false;  ///< categories as numbers 0, 1, ... in place of one column each
  Task task = Task::regression;
  std::string missing = "refuse";
  std::string label_strip;
  MissingValues missing_values = MissingValues::usual();  ///< for delimited text, ARFF and KEEL
  SplitColumn split = {};
  /// For a new file for a model: the model's columns, which replace the options above.
  std::shared_ptr<const KnownFile> known = nullptr;
  /// Columns of the first file of the set; the second file has the same roles and kinds.
  std::shared_ptr<const std::vector<RawColumn>> first_file = nullptr;

  bool guess_target = false;  ///< choose the target, if none is named
  bool guess_task = false;    ///< infer the task from the values of the target, in place of `task`

  /// Returns true if the kind of a column may be inferred.
  bool infers() const { return !known && !first_file; }
};

/// Sets the role of each column of a file and, if known, its kind. `default_target` (names) applies if the
/// options name no target. Throws ConfigError: no such column, an ambiguous name, no target, several targets
/// of a classification, a column that is both target and dropped, a nominal regression target.
void assign_roles(std::vector<RawColumn>& columns, const TableOptions& options,
                  const std::vector<std::string>& default_target = {});

/// Throws DataError if two used columns have the same name.
void refuse_equal_names(const std::vector<RawColumn>& columns, const std::string& origin);

/// Returns columns for a file without a header: column1, column2 ...
std::vector<RawColumn> unnamed_columns(std::size_t count);

}  // namespace elmx
