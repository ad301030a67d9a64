#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/table/dataset.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// The column that says how rows are divided; name "" = none. It is no input, and its values are kept as they
/// stand.
struct SplitColumn {
  std::string name;   ///< or its number
  std::string place;  ///< of the option that names it, "/split/group"
};

/// How the files of one set are to be read: what options.hpp (a user's file) and catalogue.hpp (a known set)
/// have in common. Columns are named, or numbered from 1 (negative: from the end).
struct TableOptions {
  std::vector<std::string> target;
  std::vector<std::string> other_targets;  ///< never inputs, whether or not they are the target
  std::vector<std::string> drop;
  std::vector<std::string> nominal;
  bool codes = false;  ///< categories as numbers 0, 1, ... in place of one column each
  Task task = Task::regression;
  std::string missing = "refuse";
  std::string label_strip;
  MissingValues missing_values = MissingValues::usual();  ///< of delimited text, ARFF and KEEL
  SplitColumn split = {};
  /// a new file for a model: its columns decide in place of what stands above
  std::shared_ptr<const KnownFile> known = nullptr;
  /// columns of the first file of the set, whose roles and kinds the second has, too
  std::shared_ptr<const std::vector<RawColumn>> first_file = nullptr;

  bool guess_target = false;  ///< choose the target, if none is named
  bool guess_task = false;    ///< let the values of the target say whether it is a class, in place of `task`

  /// Returns true if a column may become something else than the config says.
  bool infers() const { return !known && !first_file; }
};

/// Gives each column of a file its role and, where it is known, its kind. `default_target` (names) holds
/// where the options name no target. Throws ConfigError: no such column, a name that several columns have, no
/// target, more than one target of a classification, a column that is both target and dropped, a nominal
/// regression target.
void assign_roles(std::vector<RawColumn>& columns, const TableOptions& options,
                  const std::vector<std::string>& default_target = {});

/// Throws DataError if two columns that are used have the same name.
void refuse_equal_names(const std::vector<RawColumn>& columns, const std::string& origin);

/// Names for the columns of a file without a header: column1, column2 ...
std::vector<RawColumn> unnamed_columns(std::size_t count);

}  // namespace elmx
