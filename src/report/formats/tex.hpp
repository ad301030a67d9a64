#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/formats/table.hpp"

namespace elmx {

/// Writes a LaTeX table for the booktabs package: caption and label, groups of columns, numbers of a column
/// in one notation and aligned (paper_numbers), repeated row heads only once. Footnotes are raised numbers
/// that are explained below the tabular.
///
/// The table fits the columns of an IEEEtran page (3.5 in, or 7.16 in for a table*), or the width
/// Table::page_width. If it is too wide, headings and texts are broken into lines, and finally the columns
/// are split into several tabulars, one above the other, which all have the row heads.
std::string to_tex(const Table& table);

/// A number as papers print it: (mean +- spread) x 10^exponent.
struct PaperNumber {
  std::string mean;             ///< "0.0480", "4.8"; "" for a power of ten alone
  std::string spread;           ///< with as many decimals as the mean; "" = none
  std::optional<int> exponent;  ///< power of ten; none in a column without powers of ten
};

/// Returns the numbers of column j, one per row; none for a text and for NA. Numbers that have the same
/// display all have a power of ten if a number is below 1e-4, or at least a million, and none has one
/// otherwise. If their last digits are at most one decimal apart, all get the larger number of decimals.
std::vector<std::optional<PaperNumber>> paper_numbers(const Table& table, std::size_t j);

/// A part of a table in LaTeX with an upper bound of its width in ems of Computer Modern and of Times.
struct TexText {
  std::string tex;
  double width = 0;
};

/// Escapes a text for LaTeX. It is also safe at the beginning of a cell, where "[" and "*" would be read as
/// arguments of the preceding row break.
TexText tex_text(std::string_view text);

/// Breaks a text into lines of at most `characters`, as one table cell whose last or first line is level with
/// the row. `alignment` is l, c or r.
TexText tex_lines(std::string_view text, std::size_t characters, char alignment, bool last_is_level);

/// Returns a text as a paragraph in which TeX may break long words.
std::string tex_paragraph(std::string_view text);

}  // namespace elmx
