#pragma once

#include <optional>
#include <string>
#include <vector>

#include "published/paper_cells.hpp"

namespace elmx {

/// The first five from the best to the worst: a cell has the worst verdict of its tests.
enum class Verdict { agrees, level, consistent, contrary, disagrees, not_available, shown };

/// Counts the cells of each verdict.
struct VerdictCounts {
  std::size_t agree = 0;
  std::size_t level = 0;       ///< the measured values are equal but for the ties of the rule
  std::size_t consistent = 0;  ///< not decided; the measured value itself meets the rule
  std::size_t contrary = 0;    ///< not decided; the measured value itself misses the rule
  std::size_t disagree = 0;    ///< the program exits 5 where this or not_available is not 0
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

/// Returns true for the verdicts of what the runs at hand do not decide: consistent and contrary.
bool is_open(Verdict verdict);

/// The level of all that is decided: of the interval of a value, and of all orders of a table together.
inline constexpr double kVerdictLevel = 0.05;

struct Judgement {
  Verdict verdict = Verdict::shown;
  /// Further runs until an open verdict is decided; none: no number of runs would do.
  std::optional<MoreRuns> more = {};
  std::optional<MoreRuns> missed = {};  ///< until a contrary one disagrees
  /// The reason of an open verdict other than the number of runs.
  const char* note = "";
};

/// Weakens a decided verdict to consistent or contrary: no number of runs makes up for a smaller problem.
Judgement of_scaled_down(const Judgement& found);

/// Judges a test that is not decided, by whether the measured value itself meets the rule.
Judgement open_judgement(bool met, const std::optional<MoreRuns>& more);

/// "agrees", "consistent, about 7 more runs would decide".
std::string verdict_text(const Judgement& judgement);

/// The 95 % interval of what was measured. Where the published spread counts it is that of the difference of
/// the two means, laid about the measured one.
std::optional<Interval> interval_of(const PaperCell& cell, const Estimate& measured);

/// The verdict of each cell by its rule, as docs/explanation/verdicts.md has it. Values: the interval of
/// measured minus bound, 95 %, lies on one side of 0. Orders: under "order" a cell agrees where its measured
/// value stands to that of every other algorithm of the same network as the published values do (under
/// "rank": the published ranks), ties of those left out, and is level where some of these measured values
/// differ from its own by less than the ties; under "lowest" it agrees where every other point of its sweep
/// is above it by more than the ties, and is level where one is within these, but none below it by more.
/// Nothing to compare with: shown; nothing yet: not available. A cell that is scaled down is consistent where
/// it would agree and contrary where it would disagree.
std::vector<Judgement> judge(const std::vector<PaperCell>& cells);

/// The larger of two numbers of further runs; none is more than any.
std::optional<MoreRuns> later(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b);
/// The smaller of two numbers of further runs; none is more than any.
std::optional<MoreRuns> sooner(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b);

/// The judgement of a cell that has to pass all tests: the worst of them. It is decided when the first of its
/// contrary tests disagrees, or when all are decided.
Judgement together(const std::vector<Judgement>& parts);

/// Returns true if the rule compares measured numbers with one another.
bool is_order(const PaperRule& rule);

/// The judgements of cells whose rule is an order; of all others the default. For each pair of cells there
/// are the one-sided tests of both directions, those of a table of the paper together by Holm's correction,
/// and two one-sided tests that the cells are level, those of a table together by a correction of their own.
std::vector<Judgement> judge_orders(const std::vector<PaperCell>& cells);

}  // namespace elmx
