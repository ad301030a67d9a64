#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/quantities.hpp"
#include "statistics/paired_tests.hpp"
#include "statistics/rank_tests.hpp"
#include "tables/matched_rows.hpp"

namespace elmx {

enum class Decision { not_available, same, lower, higher, not_significant, cannot_decide };

const char* to_string(Decision decision);  ///< "not significant"

/// What a paired test makes of B - A. not_available: no pair; same: every difference is 0; cannot_decide: no
/// differences of this number of pairs would have p <= alpha; lower, higher: p <= alpha; else
/// not_significant.
struct Finding {
  Decision decision = Decision::not_available;
  double p = 0;     ///< NaN where the decision needs none
  std::string why;  ///< where it cannot decide: what the test would need

  bool decided() const { return decision == Decision::lower || decision == Decision::higher; }
};

/// "lower" or, if it is known which value of the quantity is better, "worse"; a footnote says why a test
/// cannot decide.
Cell finding_cell(const Finding& finding, Table& table, std::optional<Better> better = {});

/// "0.05", "0.016667".
std::string shown_level(double alpha);

/// B - A of one metric over the trials that both have.
struct PairedDifference {
  Summary a, b, all;  ///< of A, of B, of the differences
  /// of their mean, as the test sees its error; none where they are all alike
  std::optional<Interval> interval;
  Finding finding;
};

/// Two sides over the data sets.
struct PairOfSides {
  std::vector<std::size_t> sides;  ///< A, B
  std::vector<double> gains;       ///< B over A on each data set: > 0 is better
  Finding finding;                 ///< of Wilcoxon's test over the data sets, Holm's p; higher: B is better
};

/// The findings of `count` tests with Holm's p. `finding` tests at a level.
using FindingAtLevel = std::function<Finding(std::size_t test, double level)>;
std::vector<Finding> findings_by_holm(std::size_t count, double alpha, const FindingAtLevel& finding);

/// The ranks of methods over data sets.
struct MeanRanks {
  arma::mat scores;  ///< data sets x methods, lower is better; what is equal but for rounding is equal
  FriedmanResult friedman;
  double critical_difference = 0;  ///< Nemenyi's

  /// "3 methods need at least 3 data sets for p <= 0.05" where no scores could be significant, else "".
  std::string why_undecided(double alpha) const;
};

/// Throws std::logic_error without a data set.
MeanRanks mean_ranks(arma::mat scores, double alpha);

/// Methods, or runs, or values of a field, side by side on the same trials: what every comparison is a view
/// of.
struct MethodComparison {
  std::vector<ComparedSide> sides;
  std::vector<MatchedRows> rows;  ///< point into the sides
  std::vector<Quantity> metrics;
  const PairedTest* test = nullptr;
  double alpha = 0.05;
  std::function<double(const RecordRow&)> test_over_train = {};  ///< see there; for a test that needs it

  /// The two rows by the test of the comparison at a level; the split is taken from `a`.
  PairedDifference difference(const RecordRow& a, const RecordRow& b, const std::string& metric, double level) const;

  /// Data set -> mean of each of some sides over the trials that all of these have.
  using Means = std::map<std::string, std::vector<double>>;
  Means means(const std::vector<std::size_t>& some, const std::string& metric) const;

  /// Every pair of sides over the data sets that both have.
  std::vector<PairOfSides> pairs(const Quantity& metric) const;

  /// The scores of all sides, for mean_ranks, on the data sets that all of them have; empty where there is
  /// none.
  arma::mat scores(const Quantity& metric) const;

  std::vector<std::size_t> all_sides() const;
};

/// Tables over several data sets, on each of which a side has one number, the mean over its matched steps (of
/// grids: their points, not the choices among them). Of the metrics with a known better direction:
///
///     compare_data_sets  each pair of sides: data sets on which B is better, equal and worse; wins, ties (not
///                        significant) and losses of the rows; Wilcoxon's test, by Holm, and the sign test
///     compare_ranks      three or more sides: mean ranks (1 is best), Friedman's test, Nemenyi's critical difference
///
/// J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006) 1-30; A.
/// Benavoli, G. Corani, F. Mangili, "Should we really use post-hoc tests based on mean-ranks?", JMLR 17
/// (2016) 1-10 (why pairs are judged by Wilcoxon's test).
std::vector<Table> data_set_tables(MethodComparison comparison);

}  // namespace elmx
