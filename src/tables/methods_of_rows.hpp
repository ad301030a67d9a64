#pragma once

#include "tables/method_comparison.hpp"

namespace elmx {

/// The methods of one or several runs, on the data sets on which they were tested on the same samples in the
/// same units (RecordRow::units). Every row of a comparison is a data set, every side a method, at its choice
/// or, of several settings without one, at the one that is best on the test part. A data set is judged by the
/// first metric that it has.
///
/// Case (where several of them have the samples), algorithm, and swept values that are no numbers tell
/// methods apart; or `by` alone, a field of rows. Data sets that all have the same methods are in one
/// comparison, else each has its own; those of the first metric come first.
std::vector<MethodComparison> methods_of(const std::vector<RecordRow>& rows, const Dimension* by = nullptr,
                                         const std::vector<std::string>& metrics = {"test_acc", "test_rmse"});

/// Points of grids are left to the choices among them, and a choice on the test part to any other.
std::vector<RecordRow> choices_in(const std::vector<RecordRow>& rows);

/// Each trial takes the point (swept places, nodes, iterations) that was best in a run that trained on a part
/// of the same training part and tested on the rest of it ("split": {"validate": true}): the rows of a case,
/// data set and algorithm that have not chosen otherwise become one. The first of the metrics that a trial
/// has there decides; of points that are equal, the one with the fewest nodes, the fewest iterations, the
/// largest penalties, the first. Throws ConfigError where a trial of several points has no partner.
std::vector<RecordRow> choose_by_validation(const std::vector<RecordRow>& rows,
                                            const std::vector<RecordRow>& validation,
                                            const std::vector<std::string>& metrics);

/// Sorts the sides: `order` has the index of each.
void put_in_order(const std::vector<std::size_t>& order, MethodComparison& comparison);

/// Makes one side of those whose metric prints alike in every trial, named after all of them.
void join_alike(MethodComparison& comparison);

/// The sides of a data set from the best: those with failed trials come after all others, those without a
/// number last.
struct Standing {
  std::vector<std::size_t> order;
  /// number of sides that share the first place: their means differ by rounding alone
  std::size_t first = 1;
  bool behind_by_fails = false;  ///< a side with failed trials has the better mean in those that it has
};
Standing standing_in(const MethodComparison& comparison, std::size_t data_set);

/// The remark where a method stands at one of several settings (MethodSetting::count).
inline constexpr const char* kBestOfSettings =
    "Where a method has several settings, the one that is best on the test part stands here: the numbers and the tests "
    "are optimistic.";

/// The mean ranks of methods over data sets and what the tests say of them.
struct MethodRanks {
  std::string sentence;
  Table scores;                    ///< one row a data set, one column a method, and the mean ranks
  std::vector<Table> tables = {};  ///< of rank_methods: a row a method, and a row a pair of methods
  std::vector<std::string> methods = {};
  MeanRanks ranks = {};
};

/// The same methods on the several data sets of one comparison. Of two methods Wilcoxon's test over the data
/// sets stands in place of Friedman's. Without tables; where there are no ranks, the sentence says why.
MethodRanks ranks_in_summary(const MethodComparison& comparison);

/// The methods over the data sets of all comparisons, each judged by its own metric. Scores that agree to
/// `digits` significant digits are tied (0: those that are equal but for rounding). Throws ConfigError where
/// the data sets have different methods, where one lacks a number, or where they are not several different
/// ones.
MethodRanks rank_methods(std::vector<MethodComparison> comparisons, int digits, double alpha);

/// The groups of methods without two mean ranks that are the critical difference apart, the largest ones:
/// indices from the best rank. Methods that differ from every other one are in none.
std::vector<std::vector<std::size_t>> level_groups(const arma::rowvec& ranks, double critical_difference);

/// Methods from the best rank.
std::vector<std::size_t> order_of(const arma::rowvec& ranks);

/// The mean of a row, bold where it is the best; its footnote names failed trials.
Cell score_cell(const RecordRow& row, const Quantity& metric, bool best, Table& table);

/// "a, b and c".
std::string enumerated(const std::vector<std::string>& names);

}  // namespace elmx
