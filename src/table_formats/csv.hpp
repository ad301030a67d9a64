#pragma once

#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// Comma-separated values (RFC 4180 quoting, lines end in \n) at full precision: a column with standard deviations is
/// followed by NAME_sd; footnotes stand in a last column "note". Title and remarks have no place here.
std::string to_csv(const Table& table);

/// One line, quoted where that is needed.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace elmx
