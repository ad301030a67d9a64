#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/dimensions.hpp"

namespace elmx {

using Fields = std::vector<const Dimension*>;
using FieldValues = std::vector<Json>;  ///< one a field

/// By the first field, then the second...
struct ByFields {
  Fields fields;
  bool operator()(const FieldValues& a, const FieldValues& b) const;
};

/// The values of one field, in its order.
using FieldValueSet = std::set<FieldValues, ByFields>;

FieldValueSet values_in(const Dimension& field, const std::vector<const RecordRow*>& rows);

/// "a, b, c".
std::string listed(const FieldValueSet& values);

/// What the trials with the same values of some fields did.
struct PivotCell {
  RecordRow trials;                    ///< steps and failures; no keys
  std::vector<const RecordRow*> rows;  ///< those that they are of
};

/// Values of the row fields -> values of the column fields -> cell.
using PivotCells = std::map<FieldValues, std::map<FieldValues, PivotCell, ByFields>, ByFields>;

/// Every trial of `rows` in the one cell that it belongs to.
PivotCells pivot_cells(const std::vector<RecordRow>& rows, const Fields& row_fields, const Fields& column_fields);

/// Over what the rows of a cell differ, "nodes (20, 100), mu (9 values)"; "" where no cell is of several rows. Throws
/// ConfigError where a cell is of several choices among the same steps, or of choices and the points of the grid.
std::string pooled_in(const PivotCells& cells, const Dimensions& fields);

}  // namespace elmx
