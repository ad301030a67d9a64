#pragma once

#include <string>

#include "data/dataset.hpp"

namespace elmx {

/// Largest absolute value of an input or a target: the sum of 10^8 of its squares is a number still.
inline constexpr double kLargestValue = 1e150;

/// Throws DataError, with the column and the row, where a value is larger. `origin` begins the message.
void refuse_large_values(const Dataset& data, const std::string& origin);

/// Throws DataError where all samples of a classification are of one class.
void refuse_one_class(const Dataset& data);

/// Throws DataError where a name of a column, a category or a class is not UTF-8, which a saved model cannot have.
void refuse_names_beyond_utf8(const Dataset& data, const std::string& origin);

/// What keeps a class of one sample from being learnt and tested, and what to do; "" = there is none.
std::string about_lone_class(const Dataset& data);

/// Adds notes: a class of one sample; a nominal input that has a category of its own for most rows, as identifiers have; a table that is very
/// wide.
void note_unusual_columns(Dataset& data);

}  // namespace elmx
