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

/// One-sided tests of the differences of pairs of cells, by the index of each cell. The tests of one table of
/// the paper are corrected together by Holm's method. The tests that two cells are level have a separate
/// correction.
class PairTests {
 public:
  /// The cells must outlive the object.
  explicit PairTests(const std::vector<PaperCell>& cells) : cells_(cells) {}

  /// Adds the tests of a - b > threshold and of a - b < threshold, once for each pair.
  void add_order(std::size_t a, std::size_t b, double threshold) { add(orders_, a, b, threshold); }
  /// Adds the tests that a and b differ by less than `ties`, which are used only if their order is open.
  void add_ties(std::size_t a, std::size_t b, double ties);
  /// Decides all tests; no test may be added afterwards.
  void decide();

  /// Judges that one cell is above another by more than the threshold. Requires add_order for the pair.
  Judgement is_above(std::size_t above, std::size_t below, double threshold) const;
  /// Judges that one cell is above another; level if they differ by less than the ties. Requires add_order at
  /// 0 and add_ties for the pair.
  Judgement is_above_or_level(std::size_t above, std::size_t below, double ties) const;
  /// Judges that two cells differ by less than the ties. Requires add_order at +-ties for the pair.
  Judgement is_level(std::size_t a, std::size_t b, double ties) const;
  /// Judges that a cell is below another by more than the ties; level if they differ by less. Requires
  /// add_order at +-ties for the pair.
  Judgement is_lower(std::size_t cell, std::size_t other, double ties) const;

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

  const std::vector<PaperCell>& cells_;
  Family orders_;  ///< one cell is above another by more than a threshold
  Family ties_;    ///< two cells differ by less than the ties: two claims per test
};

}  // namespace elmx
