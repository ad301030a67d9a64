#pragma once

#include <string>

#include "table_formats/table.hpp"

namespace elmx {

/// A LaTeX table for the booktabs package: caption and label, groups of columns, numbers of a column in one
/// notation and aligned (paper_numbers), repeated row heads once. Footnotes are raised numbers, explained
/// below the tabular.
///
/// The table fits the columns of a page as IEEEtran has it (3.5 in, 7.16 in for a table*), or that of
/// Table::page_width. If it does not, headings and texts are broken into lines, and at last the columns are
/// split into several tabulars, one above the other, which all have the row heads.
std::string to_tex(const Table& table);

}  // namespace elmx
