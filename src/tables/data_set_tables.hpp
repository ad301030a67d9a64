#pragma once

#include <vector>

#include "results/quantities.hpp"
#include "statistics/rank_tests.hpp"
#include "tables/finding.hpp"
#include "tables/matched_rows.hpp"

namespace elmx {

/// Sides that were compared, and with what.
struct Comparison {
  std::vector<ComparedSide> sides;
  std::vector<MatchedRows> rows;  ///< point into the sides
  const PairedTest* test;
  double alpha;
  std::function<double(const RecordRow&)> test_over_train;

  /// The finding of one row about one metric.
  Finding finding(const RecordRow& row, const std::vector<double>& a, const std::vector<double>& b) const;
};

/// Two sides over the data sets.
struct PairOfSides {
  std::vector<std::size_t> sides;  ///< A, B
  std::vector<double> gains;       ///< B over A on each data set: > 0 is better
  Finding finding;                 ///< of Wilcoxon's test over the data sets, Holm's p; higher: B is better
};

/// Every pair of sides.
std::vector<PairOfSides> pairs_of_sides(const Comparison& comparison, const Quantity& metric);

/// The ranks of the sides over the data sets that all of them have.
struct RanksOfSides {
  std::size_t data_sets = 0;
  FriedmanResult friedman;
  double critical_difference = 0;  ///< Nemenyi's
};

/// No data set: all that is of ranks is empty.
RanksOfSides ranks_of_sides(const Comparison& comparison, const Quantity& metric);

/// Tables over the data sets, of each of which every side has one number: the mean over all its matched steps (of
/// grids: their points, not the choices among them). Of the metrics of which it is known what is better:
///
///     compare_data_sets  each pair of sides: on how many data sets B is better, equal and worse; wins, ties and losses
///     of
///                        the single rows (a tie is not significant); p of Wilcoxon's signed-rank test over the data
///                        sets, Holm's where there are several pairs, and of the sign test
///     compare_ranks      three or more sides: mean ranks (1 is best), Friedman's test, Nemenyi's critical difference
///
/// None where there is one data set only. J. Demsar, "Statistical comparisons of classifiers over multiple data sets",
/// JMLR 7 (2006) 1-30; A. Benavoli, G. Corani, F. Mangili, "Should we really use post-hoc tests based on mean-ranks?",
/// JMLR 17 (2016) 1-10 (why pairs are judged by Wilcoxon's test).
std::vector<Table> data_set_tables(const Comparison& comparison, const std::vector<Quantity>& metrics);

}  // namespace elmx
