#pragma once

#include <optional>

#include "report/frame/frame.hpp"
#include "report/tables/method_comparison.hpp"

namespace elmx {

/// Returns the methods of one or several runs, compared on the data sets where they were tested on the same
/// samples in the same units (RecordRow::units). In a comparison, every row is a data set and every side a
/// method: at its choice or, if it has several settings without a choice, at the setting that is best on the
/// test part. Each data set uses the first metric that it has.
///
/// Methods are told apart by case (if several cases have the samples), algorithm, and swept values that are
/// not numbers; or only by the field `by`. Data sets that all have the same methods are in one comparison,
/// otherwise each has its own; data sets with the first metric come first.
std::vector<MethodComparison> methods_of(const std::vector<RecordRow>& rows, const Dimension* by = nullptr,
                                         const std::vector<std::string>& metrics = {"test_acc", "test_rmse"});

/// Removes grid points that have a choice, and choices on the test part that have another choice.
std::vector<RecordRow> choices_in(const std::vector<RecordRow>& rows);

/// Chooses for each trial the point (swept places, nodes, iterations) that was best in a validation run,
/// which trained on a part of the same training part and tested on the rest ("split": {"validate": true}).
/// The rows of a case, data set and algorithm that have no other choice become one row. The first of the
/// metrics that a trial has in that run decides; of equal points, the one with the fewest nodes, the fewest
/// iterations, the largest penalties, the first. Throws ConfigError if a trial of several points is missing
/// in the validation run.
std::vector<RecordRow> choose_by_validation(const std::vector<RecordRow>& rows,
                                            const std::vector<RecordRow>& validation,
                                            const std::vector<std::string>& metrics);

/// Sorts the sides: `order` has the index of each.
void put_in_order(const std::vector<std::size_t>& order, MethodComparison& comparison);

/// Joins sides whose metric prints alike in every trial into one side, named after all of them.
void join_alike(MethodComparison& comparison);

/// The sides of a data set from the best, then sides with failed trials, then sides without a number.
struct Standing {
  std::vector<std::size_t> order;
  /// number of sides that share the first place because their means differ only by rounding
  std::size_t first = 1;
  bool behind_by_fails = false;  ///< a side with failed trials has a better mean over its other trials
};
Standing standing_in(const MethodComparison& comparison, std::size_t data_set);

/// The remark if a method is shown at one of several settings (MethodSetting::count).
inline constexpr const char* kBestOfSettings =
    "Where a method has several settings, the one that is best on the test part stands here: the numbers and the tests "
    "are optimistic.";

/// The mean ranks of methods over data sets and the results of the tests.
struct MethodRanks {
  std::string sentence;
  Table scores;                    ///< one row per data set, one column per method, and the mean ranks
  std::vector<Table> tables = {};  ///< from rank_methods: a row per method, and a row per pair of methods
  std::vector<std::string> methods = {};
  MeanRanks ranks = {};
};

/// Ranks the same methods on the several data sets of one comparison. For two methods, Wilcoxon's test over
/// the data sets replaces Friedman's test. The result has no tables; if there are no ranks, the sentence says
/// why.
MethodRanks ranks_in_summary(const MethodComparison& comparison);

/// Ranks the methods over the data sets of all comparisons, each by its own metric. Scores that agree to
/// `digits` significant digits are tied (0: scores that are equal up to rounding). Throws ConfigError if the
/// data sets have different methods, if one lacks a number, or if they are not several different data sets.
MethodRanks rank_methods(std::vector<MethodComparison> comparisons, int digits, double alpha);

/// The methods to rank over the data sets of several runs.
struct RankOptions {
  std::optional<Condition> by = {};  ///< the field whose values are ranked; none = the methods
  Predicate where = {};
  std::vector<std::string> metrics = {};  ///< empty = test_acc, else test_rmse
  int digits = 0;
  double alpha = 0.05;
};

/// Ranks the methods over the data sets of the runs (rank_methods). The validation runs choose the points of
/// the trials (choose_by_validation). Throws ConfigError if a validation run has other folds.
MethodRanks rank_runs(const std::vector<Frame>& runs, const std::vector<Frame>& validation, const RankOptions& options);

/// Returns the largest groups of methods in which no two mean ranks differ by the critical difference, as
/// indices from the best rank. A method that differs from all others is in no group.
std::vector<std::vector<std::size_t>> level_groups(const arma::rowvec& ranks, double critical_difference);

/// Returns the methods from the best rank.
std::vector<std::size_t> order_of(const arma::rowvec& ranks);

/// Returns the mean of a row, bold if it is the best; its footnote names failed trials.
Cell score_cell(const RecordRow& row, const Quantity& metric, bool best, Table& table);

/// Joins names: "a, b and c".
std::string enumerated(const std::vector<std::string>& names);

}  // namespace elmx
