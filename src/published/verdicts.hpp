#pragma once

#include <optional>
#include <string>
#include <vector>

#include "published/paper_rules.hpp"

namespace elmx {

enum class Verdict { agrees, disagrees, tied, undecided, not_available, shown };

const char* to_string(Verdict verdict);

/// The level of all that is decided: of the interval of a value, and of all orders of a table together.
inline constexpr double kVerdictLevel = 0.05;

struct Judgement {
  Verdict verdict = Verdict::shown;
  std::optional<MoreRuns> more = {};  ///< of what is undecided; none: no number of runs would decide it
};

/// "agrees", "undecided, about 7 more runs".
std::string verdict_text(const Judgement& judgement);

/// The 95 % interval of what was measured. Where the published spread counts it is that of the difference of the two
/// means, laid about the measured one: an absolute bound lies in it where the verdict is undecided.
std::optional<Interval> interval_of(const PaperCell& cell, const Estimate& measured);

/// The verdict of each cell by its rule, as docs/explanation/verdicts.md has it. Values: the interval of measured minus
/// bound, 95 %, lies on one side of 0. Orders: under "order" a cell agrees where its measured value stands to that of
/// every other algorithm of its group as the published values do (under "rank": the published ranks), ties of those
/// left out; under "lowest" where every other cell of its grid is above it by more than the ties, and is tied where one
/// is within these, but none below it by more. Each of these differences is tested on both sides, all of the table
/// together by Holm's correction. Nothing to compare with: shown.
std::vector<Judgement> judge(const std::vector<PaperCell>& cells);

}  // namespace elmx
