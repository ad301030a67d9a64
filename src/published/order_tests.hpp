#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "published/verdicts.hpp"

namespace elmx {

/// Whether the rule compares measured numbers with one another.
bool is_order(const PaperRule& rule);

/// Of two numbers of further runs; none is more than any.
std::optional<MoreRuns> earlier(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b);
std::optional<MoreRuns> later(const std::optional<MoreRuns>& a, const std::optional<MoreRuns>& b);

/// Whether nothing speaks against one run being like all others: no two of them differ.
bool alike(const Estimate& estimate);

/// The tests behind all cells of a table under "order" and "lowest": for each pair of cells that one of them is about
/// the one-sided tests of both directions, those of a table of the paper together by Holm's correction, pairs that were
/// not run yet among them.
class OrderTests {
 public:
  explicit OrderTests(const std::vector<PaperCell>& cells);

  Judgement judge(std::size_t cell) const;

 private:
  /// measured of `first` - measured of `second` - threshold, in logarithms where they are times.
  struct Test {
    std::optional<Estimate> margin;
    bool above = false, below = false;  ///< what is certain
  };
  using Key = std::tuple<std::size_t, std::size_t, double>;

  /// What is known of "mine is further from the other than the threshold, in the direction of sign".
  struct Side {
    bool met = false, missed = false;
    double margin = 0;
    std::optional<MoreRuns> more = {};
  };

  std::vector<std::size_t> others_of(std::size_t cell, bool (*qualifies)(const PaperCell&)) const;
  double threshold_of(std::size_t cell, std::size_t other) const;
  bool exact(std::size_t cell, std::size_t other) const;
  /// Decides the tests; the level of the one that would be next.
  static double decide(const std::vector<Test*>& tests);
  void add(std::size_t cell, std::size_t other, double threshold);
  Side side(std::size_t cell, std::size_t other, double sign, double threshold) const;
  Judgement judge_order(std::size_t cell, std::size_t other, Verdict& leaning) const;
  Judgement judge_lowest(std::size_t cell, std::size_t other, Verdict& leaning) const;

  const std::vector<PaperCell>& cells_;
  std::map<Key, Test> tests_;
  std::map<std::string, double> levels_;  ///< by table: of the test that is next to be decided
};

}  // namespace elmx
