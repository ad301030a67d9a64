#pragma once

#include <string>
#include <vector>

#include "results/predicate.hpp"
#include "results/run_description.hpp"

namespace elmx {

/// The parameters at which a method stands in a comparison.
struct MethodSetting {
  std::string text;  ///< "nodes 100, ridge 0.01"; "" = it has none
  /// several: it is the one of these that is best on the test part; 0: of an unknown number
  std::size_t count = 1;
};

/// One side of a comparison: a run, what a run has with one value of a field, or a method.
struct ComparedSide {
  std::string name;
  std::vector<RecordRow> rows;
  std::vector<std::string> methods = {};     ///< those that the side stands for: they print alike
  std::vector<MethodSetting> settings = {};  ///< of a method at each row
};

/// The field whose values can be sides. Throws ConfigError: no such field, or one whose values share no trial
/// (dataset, repeat, fold, status).
const Dimension& field_of_sides(const std::string& name, const Dimensions& fields);

/// The rows of `rows` with each of the values that `by` names of its field, or with each that occurs where it
/// names none. Throws ConfigError as field_of_sides, and where there is no such value or fewer than two.
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

/// Two runs: A and B, or A twice.
struct ComparedRuns {
  const RunDescription& a;
  const RunDescription& b;
};

/// Pairs the rows of sides whose data sets have the same content (SampleDigests::data, or the same name where
/// a side did not record it) and that agree in every field, but `by`, that has several values on a side. A
/// field with one value a side is no hindrance. Returns one row a side, null where a side has none, in the
/// order of the first side. `remarks` gets a line for what the sides differ in, and for each data set that
/// makes no pairs. Throws ConfigError where the first side and another one have no pair of trials
/// (matched_steps).
std::vector<MatchedRows> pair_rows(std::vector<ComparedSide>& sides, const Dimensions& fields, const std::string& by,
                                   const ComparedRuns& runs, std::vector<std::string>& remarks);

}  // namespace elmx
