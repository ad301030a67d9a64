#pragma once

#include <string>
#include <vector>

#include "statistics/paired_tests.hpp"

namespace elmx {

enum class Decision { not_available, same, lower, higher, not_significant, cannot_decide };

/// "NA", "same", "lower", "higher", "not significant", "cannot decide".
const char* to_string(Decision decision);

/// What a paired test makes of B - A.
struct Finding {
  Decision decision = Decision::not_available;
  double p = 0;     ///< NaN where the decision needs none
  std::string why;  ///< where it cannot decide: what the test would need
};

/// "0.05", "0.016667".
std::string shown_level(double alpha);

/// differences: as differences_of has them. not_available: no pair; same: every difference is 0; cannot_decide: no
/// differences of so many pairs would have p <= alpha; lower, higher: p <= alpha; else not_significant.
Finding finding_of(const std::vector<double>& differences, const PairedTest& test, double test_over_train,
                   double alpha);

}  // namespace elmx
