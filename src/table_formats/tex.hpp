#pragma once

#include <string>

#include "table_formats/table.hpp"

namespace elmx {

/// A LaTeX table for the booktabs package: \begin{table} with caption and label, numbers in math mode, 4.8e-02 as
/// 4.8 x 10^-2. Footnotes are raised numbers, explained below the tabular.
std::string to_tex(const Table& table);

}  // namespace elmx
