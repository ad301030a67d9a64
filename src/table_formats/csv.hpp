#pragma once

#include <string>
#include <vector>

#include "table_formats/table.hpp"

namespace elmx {

/// Comma-separated values (RFC 4180 quoting, lines end in \n) at full precision: a column with standard
/// deviations is followed by NAME_sd; footnotes stand in a last column "note". Title and remarks have no
/// place here. Texts are printable, and one that a spreadsheet would run as a formula, as "=1+1" or "@name",
/// begins with an apostrophe.
std::string to_csv(const Table& table);

/// One line of texts as they are, quoted where that is needed. What programs read back, predictions and
/// folds, is written with it alone: an apostrophe would make another class of a label.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace elmx
