#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "published/paper_cells.hpp"
#include "report/formats/table.hpp"

namespace elmx {

/// The first five are ordered from the best to the worst: a cell has the worst verdict of its tests.
enum class Verdict {
  agrees,
  level,       ///< the measured values are equal up to the ties of the rule
  consistent,  ///< undecided; the measured value itself meets the rule
  contrary,    ///< undecided; the measured value itself misses the rule
  disagrees,   ///< the program exits 5 if there is such a cell, or one that is not available
  not_available,
  shown
};

/// Counts the cells of each verdict.
struct VerdictCounts {
  std::array<std::size_t, 7> of = {};  ///< in the order of Verdict
  std::size_t explained = 0;           ///< disagreeing or unavailable cells with a reason

  std::size_t operator[](Verdict verdict) const { return of[static_cast<std::size_t>(verdict)]; }

  void add(Verdict verdict, bool with_reason);
  VerdictCounts& operator+=(const VerdictCounts& other);
};

const char* to_string(Verdict verdict);

/// Returns the verdict with which a text of verdict_text begins.
std::optional<Verdict> verdict_in(const std::string& text);

/// Returns true if a cell needs a reason: it disagrees or is not available.
bool is_unmet(Verdict verdict);

/// Returns true for undecided verdicts: consistent and contrary.
bool is_open(Verdict verdict);

/// The significance level of the interval of a value, and of all orders of a table together.
inline constexpr double kVerdictLevel = 0.05;

struct Judgement {
  Verdict verdict = Verdict::shown;
  /// further runs until an open verdict is decided; none: no number of runs is enough
  std::optional<MoreRuns> more = {};
  std::optional<MoreRuns> missed = {};  ///< until a contrary one disagrees
  /// the reason of an open verdict other than the number of runs
  const char* note = "";
};

/// Weakens a decided verdict to consistent or contrary: more runs do not offset a smaller problem.
Judgement of_scaled_down(const Judgement& found);

/// Judges an undecided test by whether the measured value itself meets the rule.
Judgement open_judgement(bool met, const std::optional<MoreRuns>& more);

/// Returns "agrees" or "consistent, about 7 more runs would decide".
std::string verdict_text(const Judgement& judgement);

/// Returns the 95 % interval of the measured value. If the published spread is used, it is the interval of
/// the difference of the two means, shifted to the measured mean.
std::optional<Interval> interval_of(const PaperCell& cell, const Estimate& measured);

/// Returns the verdict of each cell by its rule, see docs/explanation/verdicts.md. Values: a test is decided
/// if the 95 % interval of measured minus bound lies on one side of 0. Orders: under "order" a cell agrees if
/// its measured value compares with the value of every other algorithm of the same network as the published
/// values do (under "rank": the published ranks), without published ties. It is level if some of these
/// measured values differ from its own by less than the ties. Under "lowest" it agrees if every other point
/// of its sweep is above it by more than the ties, and is level if a point is within the ties but none is
/// below it by more. A cell with nothing to compare with is shown, and not available if the other values are
/// still missing. A scaled-down cell is consistent if it would agree and contrary if it would disagree.
std::vector<Judgement> judge(const std::vector<PaperCell>& cells);

/// Returns the judgement of a cell that must pass all tests: the worst of them. It is decided when the first
/// contrary test disagrees, or when all tests are decided.
Judgement together(const std::vector<Judgement>& parts);

/// The question how the measured values of two cells compare, by the indices of the cells.
struct PairQuestion {
  /// above: a is above b; level if they differ by less than the ties. level: they differ by less than the
  /// ties. below: a is below b by more than the ties; level if they differ by less.
  enum class Relation { above, level, below };
  Relation relation;
  std::size_t a, b;
  double ties;         ///< part of the larger value
  bool exact = false;  ///< level: the measured values themselves decide
};

/// Answers questions about pairs of cells; not available if a cell has no number. Each pair has one-sided
/// tests in both directions, with Holm's correction over all questions on one table of the paper. The tests
/// that two cells are level, which are used only if their order is open, have a separate correction.
std::vector<Judgement> judge_pairs(const std::vector<PaperCell>& cells, const std::vector<PairQuestion>& questions);

/// Returns true if the rule compares measured numbers with one another.
bool is_order(const PaperRule& rule);

/// Returns the judgements of cells whose rule is an order (judge_pairs); default judgements for all others.
std::vector<Judgement> judge_orders(const std::vector<PaperCell>& cells);

/// Returns the claims of a table in the order of the config: for each sentence the numbers of its facts that
/// hold, are open and fail, and that hold in the published table. `judgements`: the judgements of the cells
/// by their own rules. Orders of pairs of cells are tested by judge_pairs, all claims on one table of the
/// paper together. Throws ConfigError if "than" names no cell or several cells.
Table judge_claims(const PaperOptions& options, const std::vector<PaperCell>& cells,
                   const std::vector<Judgement>& judgements, const std::string& name);

}  // namespace elmx
