#pragma once

#include <optional>
#include <string>
#include <vector>

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

/// A number as papers print it: (mean +- spread) x 10^exponent.
struct PaperNumber {
  std::string mean;             ///< "0.0480", "4.8"; "" for a power of ten alone
  std::string spread;           ///< with as many decimals as the mean; "" = none
  std::optional<int> exponent;  ///< of ten; none in a column without powers of ten
};

/// The numbers of column j, one for each row; none for a text and for NA. Numbers that have the same display
/// all have a power of ten if one of them is below 1e-4, or at least a million, and none has one otherwise.
/// Those whose digits end at neighbouring decimals all have the longer ones.
std::vector<std::optional<PaperNumber>> paper_numbers(const Table& table, std::size_t j);

}  // namespace elmx
