#pragma once

#include <string>
#include <string_view>

namespace elmx {

/// The first sheet of a workbook (.xlsx) as comma-separated text: a line for each row that has a value,
/// numbers in their shortest spelling, texts as they are, and an empty field for a cell without a value before
/// the last value of its row. `origin` begins the messages.
///
/// Throws DataError: not a workbook, values that are neither numbers nor shared texts (dates are numbers), a
/// text that would need quotes, cells out of order, more than `most` bytes.
std::string sheet_as_csv(std::string_view workbook, const std::string& origin, std::size_t most);

/// The same of the two members of a workbook that it needs: the XML of the sheet, and of the texts that cells
/// refer to by their number.
std::string csv_of_sheet(std::string_view sheet, std::string_view shared_texts, const std::string& origin,
                         std::size_t most);

}  // namespace elmx
