#pragma once

#include <string>

#include "data/table/dataset.hpp"

namespace elmx {

/// Throws DataError, with column and row, if a value exceeds kLargestValue. `origin` starts the message.
void refuse_large_values(const Dataset& data, const std::string& origin);

/// Throws DataError if all samples of a classification belong to one class.
void refuse_one_class(const Dataset& data);

/// Throws DataError if the name of a column, category or class is not UTF-8, because a saved model cannot
/// store it.
void refuse_names_beyond_utf8(const Dataset& data, const std::string& origin);

/// Returns a warning about classes with a single row and a remedy; "" = there are none.
std::string about_lone_class(const Dataset& data);

/// Returns the input, a part of a date or seconds since 1970, by which all rows are sorted in ascending
/// order; "" if there is none.
std::string input_of_time_order(const Dataset& data);

/// Adds warnings about unusual data to the report. Columns with the same warning share a line.
void warn_of_unusual_data(Dataset& data);

}  // namespace elmx
