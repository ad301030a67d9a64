#pragma once

#include <string>
#include <vector>

#include "results/predicate.hpp"

namespace elmx {

/// One side of a comparison: a run, or what a run has with one value of a field.
struct ComparedSide {
  std::string name;
  std::vector<RecordRow> rows;
};

/// The rows of `rows` with each of the values that `by` names of its field, or with each that occurs where it names
/// none. Throws ConfigError: no such field or value, fewer than two of them, or a field whose values share
/// no trial (dataset, repeat, fold, status).
std::vector<ComparedSide> sides_by(const Condition& by, const std::vector<RecordRow>& rows, const Dimensions& fields);

/// Of what an earlier elmx did not record (""): digests, machines.
bool may_be_same(const std::string& a, const std::string& b);

/// One row a side, null where a side has none.
using MatchedRows = std::vector<const RecordRow*>;

/// The steps of the trials (repeat and fold, with the same test part) that succeeded at all of several rows:
/// one list a row, equally long. Rows have theirs in order. Empty lists where a row is null.
using MatchedSteps = std::vector<std::vector<const RecordedStep*>>;
MatchedSteps matched_steps(const MatchedRows& rows);

/// The trials that count as observations of a quantity: of a time all, else the first of those that are the
/// same observation at every row.
MatchedSteps observations(const MatchedSteps& steps, const std::string& quantity);

/// A quantity of the observations that have it at every row: one list a row, equally long.
std::vector<std::vector<double>> matched_values(const MatchedSteps& all_steps, const std::string& quantity);

}  // namespace elmx
