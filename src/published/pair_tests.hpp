#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "published/verdicts.hpp"

namespace elmx {

bool has_number(const PaperCell& cell);

/// The difference of two cells within which they are level: this part of the larger one (in logarithms where
/// they differ by a ratio).
double tie_threshold(const PaperCell& a, const PaperCell& b, double ties);

/// One-sided tests of the differences of pairs of cells, each cell by its place. Those of a table of the paper
/// are corrected together by Holm's method; so are the tests that two cells are level, by a correction of
/// their own.
class PairTests {
 public:
  /// The cells must outlive the object.
  explicit PairTests(const std::vector<PaperCell>& cells) : cells_(cells) {}

  /// Adds the tests of a - b > threshold and of a - b < threshold, once for each pair.
  void add_order(std::size_t a, std::size_t b, double threshold) { add(orders_, a, b, threshold); }
  /// Adds the tests that a and b differ by less than `ties`; they are asked only where their order is open.
  void add_ties(std::size_t a, std::size_t b, double ties);
  /// Decides all tests; nothing may be added behind it.
  void decide();

  /// Judges that one cell is above another by more than the threshold. Requires add_order of them.
  Judgement is_above(std::size_t above, std::size_t below, double threshold) const;
  /// Judges that one cell is above another; level where they differ by less than the ties. Requires add_order of
  /// them at 0 and add_ties.
  Judgement is_above_or_level(std::size_t above, std::size_t below, double ties) const;
  /// Judges that two cells differ by less than the ties. Requires add_order of them at +-ties.
  Judgement is_level(std::size_t a, std::size_t b, double ties) const;
  /// Judges that a cell is below another by more than the ties; level where they differ by less. Requires
  /// add_order of them at +-ties.
  Judgement is_lower(std::size_t cell, std::size_t other, double ties) const;

 private:
  /// The claim that one cell - another > threshold (in logarithms where they are times).
  struct Claim {
    std::optional<Estimate> margin;
    bool certain = false;
  };

  /// A conjunction: it is certain if all of its claims are certain.
  using Test = std::vector<Claim*>;

  struct Family {
    std::map<std::tuple<std::size_t, std::size_t, double>, Claim> claims;
    std::map<std::string, double> levels;  ///< by table: of the test that is next to be decided
  };

  void add(Family& family, std::size_t a, std::size_t b, double threshold);
  static double p_of(const Claim* claim);
  static double decide(const std::vector<Test>& tests);

  const std::vector<PaperCell>& cells_;
  Family orders_;  ///< one cell is above another by more than a threshold
  Family ties_;    ///< two cells differ by less than the ties: two claims a test
};

}  // namespace elmx
