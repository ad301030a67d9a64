#pragma once

#include <optional>
#include <vector>

#include "data/table/dataset.hpp"
#include "data/table/roles.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// Turns a table into numbers. Frees its columns one by one, so that memory holds little more than one copy.
///
///     missing target       the row is left out
///     missing "drop_rows"  a row with a missing input is left out, too
///     missing "mean"       numbers stay NaN, for preprocessing to fill; categories get one more category "?"
///     one-hot              one column per category, named "column=category": as declared, else in
///                          alphabetical order;
///     codes                or one column of their numbers 0, 1, ... in the same order
///     dates                one column per part, named "column:days", ...
///
/// In a new file for a model, an unknown category is zero in all of its columns, and a missing date or number
/// is NaN. Both are counted in the report, and `imputed` of the data set marks their rows.
///
/// train_rows: rows of the published training part, 0 = no published split. name: the name of the set, which
/// starts the messages. incomplete: set if the inputs stay in a file, so that their columns have no values
/// here and X is empty; says for each row whether an input is missing (empty: none is). Throws DataError.
Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name,
                 const std::optional<std::vector<char>>& incomplete = std::nullopt);

}  // namespace elmx
