#include "data/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

Dataset regression(arma::uword samples) {
  Dataset data;
  data.name = "made";
  data.X.zeros(samples, 1);
  data.Y.zeros(samples, 1);
  return data;
}

/// Classes of the given sizes, one after the other, as published files often have them.
Dataset sorted_classes(const std::vector<arma::uword>& sizes) {
  Dataset data;
  data.name = "made";
  data.task = Task::classification;
  for (arma::uword k = 0; k < sizes.size(); ++k) {
    data.classes.push_back(std::string(1, static_cast<char>('a' + k)));
    data.labels = arma::join_cols(data.labels, arma::uvec(sizes[k], arma::fill::value(k)));
  }
  data.X.zeros(data.labels.n_elem, 1);
  return data;
}

arma::uvec class_counts(const Dataset& data, const arma::uvec& rows) {
  arma::uvec counts(data.classes.size(), arma::fill::zeros);
  for (const arma::uword row : rows) ++counts(data.labels(row));
  return counts;
}

bool is_partition(const Fold& fold, arma::uword samples) {
  const arma::uvec all = arma::sort(arma::join_cols(fold.train, fold.test));
  return all.n_elem == samples && arma::all(all == arma::regspace<arma::uvec>(0, samples - 1)) &&
         fold.train.is_sorted() && fold.test.is_sorted() && !fold.train.empty() && !fold.test.empty();
}

bool same(const std::vector<Fold>& a, const std::vector<Fold>& b) {
  for (std::size_t f = 0; f < a.size(); ++f) {
    if (a[f].test.n_elem != b[f].test.n_elem || arma::any(a[f].test != b[f].test)) return false;
  }
  return a.size() == b.size();
}

SplitOptions options_of(const std::string& kind) {
  SplitOptions options;
  options.kind = kind;
  return options;
}

struct Case {
  arma::uword folds;
  bool stratified;
  bool shuffle;
};

void PrintTo(const Case& test, std::ostream* out) {
  *out << test.folds << (test.stratified ? " stratified" : "") << (test.shuffle ? " shuffled" : "");
}

class AnyKFold : public testing::TestWithParam<Case> {
 protected:
  SplitOptions options() const {
    SplitOptions options;
    options.folds = GetParam().folds;
    options.stratified = GetParam().stratified;
    options.shuffle = GetParam().shuffle;
    return options;
  }
};

TEST_P(AnyKFold, TestsEverySampleOnce) {
  for (const Dataset& data : {regression(23), sorted_classes({13, 10})}) {
    if (data.task == Task::classification && !GetParam().stratified && !GetParam().shuffle) continue;
    const std::vector<Fold> folds = make_folds(data, options(), 7, 0);

    ASSERT_EQ(folds.size(), GetParam().folds);
    arma::uvec tested(23, arma::fill::zeros);
    for (const Fold& fold : folds) {
      EXPECT_TRUE(is_partition(fold, 23));
      tested(fold.test) += 1;
      EXPECT_GE(fold.test.n_elem, 23 / GetParam().folds);
      EXPECT_LE(fold.test.n_elem, (23 + GetParam().folds - 1) / GetParam().folds);
    }
    EXPECT_TRUE(arma::all(tested == 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, AnyKFold,
                         testing::Values(Case{2, true, true}, Case{5, true, true}, Case{5, true, false},
                                         Case{5, false, true}, Case{5, false, false}, Case{23, false, true}));

TEST(KFold, StratifiedPartsDifferByOneSampleOfAClass) {
  const std::vector<arma::uword> sizes = {52, 17, 6};
  const Dataset data = sorted_classes(sizes);

  for (const Fold& fold : make_folds(data, SplitOptions{}, 1, 0)) {
    const arma::uvec counts = class_counts(data, fold.test);
    for (arma::uword k = 0; k < sizes.size(); ++k) {
      EXPECT_GE(counts(k), sizes[k] / 5);
      EXPECT_LE(counts(k), (sizes[k] + 4) / 5);
    }
    EXPECT_EQ(fold.test.n_elem, 15U);
  }
}

TEST(KFold, WithoutShuffleTakesConsecutiveRows) {
  SplitOptions options;
  options.shuffle = false;
  options.folds = 3;

  const std::vector<Fold> folds = make_folds(regression(7), options, 1, 0);

  EXPECT_TRUE(arma::all(folds[0].test == arma::uvec{0, 1, 2}));
  EXPECT_TRUE(arma::all(folds[1].test == arma::uvec{3, 4}));
  EXPECT_TRUE(arma::all(folds[2].test == arma::uvec{5, 6}));
}

TEST(KFold, IsAFunctionOfSeedAndRepeat) {
  for (const Dataset& data : {regression(40), sorted_classes({20, 20})}) {
    for (const std::string kind : {"k_fold", "holdout"}) {
      const std::vector<Fold> folds = make_folds(data, options_of(kind), 3, 1);
      EXPECT_TRUE(same(folds, make_folds(data, options_of(kind), 3, 1)));
      EXPECT_FALSE(same(folds, make_folds(data, options_of(kind), 3, 2)));
      EXPECT_FALSE(same(folds, make_folds(data, options_of(kind), 4, 1)));
    }
  }
}

TEST(Holdout, TakesTheFractionOfEveryClass) {
  const Dataset data = sorted_classes({60, 31, 9});
  SplitOptions options = options_of("holdout");
  options.test_fraction = 0.25;

  const std::vector<Fold> folds = make_folds(data, options, 1, 0);

  ASSERT_EQ(folds.size(), 1U);
  EXPECT_TRUE(is_partition(folds[0], 100));
  EXPECT_TRUE(arma::all(class_counts(data, folds[0].test) == arma::uvec{15, 8, 2}));  // 15, 7.75, 2.25
}

TEST(Holdout, RoundsTheNumberOfTestSamples) {
  SplitOptions options = options_of("holdout");
  options.test_fraction = 0.1;
  EXPECT_EQ(make_folds(regression(19020), options, 1, 0)[0].test.n_elem, 1902U);
  options.test_fraction = 0.26;
  EXPECT_EQ(make_folds(regression(10), options, 1, 0)[0].test.n_elem, 3U);
}

TEST(Holdout, WithoutShuffleTestsTheLastRows) {
  SplitOptions options = options_of("holdout");
  options.shuffle = false;
  EXPECT_TRUE(arma::all(make_folds(regression(10), options, 1, 0)[0].test == arma::uvec{8, 9}));
}

TEST(Fixed, IsThePublishedSplit) {
  Dataset data = regression(5);
  data.published_train = 3;

  const std::vector<Fold> folds = make_folds(data, options_of("fixed"), 1, 0);

  ASSERT_EQ(folds.size(), 1U);
  EXPECT_TRUE(arma::all(folds[0].train == arma::uvec{0, 1, 2}));
  EXPECT_TRUE(arma::all(folds[0].test == arma::uvec{3, 4}));
}

template <class Error>
std::string refusal(const Dataset& data, const SplitOptions& options) {
  return message_of<Error>([&] { make_folds(data, options, 1, 0); });
}

TEST(SplitRefuses, NumbersOfFoldsThatCannotBe) {
  SplitOptions options;
  for (const arma::uword folds : {0, 1, 6}) {
    options.folds = folds;
    EXPECT_EQ(refusal<ConfigError>(regression(5), options),
              "/split/folds: " + std::to_string(folds) + "; allowed: 2 to 5, the number of samples");
  }
  options.folds = 5;
  EXPECT_EQ(refusal<ConfigError>(regression(5), options), "no error");
}

TEST(SplitRefuses, FixedWithoutAPublishedSplit) {
  const std::string expected = "/split/kind: \"fixed\", but made has no published split; allowed: k_fold, holdout";
  Dataset data = regression(5);
  EXPECT_EQ(refusal<ConfigError>(data, options_of("fixed")), expected);
  data.published_train = 5;
  EXPECT_EQ(refusal<ConfigError>(data, options_of("fixed")), expected);
}

TEST(SplitRefuses, EmptyParts) {
  SplitOptions options = options_of("holdout");
  for (const double fraction : {0.0, 0.04, 0.96, 1.0}) {
    options.test_fraction = fraction;
    EXPECT_EQ(refusal<ConfigError>(regression(10), options),
              "/split/test_fraction: leaves one part of 10 samples empty; at least one sample in each is expected");
  }
}

TEST(SplitRefuses, TrainingPartsThatLackAClass) {
  const std::string expected = "\" in the training part; one of each class is expected";
  EXPECT_EQ(
      refusal<DataError>(sorted_classes({10, 1}), SplitOptions{}),
      "made: fold 1: no sample of class \"b" + expected + " (it has one row: leave it out, or give it another class)");

  SplitOptions options;
  options.stratified = false;
  options.shuffle = false;
  options.folds = 2;
  EXPECT_EQ(refusal<DataError>(sorted_classes({5, 5}), options), "made: fold 1: no sample of class \"a" + expected);

  Dataset data = sorted_classes({5, 5});
  data.published_train = 5;
  EXPECT_EQ(refusal<DataError>(data, options_of("fixed")), "made: fold 1: no sample of class \"b" + expected);
}

TEST(Split, ValidationTestsOnAFifthOfEachTrainingPartAndNeverOnItsTestPart) {
  const Dataset data = sorted_classes({60, 40});
  SplitOptions options;
  const std::vector<Fold> outer = make_folds(data, options, 5, 0);

  options.validate = true;
  const std::vector<Fold> inner = make_folds(data, options, 5, 0);

  ASSERT_EQ(inner.size(), outer.size());
  for (std::size_t f = 0; f < outer.size(); ++f) {
    const arma::uvec both = arma::sort(arma::join_cols(inner[f].train, inner[f].test));
    ASSERT_EQ(both.n_elem, outer[f].train.n_elem);
    EXPECT_TRUE(arma::all(both == outer[f].train));
    EXPECT_EQ(inner[f].test.n_elem, 16u);
    EXPECT_NEAR(static_cast<double>(class_counts(data, inner[f].test)(0)), 0.6 * 16, 1);
  }
}

TEST(Holdout, TakesANumberOfTestSamples) {
  const Dataset data = sorted_classes({60, 31, 9});
  SplitOptions options = options_of("holdout");
  options.test_samples = 23;

  const std::vector<Fold> folds = make_folds(data, options, 1, 0);

  ASSERT_EQ(folds.size(), 1U);
  EXPECT_TRUE(is_partition(folds[0], 100));
  EXPECT_TRUE(arma::all(class_counts(data, folds[0].test) == arma::uvec{14, 7, 2}));  // 13.8, 7.13, 2.07
}

TEST(Holdout, OneForAllRepeatsIsThatOfTheFirst) {
  const Dataset data = sorted_classes({20, 20});
  for (const bool validate : {false, true}) {
    SplitOptions one = options_of("one_holdout"), each = options_of("holdout");
    one.validate = each.validate = validate;

    EXPECT_TRUE(same(make_folds(data, one, 3, 0), make_folds(data, each, 3, 0)));
    EXPECT_TRUE(same(make_folds(data, one, 3, 7), make_folds(data, one, 3, 0)));
    EXPECT_FALSE(same(make_folds(data, one, 4, 0), make_folds(data, one, 3, 0))) << "the seed";
  }
}

TEST(SplitRefuses, NumbersOfTestSamplesThatLeaveNothing) {
  SplitOptions options = options_of("one_holdout");
  for (const arma::uword samples : {0, 10, 11}) {
    options.test_samples = samples;
    EXPECT_EQ(refusal<ConfigError>(regression(10), options),
              "/split/test_samples: leaves one part of 10 samples empty; at least one sample in each is expected");
  }
}

/// The labelled split of `data` at a seed and a repeat.
Fold labelled_fold(const Dataset& data, SplitOptions options, arma::uword labelled, std::uint64_t seed = 3,
                   std::uint32_t repeat = 0) {
  options.kind = "labelled";
  options.labelled = labelled;
  const std::vector<Fold> folds = make_folds(data, options, seed, repeat);
  EXPECT_EQ(folds.size(), 1U);
  return folds.at(0);
}

bool equal(const arma::uvec& a, const arma::uvec& b) { return a.n_elem == b.n_elem && arma::all(a == b); }

/// Whether the parts, each ascending, hold every row once between them.
bool divides(const std::vector<arma::uvec>& parts, arma::uword samples) {
  arma::uvec all;
  for (const arma::uvec& part : parts) {
    if (!part.is_sorted("strictascend")) return false;
    all = arma::join_cols(all, part);
  }
  return equal(arma::sort(all), arma::regspace<arma::uvec>(0, samples - 1));
}

bool contains(const arma::uvec& large, const arma::uvec& small) { return std::ranges::includes(large, small); }

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

TEST(SplitRefuses, LabelledSamplesThatCannotBe) {
  SplitOptions options = options_of("labelled");
  EXPECT_EQ(refusal<ConfigError>(regression(10), options),
            "/split/kind: \"labelled\", but made is a regression; allowed: k_fold, fixed, holdout, one_holdout");
  for (const arma::uword labelled : {4, 5, 9}) {
    options.labelled = labelled;
    EXPECT_EQ(
        refusal<ConfigError>(sorted_classes({10, 4, 7}), options),
        "/split/labelled: " + std::to_string(labelled) + ": class \"b\" has 4 samples; allowed: fewer than those");
  }
  options.labelled = 3;
  EXPECT_EQ(refusal<ConfigError>(sorted_classes({10, 4, 7}), options), "no error");

  for (const double fraction : {0.01, 0.99}) {
    options.test_fraction = fraction;
    EXPECT_EQ(refusal<ConfigError>(sorted_classes({10, 4, 7}), options),
              "/split/test_fraction: leaves one part of 12 samples empty; at least one sample in each is expected");
  }
  options.validate = true;
  EXPECT_EQ(refusal<ConfigError>(sorted_classes({10, 4, 7}), options),
            "/split/validate: true with kind \"labelled\"; allowed: false, parameters are chosen by cross validation "
            "within the labelled part");
}

TEST(Split, HasNothingUnlabelledWhereAllTrainingSamplesHaveLabels) {
  Dataset data = sorted_classes({10, 10});
  data.published_train = 15;
  for (const std::string kind : {"k_fold", "fixed", "holdout", "one_holdout"}) {
    for (const Fold& fold : make_folds(data, options_of(kind), 1, 0)) EXPECT_TRUE(fold.unlabelled.empty()) << kind;
  }
}

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
    EXPECT_EQ(refusal<ConfigError>(data, options), "/split/train_samples: " + std::to_string(samples) +
                                                       "; allowed: 1 to 70, the number of samples in that part");
  }
  SplitOptions options = options_of("fixed");
  options.test_samples = 31;
  EXPECT_EQ(refusal<ConfigError>(data, options),
            "/split/test_samples: 31; allowed: 1 to 30, the number of samples in that part");
  options = options_of("holdout");
  options.test_samples = 25;
  options.train_samples = 76;
  EXPECT_EQ(refusal<ConfigError>(data, options),
            "/split/train_samples: 76; allowed: 1 to 75, the number of samples in that part");
  options.train_samples = 75;
  EXPECT_EQ(refusal<ConfigError>(data, options), "no error");
}

TEST(SplitRefuses, TrainSamplesOfOtherKinds) {
  for (const std::string kind : {"k_fold", "labelled"}) {
    SplitOptions options = options_of(kind);
    options.train_samples = 10;
    EXPECT_EQ(refusal<ConfigError>(published_classes(), options),
              "/split/train_samples: not with kind \"" + kind + "\"; it belongs to fixed, holdout, one_holdout");
  }
}

TEST(SplitRefuses, TrainSamplesWithoutOneOfAClass) {
  SplitOptions options = options_of("fixed");
  options.train_samples = 1;
  EXPECT_EQ(refusal<DataError>(published_classes(), options),
            "made: fold 1: no sample of class \"b\" in the training part; one of each class is expected");
}

}  // namespace
}  // namespace elmx
