#include "data/transforms/targets.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "support/judge.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Dataset classes(std::vector<std::string> names, const arma::uvec& labels, const std::string& positive = "") {
  Dataset data;
  data.name = "made";
  data.task = Task::classification;
  data.classes = std::move(names);
  data.labels = labels;
  data.positive = positive;
  return data;
}

Dataset numbers(const arma::mat& Y) {
  Dataset data;
  data.Y = Y;
  return data;
}

TargetOptions coded(const std::string& coding) {
  TargetOptions options;
  options.coding = coding;
  return options;
}

TargetOptions scaling_by(const std::string& scale) {
  TargetOptions options;
  options.scale = scale;
  return options;
}

const arma::uvec kRows = {2, 0, 1};

TEST(TargetsOfClasses, HaveOneColumnAClass) {
  const Dataset data = classes({"a", "b", "c"}, {1, 2, 0});

  const arma::mat zero_one = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_TRUE(arma::approx_equal(Targets(data, coded("zero_one"), kRows).encode(kRows), zero_one, "absdiff", 0));
  EXPECT_TRUE(
      arma::approx_equal(Targets(data, coded("minus_one_one"), kRows).encode(kRows), 2 * zero_one - 1, "absdiff", 0));
  EXPECT_EQ(Targets(data, coded("zero_one"), kRows).outputs(), 3U);
}

TEST(TargetsOfClasses, MayBeASingleColumnForTheSecondClass) {
  const Dataset data = classes({"a", "b"}, {0, 1, 1});

  EXPECT_TRUE(
      arma::approx_equal(Targets(data, coded("single"), kRows).encode(kRows), arma::vec{1, 0, 1}, "absdiff", 0));
  EXPECT_TRUE(
      arma::approx_equal(Targets(data, coded("single_minus"), kRows).encode(kRows), arma::vec{1, -1, 1}, "absdiff", 0));
  EXPECT_EQ(Targets(data, coded("single"), kRows).outputs(), 1U);
  EXPECT_EQ(Targets(data, coded("single"), kRows).positive(), 1U);
}

TEST(TargetsOfClasses, MayBeASingleColumnForThePositiveClass) {
  const Dataset data = classes({"g", "h"}, {0, 1, 1}, "g");
  const Targets targets(data, coded("single"), kRows);

  EXPECT_EQ(targets.positive(), 0U);
  EXPECT_TRUE(arma::approx_equal(targets.encode(kRows), arma::vec{0, 1, 0}, "absdiff", 0));
}

class AnyCoding : public testing::TestWithParam<std::string> {};

TEST_P(AnyCoding, IsDecodedToTheSameLabels) {
  for (const std::string positive : {"", "a", "b"}) {
    const Dataset data = classes({"a", "b"}, {0, 1, 1, 0, 1}, positive);
    const arma::uvec rows = {4, 3, 0, 2, 1};
    const Targets targets(data, coded(GetParam()), rows);

    EXPECT_TRUE(arma::all(targets.decode_labels(targets.encode(rows)) == data.labels(rows)));
  }
}

INSTANTIATE_TEST_SUITE_P(Codings, AnyCoding, testing::Values("zero_one", "minus_one_one", "single", "single_minus"));

TEST(DecodeLabels, TakesTheLargestOutput) {
  const Dataset data = classes({"a", "b", "c"}, {0, 1, 2});
  const Targets targets(data, coded("minus_one_one"), kRows);
  const arma::mat Z = {{-3, -1, -2}, {0.5, 0.5, 0.4}, {kNaN, -1, 7}, {kNaN, kNaN, kNaN}};

  EXPECT_TRUE(arma::all(targets.decode_labels(Z) == arma::uvec{1, 0, 2, 0}));
}

TEST(DecodeLabels, DividesASingleColumnInTheMiddle) {
  const Dataset data = classes({"a", "b"}, {0, 1, 0});
  const arma::mat Z = arma::vec{0.51, 0.5, 0.49, 0.01, -0.01};

  EXPECT_TRUE(arma::all(Targets(data, coded("single"), kRows).decode_labels(Z) == arma::uvec{1, 0, 0, 0, 0}));
  EXPECT_TRUE(arma::all(Targets(data, coded("single_minus"), kRows).decode_labels(Z) == arma::uvec{1, 1, 1, 1, 0}));
}

TEST(TargetsOfClasses, RefuseASingleColumnForThreeClasses) {
  const Dataset data = classes({"a", "b", "c"}, {0, 1, 2});
  EXPECT_EQ(place_thrown<ConfigError>([&] { Targets(data, coded("single"), kRows); }), "coding");
}

TEST(TargetsOfARegression, AreScaledByTheTrainingRowsOnly) {
  const Dataset data = numbers({{0, 10}, {4, 20}, {1000, -1000}});
  const Targets targets(data, scaling_by("zero_one"), {0, 1});

  const arma::mat T = targets.encode({1, 0, 2});

  EXPECT_LE(relative_difference<double>(T, {{1, 1}, {0, 0}, {250, -101}}), tolerance(3, 2));
  EXPECT_EQ(targets.outputs(), 2U);
  EXPECT_LE(relative_difference<double>(targets.to_original(T), {{4, 20}, {0, 10}, {1000, -1000}}), tolerance(3, 2));
}

TEST(TargetsOfARegression, AreReportedInOriginalUnitsUnlessAsked) {
  const Dataset data = numbers(arma::vec{1, 2});
  TargetOptions options = scaling_by("standard");
  EXPECT_FALSE(Targets(data, options, {0, 1}).in_scaled_units());

  options.units = "scaled";
  EXPECT_TRUE(Targets(data, options, {0, 1}).in_scaled_units());
}

TEST(Targets, RefuseWhatTheProgrammerGotWrong) {
  const Dataset labels = classes({"a", "b"}, {0, 1});
  const Dataset values = numbers(arma::vec{1, 2});
  EXPECT_THROW(Targets(labels, {}, arma::uvec{0}).to_original({1}), std::logic_error);
  EXPECT_THROW((void)Targets(values, {}, arma::uvec{0}).decode_labels({1}), std::logic_error);
  EXPECT_THROW((void)Targets(labels, {}, arma::uvec{0}).decode_labels({1}), std::logic_error);
}

TEST(TargetOptions, AreReadStrictly) {
  TargetOptions options;
  EXPECT_NO_THROW(
      read_options(Json{{"scale", "standard"}, {"coding", "single_minus"}, {"units", "scaled"}}, "", options));
  EXPECT_EQ(options.coding, "single_minus");
  EXPECT_THROW(read_options(Json{{"scale", "minmax"}}, "", options), ConfigError);
}

}  // namespace
}  // namespace elmx
