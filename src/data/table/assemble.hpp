#pragma once

#include <optional>
#include <vector>

#include "data/table/dataset.hpp"
#include "data/table/roles.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// Turns a table into numbers. Its columns are given back one by one, so that little more than one copy is in
/// memory.
///
///     missing target       its row is left out
///     missing "drop_rows"  so is a row in which an input is missing
///     missing "mean"       numbers stay NaN, for preprocessing to fill; categories get one more category "?"
///     one-hot              one column a category, named "column=category": as declared, else in alphabetical order;
///     codes                or one column of their numbers 0, 1, ... in that order
///     dates                one column a part, named "column:days", ...
///
/// Of a new file for a model, an unknown category is zero in all of its columns, and a date or number that is
/// missing is NaN; both are counted in the report, and `imputed` of the data set marks their rows.
///
/// train_rows: rows of the published training part, 0 = no published split. name: of the set, begins the
/// messages. incomplete: given if the inputs stay in a file, so that their columns have no values here and X
/// is empty; for each row whether an input is missing in it, or empty if none is. Throws DataError.
Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name,
                 const std::optional<std::vector<char>>& incomplete = std::nullopt);

}  // namespace elmx
