#include <gtest/gtest.h>

#include "data/test_split.hpp"

namespace elmx {
namespace {

/// 100 rows of two classes in turns of three and two; the last 30 are the published test part.
Dataset published_classes() {
  Dataset data = sorted_classes({60, 40});
  for (arma::uword i = 0; i < 100; ++i) data.labels(i) = i % 5 < 3 ? 0 : 1;
  data.published_train = 70;
  return data;
}

Fold fold_of(const Dataset& data, const SplitOptions& options, std::uint64_t seed = 3, std::uint32_t repeat = 0) {
  const std::vector<Fold> folds = make_folds(data, options, seed, repeat);
  EXPECT_EQ(folds.size(), 1U);
  return folds.at(0);
}

TEST(TrainSamples, AreSoManyOfTheTrainingPartWithTheProportionsOfTheClasses) {
  const Dataset data = published_classes();
  for (const std::string kind : {"fixed", "holdout", "one_holdout"}) {
    SplitOptions options = options_of(kind);
    const Fold whole = fold_of(data, options);

    options.train_samples = 20;
    const Fold some = fold_of(data, options);

    EXPECT_EQ(some.train.n_elem, 20U) << kind;
    EXPECT_TRUE(some.train.is_sorted("strictascend"));
    EXPECT_TRUE(contains(whole.train, some.train));
    EXPECT_TRUE(equal(class_counts(data, some.train), {12, 8}));
    EXPECT_TRUE(equal(some.test, whole.test)) << "the test part is as it was";
    EXPECT_TRUE(some.unlabelled.empty());
  }
}

TEST(TrainSamples, AreDrawnAnewInEachRepeatAndForEachSeed) {
  const Dataset data = published_classes();
  for (const std::string kind : {"fixed", "holdout", "one_holdout"}) {
    SplitOptions options = options_of(kind);
    options.train_samples = 20;
    const Fold fold = fold_of(data, options, 3, 1);

    EXPECT_TRUE(equal(fold_of(data, options, 3, 1).train, fold.train));
    EXPECT_EQ(equal(fold_of(data, options, 3, 2).train, fold.train), kind == "one_holdout");
    EXPECT_FALSE(equal(fold_of(data, options, 4, 1).train, fold.train));
  }
}

TEST(TrainSamples, AreEveryRowOfTheTrainingPartAsOften) {
  const Dataset data = published_classes();
  for (const bool stratified : {true, false}) {
    SplitOptions options = options_of("fixed");
    options.stratified = stratified;
    options.train_samples = 20;
    arma::vec taken(100, arma::fill::zeros);
    for (std::uint32_t repeat = 0; repeat < 700; ++repeat) taken(fold_of(data, options, 3, repeat).train) += 1;

    EXPECT_EQ(taken.tail(30).max(), 0);
    EXPECT_GT(taken.head(70).min(), 200 - 5 * std::sqrt(700 * 2.0 / 7 * 5.0 / 7));
    EXPECT_LT(taken.head(70).max(), 200 + 5 * std::sqrt(700 * 2.0 / 7 * 5.0 / 7));
  }
}

TEST(TrainSamples, FewerAreAmongThoseOfMoreWhereNothingIsStratified) {
  const Dataset data = published_classes();
  for (const std::string kind : {"fixed", "holdout"}) {
    SplitOptions options = options_of(kind);
    options.stratified = false;
    options.train_samples = 10;
    arma::uvec fewer = fold_of(data, options).train;
    for (const arma::uword samples : {11, 40, 70}) {
      options.train_samples = samples;
      const arma::uvec more = fold_of(data, options).train;
      EXPECT_TRUE(contains(more, fewer)) << samples;
      fewer = more;
    }
  }
}

TEST(TrainSamples, WithoutShuffleAreTheFirst) {
  Dataset data = regression(10);
  data.published_train = 7;
  SplitOptions options = options_of("fixed");
  options.shuffle = false;
  options.train_samples = 3;
  options.test_samples = 2;

  const Fold fold = fold_of(data, options);

  EXPECT_TRUE(equal(fold.train, {0, 1, 2}));
  EXPECT_TRUE(equal(fold.test, {7, 8}));
  options = options_of("holdout");
  options.shuffle = false;
  options.train_samples = 3;
  options.test_samples = 2;
  EXPECT_TRUE(equal(fold_of(data, options).train, {0, 1, 2}));
  EXPECT_TRUE(equal(fold_of(data, options).test, {8, 9}));
}

TEST(TrainSamples, MayBeAllOfThePart) {
  const Dataset data = published_classes();
  SplitOptions options = options_of("fixed");
  const Fold whole = fold_of(data, options);
  options.train_samples = 70;
  options.test_samples = 30;
  EXPECT_TRUE(equal(fold_of(data, options).train, whole.train));
  EXPECT_TRUE(equal(fold_of(data, options).test, whole.test));
}

TEST(TrainSamples, AreWhatValidationDivides) {
  const Dataset data = published_classes();
  for (const std::string kind : {"fixed", "holdout"}) {
    SplitOptions options = options_of(kind);
    options.train_samples = 20;
    const Fold outer = fold_of(data, options);
    options.validate = true;
    const Fold inner = fold_of(data, options);

    EXPECT_TRUE(equal(arma::sort(arma::join_cols(inner.train, inner.test)), outer.train)) << kind;
    EXPECT_EQ(inner.test.n_elem, 4U);
  }
}

TEST(TestSamples, OfAPublishedSplitAreSoManyOfItsTestPart) {
  const Dataset data = published_classes();
  SplitOptions options = options_of("fixed");
  const Fold whole = fold_of(data, options);
  options.test_samples = 10;

  const Fold some = fold_of(data, options);

  EXPECT_TRUE(equal(some.train, whole.train)) << "the training part is as it was";
  EXPECT_TRUE(some.test.is_sorted("strictascend"));
  EXPECT_TRUE(contains(whole.test, some.test));
  EXPECT_TRUE(equal(class_counts(data, some.test), {6, 4}));
  EXPECT_FALSE(equal(fold_of(data, options, 3, 1).test, some.test));
  EXPECT_TRUE(equal(fold_of(data, options).test, some.test));

  options.train_samples = 20;
  EXPECT_TRUE(equal(fold_of(data, options).test, some.test)) << "whatever is taken of the training part";
}

TEST(SplitRefuses, MoreSamplesThanAPartHas) {
  const Dataset data = published_classes();
  for (const arma::uword samples : {0, 71, 1000}) {
    SplitOptions options = options_of("fixed");
    options.train_samples = samples;
    EXPECT_EQ(place_of_refusal(data, options), "/split/train_samples") << samples;
  }
  SplitOptions options = options_of("fixed");
  options.test_samples = 31;
  EXPECT_EQ(place_of_refusal(data, options), "/split/test_samples");
  options = options_of("holdout");
  options.test_samples = 25;
  options.train_samples = 76;
  EXPECT_EQ(place_of_refusal(data, options), "/split/train_samples");
  options.train_samples = 75;
  EXPECT_EQ(place_of_refusal(data, options), "");
}

TEST(SplitRefuses, OptionsOfOtherKinds) {
  SplitOptions options;
  options.given = {{"test_fraction", 0.2}};
  EXPECT_EQ(place_of_refusal(published_classes(), options), "/split/test_fraction");
  options = SplitOptions();
  options.test_samples = 10;
  EXPECT_EQ(place_of_refusal(published_classes(), options), "/split/test_samples");
  options = options_of("holdout");
  options.labelled = 3;
  EXPECT_EQ(place_of_refusal(published_classes(), options), "/split/labelled");
  for (const std::string kind : {"k_fold", "labelled"}) {
    options = options_of(kind);
    options.train_samples = 10;
    EXPECT_EQ(place_of_refusal(published_classes(), options), "/split/train_samples") << kind;
  }
  options = options_of("holdout");
  options.given = {{"kind", "holdout"}, {"folds", 5}, {"test_fraction", 0.2}};
  EXPECT_EQ(place_of_refusal(published_classes(), options), "") << "folds of a config with another kind";
}

TEST(SplitRefuses, TrainSamplesWithoutOneOfAClass) {
  SplitOptions options = options_of("fixed");
  options.train_samples = 1;
  EXPECT_TRUE(names_all(refusal_of_data(published_classes(), options), {"fold 1", "\"b\""}));
}

}  // namespace
}  // namespace elmx
