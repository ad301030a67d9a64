#pragma once

#include <optional>
#include <string>

#include "statistics/summary.hpp"
#include "tables/data_set_tables.hpp"

namespace elmx {

/// B - A of one metric over the trials that both have.
struct PairedDifference {
  Summary a, b, all;  ///< of A, of B, of the differences
  /// Of the mean difference, as the test sees its standard error; none where the differences are all alike.
  std::optional<Interval> interval;
  Finding finding;
};

/// `steps`: those of A and of B; `row`: the row of A, whose split the test may need.
PairedDifference paired_difference(const Comparison& comparison, const RecordRow& row, const MatchedSteps& steps,
                                   const std::string& metric);

}  // namespace elmx
