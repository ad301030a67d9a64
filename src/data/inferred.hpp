#pragma once

#include <filesystem>

#include "base/config/json.hpp"
#include "data/catalogue.hpp"
#include "data/table/dataset.hpp"

namespace elmx {

/// A file of the user's that was read without a config, and "data" of a config that reads it again without a
/// guess.
struct InferredData {
  Dataset dataset;
  Json data;
  bool target_is_guessed = false;
};

/// Reads a file, opened once. `given` is what is said of it: "path", and any other member of "data".
///
///     format   by the first bytes of its content, then by the end of its name
///     target   the last column of numbers or categories
///     task     classification if the target has texts, two values, or few whole numbers from 0 or 1 on; else regression
///     missing  "mean": only rows without a target are left out
///
/// Throws ConfigError (no such column) and DataError, as reading does.
InferredData infer_data(Json given);

}  // namespace elmx
