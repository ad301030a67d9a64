#pragma once

#include <string>
#include <vector>

#include "report/frame/frame.hpp"
#include "report/frame/run_description.hpp"

namespace elmx {

/// The parameters of a method in a comparison.
struct MethodSetting {
  std::string text;  ///< "nodes 100, ridge 0.01"; "" = none
  /// number of settings; if there are several, this one is best on the test part; 0: unknown
  std::size_t count = 1;

  bool operator==(const MethodSetting&) const = default;
};

/// A method that a side of a comparison stands for.
struct ComparedMethod {
  std::string name;
  std::vector<MethodSetting> settings = {};  ///< at each row of the side
};

/// One side of a comparison: a run, the rows of a run with one value of a field, or a method.
struct ComparedSide {
  std::string name;
  std::vector<RecordRow> rows;
  std::vector<ComparedMethod> methods = {};  ///< several if their numbers print alike
};

/// Returns the field whose values can be sides. Throws ConfigError if there is no such field, or if its
/// values share no trial (dataset, repeat, fold, status).
const Dimension& field_of_sides(const std::string& name, const Dimensions& fields);

/// Splits the rows by the values of a field that `by` names, or by all its values if `by` names none. Throws
/// ConfigError like field_of_sides, and if a value is unknown or there are fewer than two.
std::vector<ComparedSide> sides_by(const Condition& by, const std::vector<RecordRow>& rows, const Dimensions& fields);

/// Compares digests or machines; true if they are equal or one was not recorded ("", older elmx).
bool may_be_same(const std::string& a, const std::string& b);

/// One row per side, null if a side has none.
using MatchedRows = std::vector<const RecordRow*>;

/// One trial (repeat and fold, with the same test part) of several rows: a step for each row.
using MatchedTrial = std::vector<const RecordedStep*>;

using MatchedSteps = std::vector<MatchedTrial>;

/// Returns the trials that succeeded in all rows. The steps of each row must be sorted. Returns none if a row
/// is null.
MatchedSteps matched_steps(const MatchedRows& rows);

/// Returns the trials that count as observations of a quantity: all trials for a time, otherwise the first of
/// the trials that are the same observation in every row.
MatchedSteps observations(MatchedSteps steps, const std::string& quantity);

/// Returns a quantity for observations that have it in all rows: one list of equal length per row.
std::vector<std::vector<double>> matched_values(const MatchedRows& rows, const std::string& quantity);

/// The two runs of a comparison: A and B, or A twice.
struct ComparedRuns {
  const RunDescription& a;
  const RunDescription& b;
};

/// Pairs the rows of sides. Their data sets must have the same content (SampleDigests::data, or the same name
/// if a side did not record it), and they must agree in every field except `by` that has several values on a
/// side. A field with one value per side may differ. Returns one row per side, null if a side has none, in
/// the order of the first side. `remarks` gets a line for each difference between the sides, and for each
/// data set without pairs. Throws ConfigError if the first side and another side have no pair of trials
/// (matched_steps).
std::vector<MatchedRows> pair_rows(std::vector<ComparedSide>& sides, const Dimensions& fields, const std::string& by,
                                   const ComparedRuns& runs, std::vector<std::string>& remarks);

}  // namespace elmx
