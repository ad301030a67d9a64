#pragma once

#include <filesystem>

#include "base/config/json.hpp"
#include "data/table/read_report.hpp"

namespace elmx {

/// The result of converting a text to an array.
struct Conversion {
  std::size_t rows = 0, columns = 0;
  Json data;  ///< "data" of a config that reads the array
  ReadReport report;
};

/// Converts delimited text to a .npy array of doubles. Each row with a target becomes a row: first the inputs
/// as a model sees them (a column for each category, missing numbers NaN), then the target, a class as its
/// number. Makes two passes over the text with some MiB in memory. The output file is complete or absent.
///
/// given: the same as for infer_data. Throws ConfigError, DataError.
Conversion convert_to_npy(Json given, const std::filesystem::path& output);

}  // namespace elmx
