#pragma once

#include <armadillo>
#include <string>
#include <variant>
#include <vector>

namespace elmx {

/// n values under one name: counts, numbers (NaN: not known) or texts in UTF-8 ("": not known).
struct NamedValues {
  std::string name;
  std::variant<arma::uvec, arma::vec, std::vector<std::string>> values;
};

/// How columns of values, all of one length and of different names, are written for other programs.
struct ValuesFormat {
  const char* name;
  const char* doc;
  std::string (*write)(const std::vector<NamedValues>& columns);
};

/// All of them: the one place where one is added.
const std::vector<ValuesFormat>& values_formats();

/// Throws ConfigError with the nearest known name.
const ValuesFormat& find_values_format(const std::string& name);

/// A heading and one line a row, numbers as the shortest text that reads back as the same double; what is not
/// known is empty.
std::string values_as_csv(const std::vector<NamedValues>& columns);

/// [{name: value, ...}, ...], one row a line; what is not known is null.
std::string values_as_json(const std::vector<NamedValues>& columns);

/// A file of NumPy (its format 1.0; 3.0 where a name is not ASCII or the heading is long) with one structured
/// array: counts are "<i8", numbers "<f8", texts "<Un" of the longest one's n characters. numpy.load reads
/// it; for more than some 300 columns, whose heading has more than 10000 bytes, with a larger
/// max_header_size.
std::string values_as_npy(const std::vector<NamedValues>& columns);

}  // namespace elmx
