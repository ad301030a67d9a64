#pragma once

#include <string>
#include <string_view>

namespace elmx {

/// Converts the first sheet of a workbook (.xlsx) to comma-separated text: a line for each row that has a
/// value, numbers in their shortest spelling, texts unchanged, and an empty field for an empty cell before
/// the last value of its row. `origin` starts the messages.
///
/// Throws DataError: not a workbook, values that are neither numbers nor shared texts (dates are numbers), a
/// text that would need quotes, cells out of order, more than `most` bytes.
std::string sheet_as_csv(std::string_view workbook, const std::string& origin, std::size_t most);

/// Does the same for the two required members of a workbook: the XML of the sheet, and the XML of the shared
/// texts, which cells refer to by number.
std::string csv_of_sheet(std::string_view sheet, std::string_view shared_texts, const std::string& origin,
                         std::size_t most);

}  // namespace elmx
