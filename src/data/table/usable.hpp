#pragma once

#include <string>

#include "data/table/dataset.hpp"

namespace elmx {

/// Throws DataError, with the column and the row, where a value is larger. `origin` begins the message.
void refuse_large_values(const Dataset& data, const std::string& origin);

/// Throws DataError where all samples of a classification are of one class.
void refuse_one_class(const Dataset& data);

/// Throws DataError where a name of a column, a category or a class is not UTF-8, which a saved model cannot
/// have.
void refuse_names_beyond_utf8(const Dataset& data, const std::string& origin);

/// Returns a warning that names the classes of one row and says what to do about them; "" = there are none.
std::string about_lone_class(const Dataset& data);

/// Returns the input, a part of a date or seconds since 1970, by which all rows are in ascending order; "" if
/// there is none.
std::string input_of_time_order(const Dataset& data);

/// Adds warnings to the report of what a person who looks at the table would find odd. Columns with the same
/// warning share a line.
void warn_of_unusual_data(Dataset& data);

}  // namespace elmx
