#pragma once

#include "data/dataset.hpp"
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

}  // namespace elmx
