#pragma once

#include <filesystem>

#include "base/config/json.hpp"
#include "data/table/read_report.hpp"

namespace elmx {

/// A text that was converted to an array.
struct Conversion {
  std::size_t rows = 0, columns = 0;
  Json data;  ///< "data" of a config that reads the array
  ReadReport report;
};

/// Converts delimited text to a .npy array of doubles: a row for each row with a target, the inputs as a
/// model sees them (a column for each category, missing numbers NaN), the target last, a class by its number.
/// Two passes over the text, some MiB of it in memory. The array is there as a whole or not at all.
///
/// given: as for infer_data. Throws ConfigError, DataError.
Conversion convert_to_npy(Json given, const std::filesystem::path& output);

}  // namespace elmx
