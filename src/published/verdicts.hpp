#pragma once

#include <optional>
#include <string>
#include <vector>

#include "published/paper_cells.hpp"

namespace elmx {

enum class Verdict { agrees, disagrees, tied, undecided, not_available, shown };

/// Counts the cells of each verdict.
struct VerdictCounts {
  std::size_t agree = 0;
  std::size_t disagree = 0;   ///< the program exits 5 where this or not_available is not 0
  std::size_t tied = 0;       ///< neither met nor missed
  std::size_t undecided = 0;  ///< the runs cannot tell; counts neither way
  std::size_t not_available = 0;
  std::size_t shown = 0;
  std::size_t explained = 0;  ///< of those that disagree or are not available, the ones with a reason

  void add(Verdict verdict, bool with_reason);
  VerdictCounts& operator+=(const VerdictCounts& other);
};

const char* to_string(Verdict verdict);

/// The verdict that a text of verdict_text begins with.
std::optional<Verdict> verdict_in(const std::string& text);

/// Returns true for what has to have a reason: it disagrees or is not available.
bool is_unmet(Verdict verdict);

/// The level of all that is decided: of the interval of a value, and of all orders of a table together.
inline constexpr double kVerdictLevel = 0.05;

struct Judgement {
  Verdict verdict = Verdict::shown;
  std::optional<MoreRuns> more = {};  ///< of what is undecided; none: no number of runs would decide it
  bool leans_to_missed = false;       ///< of a test that is undecided
};

/// "agrees", "undecided, about 7 more runs".
std::string verdict_text(const Judgement& judgement);

/// The 95 % interval of what was measured. Where the published spread counts it is that of the difference of
/// the two means, laid about the measured one.
std::optional<Interval> interval_of(const PaperCell& cell, const Estimate& measured);

/// The verdict of each cell by its rule, as docs/explanation/verdicts.md has it. Values: the interval of
/// measured minus bound, 95 %, lies on one side of 0. Orders: under "order" a cell agrees where its measured
/// value stands to that of every other algorithm of the same network as the published values do (under
/// "rank": the published ranks), ties of those left out; under "lowest" where every other point of its sweep
/// is above it by more than the ties, and is tied where one is within these, but none below it by more.
/// Nothing to compare with: shown.
std::vector<Judgement> judge(const std::vector<PaperCell>& cells);

/// The judgement of a cell that has to pass all tests: one that is missed decides; of those that lean to that
/// the one that the fewest further runs decide.
Judgement together(const std::vector<Judgement>& parts);

/// Returns true if the rule compares measured numbers with one another.
bool is_order(const PaperRule& rule);

/// The judgements of cells whose rule is an order; of all others the default. For each pair of cells there
/// are the one-sided tests of both directions, those of a table of the paper together by Holm's correction.
std::vector<Judgement> judge_orders(const std::vector<PaperCell>& cells);

}  // namespace elmx
