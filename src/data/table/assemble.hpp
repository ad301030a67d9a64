#pragma once

#include <vector>

#include "data/dataset.hpp"
#include "data/on_disk/composed_rows.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// A table as numbers: missing values dealt with, nominal inputs one-hot or numbered, targets apart. The columns of the
/// table are given back one by one, so that hardly more than one copy is in memory.
///
///     missing "drop_rows"  rows in which a column that is used has a missing value are left out
///     missing "mean"       numbers: NaN, for preprocessing to fill; categories: one more category "?"; a target that
///     is
///                          missing is refused
///     one-hot              one column a category, named "column=category": as declared, else in alphabetical order;
///     codes                or one column of their numbers 0, 1, ... in that order
///
/// train_rows: rows of the published training part, 0 = no published split. name: of the set, begins the messages.
/// Throws DataError.
Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name);

/// The same of a table whose inputs stay in a file, so that their columns have no values here: X is empty.
///
///     incomplete   of each row whether an input is missing in it; empty: none is
///     placed       receives how each input column becomes columns of X
///
/// Of a new file for a model only the targets are assembled, and nothing is placed.
Dataset assemble_without_inputs(RawTable table, const TableOptions& options, arma::uword train_rows,
                                const std::string& name, const std::vector<char>& incomplete,
                                std::vector<PlacedColumn>& placed);

}  // namespace elmx
