#pragma once

#include <string>
#include <vector>

#include "results/dimensions.hpp"

namespace elmx {

/// One side of a comparison: a run, or what a run has with one value of a field.
struct ComparedSide {
  std::string name;
  std::vector<RecordRow> rows;
};

/// The rows of `rows` with each of the values of a field, "field=value,value", or with each that occurs, "field".
/// Throws ConfigError: no such field or value, fewer than two of them, or a field whose values share no trial (dataset,
/// repeat, fold, status).
std::vector<ComparedSide> sides_by(const std::string& by, const std::vector<RecordRow>& rows, const Dimensions& fields);

/// The fields in which rows must agree to be compared: all that are of rows but `by` ("" = none). Where there is one,
/// also without those that each algorithm has for itself (chosen, iterations, grid parameters) as far as each side has
/// one value only: a choice of one algorithm is compared with that of another although their grids differ.
std::vector<const Dimension*> matching_fields(const std::vector<ComparedSide>& sides, const Dimensions& fields,
                                              const std::string& by);

/// Rows of the sides that agree in the fields: one a side, null where a side has none. In the order of the first side,
/// then of those that it lacks. Of rows of one side that agree only the first is matched.
using MatchedRows = std::vector<const RecordRow*>;
std::vector<MatchedRows> match_rows(const std::vector<ComparedSide>& sides,
                                    const std::vector<const Dimension*>& fields);

/// The steps of the trials (repeat and fold) that succeeded at all of several rows: one list a row, equally long. Rows
/// have theirs in order. Empty lists where a row is null.
using MatchedSteps = std::vector<std::vector<const RecordedStep*>>;
MatchedSteps matched_steps(const MatchedRows& rows);

/// A quantity of the trials that have it at every row: one list a row, equally long.
std::vector<std::vector<double>> matched_values(const MatchedSteps& steps, const std::string& quantity);

}  // namespace elmx
