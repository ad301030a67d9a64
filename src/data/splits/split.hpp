#pragma once

#include <armadillo>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "base/rng.hpp"
#include "data/table/dataset.hpp"

namespace elmx {

/// The options for dividing the samples into training and test parts.
struct SplitOptions {
  std::string kind = "k_fold";
  std::size_t folds = 5;
  bool stratified = true;
  bool shuffle = true;
  std::optional<double> test_fraction;
  std::optional<std::size_t> train_samples;
  std::optional<std::size_t> test_samples;
  std::optional<std::size_t> labelled;
  bool validate = false;
  std::optional<std::string> group;
  std::optional<std::string> order;
  std::optional<std::string> column;
  std::optional<std::size_t> gap;
  std::optional<std::size_t> window;
  Json given;  ///< "split" as written in the config; null = not known

  void fields(FieldVisitor& field);

  /// Checks everything that needs no data. Throws ConfigError: an option of another kind, fewer than 2 folds.
  void check() const;

  /// Returns the column that the kind requires. Throws ConfigError if it is not named, and as `check` does.
  SplitColumn needed_column() const;

  /// Returns true if groups are assigned by their classes: group_k_fold with "stratified": true in the
  /// config. (The default value true has no effect on group_k_fold, so that earlier results keep their
  /// folds.)
  bool stratifies_groups() const;

  /// Returns the options that distinguish the folds of two configs, for keys of trials.
  Json identity() const;

  /// Returns the number of folds of a repeat if the options state it, else 1.
  std::size_t explicit_folds() const;

  /// Fills in the defaults that depend on the kind.
  void complete() {
    if (!test_fraction) test_fraction = kind == "labelled" ? 0 : 0.2;
    if (kind == "labelled" && !labelled) labelled = 2;
  }
};

/// The row numbers of the parts of one division, each ascending. With train_samples or a fixed test_samples
/// some rows are in no part.
struct Fold {
  arma::uvec train;
  arma::uvec test;
  /// Rows with inputs that training may use and targets that it must not use; equal to or disjoint from
  /// `test`.
  arma::uvec unlabelled;
};

/// Returns the folds of one repeat. A pure function of its arguments (Rng(seed, Purpose::split, repeat)).
///
///     k_fold    every sample is in exactly one test part; the parts differ by at most one sample
///               (stratified: also by at most one sample of each class)
///     fixed     one fold: training part [0, published_train), the rest is the test part
///     holdout   one fold with round(test_fraction N) or test_samples test samples
///               (stratified: each class contributes its share, rounded down or up)
///     one_holdout   the holdout of repeat 0 in every repeat
///     group_k_fold  every sample is in exactly one test part, with its whole group; groups are assigned by
///               size, the largest first, each to the smallest part so far (shuffle: ties in random order);
///               stratifies_groups: the groups whose class counts vary most come first, each goes to the part
///               that makes the shares of the classes most even (as in scikit-learn's StratifiedGroupKFold)
///     leave_one_group_out   a fold for each group: its rows are the test part, all others the training part
///     time_series   the samples in order are divided into folds + 1 runs of nearly equal length, samples of
///               equal time in the same run; fold f is trained on the first f runs (without their last
///               `gap` samples, and then only on the last `window` samples), and tested on the next run
///     given     a fold for each value of a column: its rows are the test part, all others the training part;
///               the values "train" and "test" give one fold
///     labelled  one fold with `labelled` training samples of each class, which include the choice for any
///               smaller number; round(test_fraction m) of the other m samples are the test part (stratified
///               like holdout), the rest is unlabelled; test_fraction 0: all m samples are both
///
/// train_samples reduces the training part of fixed and the holdouts to a random subset of this size, and
/// test_samples the test part of fixed (stratified: each class contributes its share, rounded down or up;
/// without shuffle: the first rows). Without stratification, a smaller subset is contained in a larger one.
///
/// Throws ConfigError: fewer than 2 or more than N folds, no published split, an empty part, more samples
/// than a part has, an option of another kind, labelled samples for a regression, or all samples of a class
/// labelled; DataError: the training part of a fold lacks a class or every value of an input, or an order
/// that is neither numbers nor dates.
std::vector<Fold> make_folds(const Dataset& data, SplitOptions options, std::uint64_t seed, std::uint32_t repeat);

// Parts that a column of the data determines

using RowNumbers = std::vector<arma::uword>;

/// Returns 0, 1, ..., count - 1.
RowNumbers numbered(arma::uword count);

/// Returns the same numbers, in random order if `shuffle`.
RowNumbers numbered(arma::uword count, bool shuffle, const Rng& rng);

/// Returns the test parts of group_k_fold. Every row is in exactly one part, together with all rows of its
/// category. With class labels, the shares of the classes are balanced over the parts. Throws ConfigError:
/// fewer than 2 folds, or fewer groups than folds.
std::vector<RowNumbers> group_parts(const RawColumn& groups, arma::uword folds, bool shuffle, const Rng& rng,
                                    const arma::uvec& labels);

/// Returns the rows of each nonempty category, in category order. Throws ConfigError: a single category.
std::vector<RowNumbers> single_groups(const RawColumn& groups);

/// Returns the test parts that a column defines: one for each of its categories, in numeric order if all are
/// numbers, else in alphabetical order. For the categories "train" and "test" (in any case), only "test" is a
/// test part. Throws ConfigError: a single category.
std::vector<RowNumbers> given_parts(const RawColumn& column);

/// Divides all rows into `count` consecutive runs in the order of the column (of the file, if none).
/// Rows with equal values are in the same run. Throws ConfigError: fewer than 3 runs, or not a row for
/// each; DataError: values that are neither numbers nor dates with a certain day, month and year, or numbers
/// that may be months ("03.2024"). origin: the name of the data, for errors.
std::vector<RowNumbers> ordered_runs(const std::optional<RawColumn>& order, arma::uword samples, arma::uword count,
                                     const std::string& origin);

}  // namespace elmx
