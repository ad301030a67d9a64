#include <gtest/gtest.h>

#include "data/test_split.hpp"

namespace elmx {
namespace {

/// The labelled split of `data` at a seed and a repeat.
Fold labelled_fold(const Dataset& data, SplitOptions options, arma::uword labelled, std::uint64_t seed = 3,
                   std::uint32_t repeat = 0) {
  options.kind = "labelled";
  options.labelled = labelled;
  const std::vector<Fold> folds = make_folds(data, options, seed, repeat);
  EXPECT_EQ(folds.size(), 1U);
  return folds.at(0);
}

/// Whether the parts, each ascending, hold every row once between them.
bool divides(const std::vector<arma::uvec>& parts, arma::uword samples) {
  arma::uvec all;
  for (const arma::uvec& part : parts) {
    if (!part.is_sorted("strictascend")) return false;
    all = arma::join_cols(all, part);
  }
  return equal(arma::sort(all), arma::regspace<arma::uvec>(0, samples - 1));
}

TEST(Divides, TellsPartsThatAreNone) {
  EXPECT_TRUE(divides({{0, 2}, {1}}, 3));
  EXPECT_FALSE(divides({{0, 2}, {2}}, 3));
  EXPECT_FALSE(divides({{2, 0}, {1}}, 3));
  EXPECT_FALSE(divides({{0}, {1}}, 3));
}

TEST(Labelled, TakesSoManyOfEachClassAndTestsOnTheOthersWithoutLabels) {
  const Dataset data = sorted_classes({30, 11, 7});
  for (const bool stratified : {true, false}) {
    for (const arma::uword labelled : {1, 2, 6}) {
      SplitOptions options;
      options.stratified = stratified;
      const Fold fold = labelled_fold(data, options, labelled);

      EXPECT_TRUE(arma::all(class_counts(data, fold.train) == labelled));
      EXPECT_TRUE(divides({fold.train, fold.test}, 48));
      EXPECT_TRUE(equal(fold.unlabelled, fold.test));
    }
  }
}

TEST(Labelled, TestsOnAShareOfTheOthers) {
  const Dataset data = sorted_classes({42, 22, 12});
  SplitOptions options;
  options.test_fraction = 0.1;

  const Fold fold = labelled_fold(data, options, 2);

  EXPECT_TRUE(divides({fold.train, fold.test, fold.unlabelled}, 76));
  EXPECT_TRUE(arma::all(class_counts(data, fold.train) == 2));
  EXPECT_TRUE(equal(class_counts(data, fold.test), {4, 2, 1}));

  options.stratified = false;
  const Fold mixed = labelled_fold(data, options, 2);
  EXPECT_TRUE(divides({mixed.train, mixed.test, mixed.unlabelled}, 76));
  EXPECT_EQ(mixed.test.n_elem, 7U);

  options.test_samples = 20;
  const Fold twenty = labelled_fold(data, options, 2);
  EXPECT_TRUE(divides({twenty.train, twenty.test, twenty.unlabelled}, 76));
  EXPECT_EQ(twenty.test.n_elem, 20U);
}

TEST(Labelled, FewerAreAmongThoseOfMore) {
  const Dataset data = sorted_classes({20, 15});
  for (std::uint32_t repeat = 0; repeat < 5; ++repeat) {
    arma::uvec fewer = labelled_fold(data, {}, 1, 3, repeat).train;
    for (const arma::uword labelled : {2, 4, 6, 14}) {
      const arma::uvec more = labelled_fold(data, {}, labelled, 3, repeat).train;
      EXPECT_TRUE(contains(more, fewer)) << labelled;
      fewer = more;
    }
  }
  EXPECT_FALSE(contains(labelled_fold(data, {}, 4, 3, 0).train, labelled_fold(data, {}, 2, 3, 1).train));
}

TEST(Labelled, DrawIsAFunctionOfSeedAndRepeat) {
  const Dataset data = sorted_classes({40, 40});
  SplitOptions some;
  some.test_fraction = 0.25;
  some.stratified = false;
  const Fold fold = labelled_fold(data, {}, 4, 3, 1);

  EXPECT_TRUE(equal(labelled_fold(data, {}, 4, 3, 1).train, fold.train));
  EXPECT_TRUE(equal(labelled_fold(data, some, 4, 3, 1).train, fold.train)) << "the test part has no say";
  EXPECT_FALSE(equal(labelled_fold(data, {}, 4, 3, 2).train, fold.train));
  EXPECT_FALSE(equal(labelled_fold(data, {}, 4, 4, 1).train, fold.train));
}

TEST(Labelled, WithoutShuffleAreTheFirstOfEachClass) {
  SplitOptions options;
  options.shuffle = false;
  options.test_fraction = 0.4;

  const Fold fold = labelled_fold(sorted_classes({7, 7}), options, 2);

  EXPECT_TRUE(equal(fold.train, {0, 1, 7, 8}));
  EXPECT_TRUE(equal(fold.unlabelled, {2, 3, 4, 9, 10, 11}));
  EXPECT_TRUE(equal(fold.test, {5, 6, 12, 13}));
}

TEST(Labelled, AreTwoOfEachClassAndAllOthersTestUnlessSaidOtherwise) {
  const Fold fold = make_folds(sorted_classes({9, 9}), options_of("labelled"), 1, 0).at(0);
  EXPECT_EQ(fold.train.n_elem, 4U);
  EXPECT_EQ(fold.test.n_elem, 14U);
}

TEST(SplitRefuses, InvalidNumbersOfLabelledSamples) {
  SplitOptions options = options_of("labelled");
  EXPECT_EQ(place_of_refusal(regression(10), options), "/split/kind");
  for (const arma::uword labelled : {4, 5, 9}) {
    options.labelled = labelled;
    EXPECT_EQ(place_of_refusal(sorted_classes({10, 4, 7}), options), "/split/labelled") << labelled;
  }
  options.labelled = 3;
  EXPECT_EQ(place_of_refusal(sorted_classes({10, 4, 7}), options), "");

  for (const double fraction : {0.01, 0.99}) {
    options.test_fraction = fraction;
    EXPECT_EQ(place_of_refusal(sorted_classes({10, 4, 7}), options), "/split/test_fraction") << fraction;
  }
  options.validate = true;
  EXPECT_EQ(place_of_refusal(sorted_classes({10, 4, 7}), options), "/split/validate");
}

}  // namespace
}  // namespace elmx
