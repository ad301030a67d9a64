#pragma once

#include <filesystem>

#include "base/config/json.hpp"
#include "data/catalogue.hpp"
#include "data/table/dataset.hpp"

namespace elmx {

/// A user's file that was read without a config, and the "data" section of a config that reads the file again
/// without inference.
struct InferredData {
  Dataset dataset;
  Json data;
  bool target_is_guessed = false;
};

/// Reads a file, which is opened once. `given` has the known members of "data": "path" and any others.
/// Infers:
///
///     format   from the first bytes of the content, then from the file name extension
///     target   the last column of numbers or categories
///     task     classification if the target has texts, two values, or few whole numbers from 0 or 1 on;
///              else regression
///     missing  "mean": only rows without a target are left out
///
/// Throws ConfigError (no such column), DataError.
InferredData infer_data(Json given);

}  // namespace elmx
