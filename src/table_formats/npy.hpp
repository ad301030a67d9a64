#pragma once

#include <string>
#include <vector>

#include "table_formats/named_values.hpp"

namespace elmx {

/// A file of NumPy (its format 1.0; 3.0 where a name is not ASCII or the heading is long) with one structured array:
/// counts are "<i8", numbers "<f8", texts "<Un" of the longest one's n characters.
/// numpy.load reads it, and so does pandas.DataFrame(numpy.load(...)); of more than some 300 columns, whose heading has
/// more than 10000 bytes, it wants to be told a larger max_header_size.
std::string values_as_npy(const std::vector<NamedValues>& columns);

}  // namespace elmx
