#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/contests.hpp"
#include "results/run_description.hpp"
#include "tables/paired_difference.hpp"

namespace elmx {

/// What the best method of a contest is ahead of another one.
struct Lead {
  std::size_t entrant = 0;      ///< the other one
  PairedDifference difference;  ///< other less best, p by Holm
  bool significant = false;     ///< the other one is worse: on the trials that both have it may be better
};

struct Leads {
  const PairedTest* test;
  std::vector<Lead> over;  ///< one for each entrant but the first
  std::size_t tested = 0;  ///< how many of these have a p, which Holm's correction is over
};

inline constexpr double kLevel = 0.05;

/// The best of the contest against each other one, by the corrected t-test where the split of the run allows it, else
/// by Wilcoxon's.
Leads leads_in(const Contest& contest, const RunDescription& run);

}  // namespace elmx
