#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/frame/quantities.hpp"
#include "report/tables/matched_rows.hpp"
#include "statistics/hypothesis_tests.hpp"

namespace elmx {

enum class Decision { not_available, same, lower, higher, not_significant, cannot_decide };

const char* to_string(Decision decision);  ///< "not significant"

/// The result of a paired test of B - A. not_available: no pair; same: all differences are 0; cannot_decide:
/// no differences of this number of pairs would have p <= alpha; lower, higher: p <= alpha; otherwise
/// not_significant.
struct Finding {
  Decision decision = Decision::not_available;
  double p = 0;     ///< NaN if the decision needs none
  std::string why;  ///< for cannot_decide: what the test would need

  bool decided() const { return decision == Decision::lower || decision == Decision::higher; }
};

/// Returns "lower", or "worse" if better is known; a footnote says why a test cannot decide.
Cell finding_cell(const Finding& finding, Table& table, std::optional<Better> better = {});

/// Returns a level such as "0.05" or "0.016667".
std::string shown_level(double alpha);

/// The difference B - A of one metric over the trials that both sides have.
struct PairedDifference {
  Summary a, b, all;  ///< summaries of A, of B and of the differences
  /// interval of the mean difference, with the error that the test uses; none if all differences are equal
  std::optional<Interval> interval;
  Finding finding;
};

/// Two sides over the data sets.
struct PairOfSides {
  std::vector<std::size_t> sides;  ///< A, B
  std::vector<double> gains;       ///< gain of B over A on each data set: > 0 is better
  Finding finding;                 ///< Wilcoxon's test over the data sets with Holm's p; higher: B is better
};

/// Returns the findings of `count` tests with Holm's p. `finding` runs a test at a level.
using FindingAtLevel = std::function<Finding(std::size_t test, double level)>;
std::vector<Finding> findings_by_holm(std::size_t count, double alpha, const FindingAtLevel& finding);

/// The ranks of methods over data sets.
struct MeanRanks {
  arma::mat scores;  ///< data sets x methods, lower is better; values equal up to rounding are tied
  FriedmanResult friedman;
  double critical_difference = 0;  ///< Nemenyi's

  /// Returns "3 methods need at least 3 data sets for p <= 0.05" if no scores can be significant, or "".
  std::string why_undecided(double alpha) const;
};

/// Throws std::logic_error if there is no data set.
MeanRanks mean_ranks(arma::mat scores, double alpha);

/// Methods, runs, or values of a field on the same trials; every comparison is a view of this struct.
struct MethodComparison {
  std::vector<ComparedSide> sides;
  std::vector<MatchedRows> rows;  ///< point into the sides
  std::vector<Quantity> metrics;
  const PairedTest* test = nullptr;
  double alpha = 0.05;
  std::function<double(const RecordRow&)> test_over_train = {};  ///< only for a test that needs it

  /// Compares two rows by the test of the comparison at a level; the split is taken from `a`.
  PairedDifference difference(const RecordRow& a, const RecordRow& b, const std::string& metric, double level) const;

  /// data set -> mean of each of some sides over the trials that all of them have
  using Means = std::map<std::string, std::vector<double>>;
  Means means(const std::vector<std::size_t>& some, const std::string& metric) const;

  /// Returns every pair of sides over the data sets that both have.
  std::vector<PairOfSides> pairs(const Quantity& metric) const;

  /// Returns the scores of all sides, for mean_ranks, on their common data sets; empty if there is none.
  arma::mat scores(const Quantity& metric) const;

  std::vector<std::size_t> all_sides() const;
};

/// Returns tables over several data sets. On each data set a side has one number, the mean over its matched
/// steps (for grids: of the points, not of the choices among them). The tables cover the metrics with a known
/// better direction:
///
///     compare_data_sets  each pair of sides: data sets on which B is better, equal and worse; wins, ties
///                        (not significant) and losses of the rows; Wilcoxon's test by Holm, the sign test
///     compare_ranks      three or more sides: mean ranks (1 is best), Friedman's test, Nemenyi's critical
///                        difference
///
/// J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006) 1-30; A.
/// Benavoli, G. Corani, F. Mangili, "Should we really use post-hoc tests based on mean-ranks?", JMLR 17
/// (2016) 1-10 (why Wilcoxon's test is used for pairs).
std::vector<Table> data_set_tables(MethodComparison comparison);

}  // namespace elmx
