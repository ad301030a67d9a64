#pragma once

#include <optional>
#include <string>
#include <string_view>
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
/// all have a power of ten if a number is below 1e-4, or at least a million, and none has one otherwise.
/// Those whose digits end at neighbouring decimals all have the longer ones.
std::vector<std::optional<PaperNumber>> paper_numbers(const Table& table, std::size_t j);

/// A part of a table in LaTeX with an upper bound of its width in ems of Computer Modern and of Times.
struct TexText {
  std::string tex;
  double width = 0;
};

/// Any text as text of LaTeX, at the beginning of a cell too, where "[" and "*" would be arguments of the row
/// before it.
TexText tex_text(std::string_view text);

/// The text in lines of at most `characters`, as one cell of a table whose last or first line is level with
/// the row. `alignment` is l, c or r.
TexText tex_lines(std::string_view text, std::size_t characters, char alignment, bool last_is_level);

/// The text as a paragraph in which TeX may break long words.
std::string tex_paragraph(std::string_view text);

}  // namespace elmx
