#include "data/splits/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/test_split.hpp"

namespace elmx {
namespace {

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

TEST(SplitRefuses, InvalidNumbersOfFolds) {
  SplitOptions options;
  for (const arma::uword folds : {0, 1, 6}) {
    options.folds = folds;
    EXPECT_EQ(place_of_refusal(regression(5), options), "/split/folds") << folds;
  }
  options.folds = 5;
  EXPECT_EQ(place_of_refusal(regression(5), options), "");
}

TEST(SplitRefuses, FixedWithoutAPublishedSplit) {
  Dataset data = regression(5);
  EXPECT_EQ(place_of_refusal(data, options_of("fixed")), "/split/kind");
  data.published_train = 5;
  EXPECT_EQ(place_of_refusal(data, options_of("fixed")), "/split/kind");
}

TEST(SplitRefuses, EmptyParts) {
  SplitOptions options = options_of("holdout");
  for (const double fraction : {0.0, 0.04, 0.96, 1.0}) {
    options.test_fraction = fraction;
    EXPECT_EQ(place_of_refusal(regression(10), options), "/split/test_fraction") << fraction;
  }
}

TEST(SplitRefuses, TrainingPartsThatLackAClass) {
  EXPECT_TRUE(names_all(refusal_of_data(sorted_classes({10, 1}), SplitOptions{}), {"made: ", "\"b\""}));

  SplitOptions options;
  options.stratified = false;
  options.shuffle = false;
  options.folds = 2;
  EXPECT_TRUE(names_all(refusal_of_data(sorted_classes({5, 5}), options), {"made: ", "\"a\""}));

  Dataset data = sorted_classes({5, 5});
  data.published_train = 5;
  EXPECT_TRUE(names_all(refusal_of_data(data, options_of("fixed")), {"made: ", "\"b\""}));
}

TEST(SplitRefuses, TrainingPartsWithoutAValueOfAColumn) {
  Dataset data = regression(4);
  data.missing = true;
  data.inputs = {"x"};
  data.X.fill(arma::datum::nan);
  data.X(2, 0) = 4;
  SplitOptions options;
  options.folds = 4;
  EXPECT_TRUE(names_all(refusal_of_data(data, options), {"made: fold ", "\"x\""}));
  data.X(1, 0) = 3;
  EXPECT_EQ(refusal_of_data(data, options), "");
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

TEST(SplitRefuses, NumbersOfTestSamplesThatLeaveNoTrainingSample) {
  SplitOptions options = options_of("one_holdout");
  for (const arma::uword samples : {0, 10, 11}) {
    options.test_samples = samples;
    EXPECT_EQ(place_of_refusal(regression(10), options), "/split/test_samples") << samples;
  }
}

TEST(Split, HasNothingUnlabelledWhereAllTrainingSamplesHaveLabels) {
  Dataset data = sorted_classes({10, 10});
  data.published_train = 15;
  for (const std::string kind : {"k_fold", "fixed", "holdout", "one_holdout"}) {
    for (const Fold& fold : make_folds(data, options_of(kind), 1, 0)) EXPECT_TRUE(fold.unlabelled.empty()) << kind;
  }
}

}  // namespace
}  // namespace elmx
