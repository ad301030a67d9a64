#pragma once

#include <armadillo>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "data/table/dataset.hpp"
#include "data/table/roles.hpp"

namespace elmx {

/// The options for dividing the samples into training and test parts.
struct SplitOptions {
  std::string kind = "k_fold";
  arma::uword folds = 5;
  bool stratified = true;
  bool shuffle = true;
  std::optional<double> test_fraction;
  std::optional<arma::uword> train_samples;
  std::optional<arma::uword> test_samples;
  std::optional<arma::uword> labelled;
  bool validate = false;
  std::optional<std::string> group;
  std::optional<std::string> order;
  std::optional<std::string> column;
  std::optional<arma::uword> gap;
  std::optional<arma::uword> window;
  Json given;  ///< "split" as written in the config; null = not known

  template <class F>
  void fields(F& field) {
    field(
        "kind", kind,
        "k-fold cross validation, the published split of the set, one random test part in each repeat (holdout), the "
        "same random test part in all repeats (one_holdout), or a few random samples of each class for training, the "
        "others without their labels (labelled); k folds that keep the rows of a group together (group_k_fold), one "
        "fold a group (leave_one_group_out), folds that are tested on what follows their training part (time_series), "
        "or folds that a column gives (given)",
        one_of({"k_fold", "fixed", "holdout", "one_holdout", "labelled", "group_k_fold", "leave_one_group_out",
                "time_series", "given"}));
    field("folds", folds, "k_fold, group_k_fold, time_series: number of folds");
    field(
        "stratified", stratified,
        "classification: every part has the classes in the proportions of the whole set; group_k_fold: only where the "
        "config says true, as nearly as whole groups allow");
    field("shuffle", shuffle, "whether the samples are divided at random or in the order in which they were read");
    field(
        "test_fraction", test_fraction,
        "holdouts: share of the samples in the test part (0.2); labelled: share of the samples that are not labelled, "
        "the others of which are unlabelled training data (0: all are, and are the test part as well)",
        between(0, 1));
    field("train_samples", train_samples,
          "fixed, holdouts: train on so many samples of the training part, drawn in each repeat (of one_holdout once); "
          "the others are unused",
          at_least(1));
    field("test_samples", test_samples,
          "holdouts, labelled: number of samples in the test part, in place of test_fraction; fixed: test on so many "
          "samples of the test part, drawn in each repeat",
          at_least(1));
    field("labelled", labelled, "labelled: number of training samples of each class (2)", at_least(1));
    field("validate", validate,
          "put every test part aside and test on a fifth of the training part instead: for choosing parameters without "
          "a look at the test part");
    field("group", group,
          "group_k_fold, leave_one_group_out: the column that says which rows belong together; it is no input");
    field("order", order,
          "time_series: the column of numbers or dates that rows are ordered by, in place of their order in the file; "
          "it is no input");
    field("gap", gap, "time_series: so many samples between the training part and the test part are in neither",
          at_least(0));
    field("window", window, "time_series: train on at most so many samples, those before the gap", at_least(1));
    field("column", column,
          "given: the column whose values number or name the fold in which a row is tested; of \"train\" and \"test\" "
          "it makes one fold; it is no input");
  }

  /// Returns the column that the kind requires. Throws ConfigError if it is not named, or if a column of
  /// another kind is named.
  SplitColumn needed_column() const;

  /// Returns true if groups are assigned by their classes: group_k_fold with "stratified": true in the
  /// config. (The default value true has no effect on group_k_fold, so that earlier results keep their
  /// folds.)
  bool stratifies_groups() const;

  /// Returns the options that distinguish the folds of two configs, for keys of trials.
  Json identity() const;

  /// Returns the number of folds of a repeat if the options state it, else 1.
  arma::uword told_folds() const;

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

}  // namespace elmx
