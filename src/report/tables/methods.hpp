#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/frame/frame.hpp"
#include "report/frame/quantities.hpp"
#include "report/tables/matched_rows.hpp"
#include "statistics/hypothesis_tests.hpp"

namespace elmx {

enum class Decision { not_available, same, lower, higher, not_significant, cannot_decide };

/// The result of a paired test of B - A. not_available: no pair; same: all differences are 0; cannot_decide:
/// no differences of this number of pairs would have p <= alpha, or all differences are alike; lower, higher:
/// p <= alpha; otherwise not_significant.
struct Finding {
  Decision decision = Decision::not_available;
  double p = 0;     ///< NaN if the decision needs none
  std::string why;  ///< for cannot_decide: what the test would need

  bool decided() const { return decision == Decision::lower || decision == Decision::higher; }
};

/// Returns "not significant", "lower", or "worse" if better is known; a footnote says why a test cannot
/// decide.
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

using DifferenceAtLevel = std::function<PairedDifference(std::size_t i, double level)>;

/// Returns `count` differences whose findings have Holm's p. `difference` runs test i at a level.
std::vector<PairedDifference> by_holm(std::size_t count, double alpha, const DifferenceAtLevel& difference);

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

  /// data set -> mean of the first metric of each side over the trials that all sides have
  using Means = std::map<std::string, std::vector<double>>;
  Means means() const;

  /// Judges the difference of the first two sides by Wilcoxon's test over the data sets.
  Finding over_data_sets() const;

  /// Returns the scores of all sides by the first metric, for mean_ranks, on their common data sets; empty if
  /// there is none.
  arma::mat scores() const;
};

/// Returns the ratio of test to training samples at a row (test_over_train); none if the run does not
/// determine it.
std::optional<double> known_ratio(const RunDescription& run, const RecordRow& row);

/// Uses the corrected t-test if the split of the run at a row allows it, otherwise Wilcoxon's test.
void use_fitting_test(const RunDescription& run, const RecordRow& row, MethodComparison& comparison);

/// Returns the summary with the spread of folds whose training parts overlap: the variance of the mean is
/// s^2 (1 / n + test / train) (Nadeau and Bengio).
Summary widened(Summary summary, double test_over_train);

/// Returns true if balanced accuracy judges the methods of a run on a data set: it has chosen (loo_bac), or
/// nothing has chosen, a model is saved, and the classes are unbalanced. Otherwise accuracy judges classes.
bool judges_by_balanced_accuracy(const RunDescription& run, const std::vector<RecordRow>& rows,
                                 const std::string& data_set);

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

/// The ranks of methods over data sets.
struct MeanRanks {
  arma::mat scores;  ///< data sets x methods, lower is better; values equal up to rounding are tied
  FriedmanResult friedman;
  double critical_difference = 0;  ///< Nemenyi's

  /// Returns true if Nemenyi's test tells the methods i and j apart.
  bool apart(std::size_t i, std::size_t j) const {
    return std::abs(friedman.ranks(i) - friedman.ranks(j)) >= critical_difference;
  }
};

/// Throws std::logic_error if there is no data set.
MeanRanks mean_ranks(arma::mat scores, double alpha);

/// The mean ranks of methods over data sets and the results of the tests.
struct MethodRanks {
  std::string sentence;
  Table scores;      ///< one row per data set, one column per method, and the mean ranks
  Table table = {};  ///< from rank_methods: a row per method
  std::vector<std::string> methods = {};
  MeanRanks ranks = {};
};

/// Ranks the same methods on the several data sets of one comparison. For two methods, Wilcoxon's test over
/// the data sets replaces Friedman's test. The result has no table of methods; if there are no ranks, the
/// sentence says why.
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

/// Ranks the methods over the data sets of the runs (rank_methods).
MethodRanks rank_runs(const std::vector<Frame>& runs, const RankOptions& options);

/// Returns the largest groups of methods in which no two mean ranks differ by the critical difference, as
/// indices from the best rank. A method that differs from all others is in no group.
std::vector<std::vector<std::size_t>> level_groups(const arma::rowvec& ranks, double critical_difference);

/// Returns the methods from the best rank.
std::vector<std::size_t> order_of(const arma::rowvec& ranks);

/// Returns the mean of a row, bold if it is the best; its footnote names failed trials.
Cell score_cell(const RecordRow& row, const Quantity& metric, bool best, Table& table);

/// Adds a remark if a method is shown at one of several settings (MethodSetting::count).
void remark_on_settings(const std::vector<ComparedSide>& sides, Table& table);

/// Joins names: "a, b and c".
std::string enumerated(const std::vector<std::string>& names);

}  // namespace elmx
