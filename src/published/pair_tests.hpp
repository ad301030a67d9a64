#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "published/verdicts.hpp"

namespace elmx {

bool has_number(const PaperCell& cell);

/// Returns the difference below which cells are level: a part of the larger one (ratios: in logarithms).
double tie_threshold(const PaperCell& a, const PaperCell& b, double ties);

/// The question how the measured values of two cells compare, by the indices of the cells.
struct PairQuestion {
  /// above: a is above b; level if they differ by less than the ties. level: they differ by less than the
  /// ties. below: a is below b by more than the ties; level if they differ by less.
  enum class Relation { above, level, below };
  Relation relation;
  std::size_t a, b;
  double ties;
};

/// One-sided tests of the differences of pairs of cells. The tests of one table of the paper are corrected
/// together by Holm's method. The tests that two cells are level, which are used only if their order is open,
/// have a separate correction.
class PairTests {
 public:
  /// Decides all questions. The cells must outlive the object.
  PairTests(const std::vector<PaperCell>& cells, const std::vector<PairQuestion>& questions);

  /// Answers one of the questions.
  Judgement judge(const PairQuestion& question) const;

 private:
  /// The claim that the difference of two cells exceeds the threshold (in logarithms for times).
  struct Claim {
    std::optional<Estimate> margin;
    bool certain = false;
  };

  /// A conjunction: it is certain if all its claims are certain.
  using Test = std::vector<Claim*>;

  struct Family {
    std::map<std::tuple<std::size_t, std::size_t, double>, Claim> claims;
    std::map<std::string, double> levels;  ///< level of the next test to be decided, by table
  };

  void add(Family& family, std::size_t a, std::size_t b, double threshold);
  static double p_of(const Claim* claim);
  static double decide(const std::vector<Test>& tests);

  Judgement is_above(std::size_t above, std::size_t below, double threshold) const;
  Judgement is_above_or_level(std::size_t above, std::size_t below, double ties) const;
  Judgement is_below(std::size_t cell, std::size_t other, double ties) const;

  const std::vector<PaperCell>& cells_;
  Family orders_;  ///< one cell is above another by more than a threshold
  Family ties_;    ///< two cells differ by less than the ties: two claims per test
};

}  // namespace elmx
