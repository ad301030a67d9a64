#pragma once

#include <armadillo>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "data/dataset.hpp"

namespace elmx {

/// How the samples are divided into training and test part.
struct SplitOptions {
  std::string kind = "k_fold";
  arma::uword folds = 5;
  bool stratified = true;
  bool shuffle = true;
  double test_fraction = 0.2;
  std::optional<arma::uword> test_samples;
  bool validate = false;

  template <class F>
  void fields(F& field) {
    field("kind", kind,
          "k-fold cross validation, the published split of the set, one random test part in each repeat (holdout), "
          "or the same random test part in all repeats (one_holdout)",
          one_of({"k_fold", "fixed", "holdout", "one_holdout"}));
    field("folds", folds, "k_fold: number of folds");
    field("stratified", stratified, "classification: every part has the classes in the proportions of the whole set");
    field("shuffle", shuffle, "whether the samples are divided at random or in the order in which they were read");
    field("test_fraction", test_fraction, "holdouts: share of the samples in the test part", between(0, 1));
    field("test_samples", test_samples, "holdouts: number of samples in the test part, in place of test_fraction",
          at_least(1));
    field("validate", validate,
          "put every test part aside and test on a fifth of the training part instead: for choosing parameters without "
          "a look at the test part");
  }
};

/// Row numbers of one division, each ascending.
struct Fold {
  arma::uvec train;
  arma::uvec test;
  arma::uvec unlabelled;  ///< inputs that training may see, targets that it may not; the test part itself, or apart from it
};

/// The folds of one repeat; a pure function of its arguments (Rng(seed, Purpose::split, repeat)).
///
///     k_fold    every sample is in exactly one test part; the parts differ by at most one sample
///               (stratified: also by at most one sample of each class)
///     fixed     one fold: training part [0, published_train), the rest is the test part
///     holdout   one fold with round(test_fraction N) test samples, or test_samples of them
///               (stratified: each class gives its share of them, rounded down or up)
///     one_holdout   the holdout of repeat 0 in every repeat
///
/// Throws ConfigError: fewer than 2 or more than N folds, no published split, an empty part; DataError: a class is
/// missing from the training part of a fold.
std::vector<Fold> make_folds(const Dataset& data, const SplitOptions& options, std::uint64_t seed,
                             std::uint32_t repeat);

}  // namespace elmx
