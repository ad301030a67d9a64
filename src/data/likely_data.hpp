#pragma once

#include <optional>
#include <string>

#include "base/config/json.hpp"
#include "data/formats/delimited.hpp"

namespace elmx {

/// What a file of one's own seems to be.
struct LikelyData {
  std::string name;  ///< of the data
  Json data;         ///< "data" of a config that reads it: format, target, task, what is dropped
  bool target_guessed = false;
  bool task_guessed = false;
  std::vector<std::string> notes;        ///< what was done with columns that are not what they seem
  std::optional<DelimitedColumns> file;  ///< of delimited text: what its columns hold
};

/// Completes "data" of a config, which names a file in "path", by what the whole file shows; what it says already
/// holds.
///
///     format   by the end of the name; a .dat that does not begin as KEEL's do is delimited text
///     target   the last column that is no identifier, date or constant
///     task     classification where the target has texts, two values, or the numbers 0 ... k - 1 or 1 ... k of few
///              classes; else regression
///     missing_values   of delimited text: few texts among the numbers of a column
///     drop, nominal, missing   of delimited text: without them it would be refused, or identifiers would be inputs
///
/// Throws ConfigError (no such column) and DataError, as reading does.
LikelyData likely_data(Json given);

}  // namespace elmx
