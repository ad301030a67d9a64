#pragma once

#include <armadillo>
#include <string>
#include <variant>
#include <vector>

namespace elmx {

/// A column of n values under one name: counts, numbers (NaN: unknown) or texts in UTF-8 ("": unknown).
struct NamedValues {
  std::string name;
  std::variant<arma::uvec, arma::vec, std::vector<std::string>> values;
};

/// A file format for columns of values, all of one length and with different names.
struct ValuesFormat {
  const char* name;
  const char* doc;
  std::string (*write)(const std::vector<NamedValues>& columns);
};

/// Returns all formats. A new format is added here only.
const std::vector<ValuesFormat>& values_formats();

/// Throws ConfigError that suggests the nearest known name.
const ValuesFormat& find_values_format(const std::string& name);

/// Writes a header and one line per row. Numbers are the shortest text that reads back as the same double;
/// unknown values are empty.
std::string values_as_csv(const std::vector<NamedValues>& columns);

/// Writes [{name: value, ...}, ...], one row per line; unknown values are null.
std::string values_as_json(const std::vector<NamedValues>& columns);

/// Writes a NumPy file with one structured array (format 1.0, or 3.0 if a name is not ASCII or the header is
/// long). Counts are "<i8", numbers "<f8", texts "<Un" with n = characters of the longest one. numpy.load
/// reads it; above about 300 columns (a header of more than 10000 bytes) it needs a larger max_header_size.
std::string values_as_npy(const std::vector<NamedValues>& columns);

}  // namespace elmx
