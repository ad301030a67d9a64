#pragma once

#include "results/run_description.hpp"
#include "tables/matched_rows.hpp"

namespace elmx {

/// Two runs: A and B, or one of them twice.
struct ComparedRuns {
  const RunDescription& a;
  const RunDescription& b;
};

/// Pairs the rows of sides whose data sets have the same content (SampleDigests::data, or the same name where a side did
/// not record it) and that agree in every field, but `by`, that has several values on a side. A field with one value a
/// side is no hindrance. Returns one row a side, null where a side has none, in the order of the first side. `remarks`
/// gets a line for what the sides differ in, and for each data set that makes no pairs. Throws ConfigError where the
/// first side and another one have no pair of trials (matched_steps).
std::vector<MatchedRows> pair_rows(std::vector<ComparedSide>& sides, const Dimensions& fields, const std::string& by,
                                   const ComparedRuns& runs, std::vector<std::string>& remarks);

}  // namespace elmx
