#include "data/synthetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elmx {

void PrintTo(const GeneratedSet& set, std::ostream* out) {
  *out << set.name;
}

namespace {

using std::numbers::pi;

DataOptions options_of(arma::uword samples, double noise) {
  DataOptions options;
  options.samples = samples;
  options.noise = noise;
  return options;
}

Dataset generate(const std::string& name, const DataOptions& options) {
  return std::ranges::find(generated_sets(), name, &GeneratedSet::name)->generate(options, 1);
}

Dataset generate(const std::string& name, arma::uword samples, double noise) {
  return generate(name, options_of(samples, noise));
}

class AnyGeneratedSet : public testing::TestWithParam<GeneratedSet> {};

TEST_P(AnyGeneratedSet, HasTheShapeItIsListedWith) {
  const Dataset data = GetParam().generate(options_of(50, 0.1), 1);

  EXPECT_EQ(data.task, GetParam().task);
  EXPECT_EQ(data.X.n_rows, 50U);
  EXPECT_EQ(data.X.n_cols, GetParam().features);
  EXPECT_TRUE(data.X.is_finite());
  EXPECT_EQ(data.task == Task::regression ? data.Y.n_rows : data.labels.n_elem, 50U);
}

TEST_P(AnyGeneratedSet, DependsOnTheSeedOnly) {
  const Dataset data = GetParam().generate(options_of(20, 0.1), 1);

  EXPECT_TRUE(arma::approx_equal(data.X, GetParam().generate(options_of(20, 0.1), 1).X, "absdiff", 0));
  EXPECT_FALSE(arma::approx_equal(data.X, GetParam().generate(options_of(20, 0.1), 2).X, "absdiff", 0));
}

TEST_P(AnyGeneratedSet, BeginsTheSameWhateverItsSize) {
  const Dataset few = GetParam().generate(options_of(10, 0.1), 1);
  const Dataset many = GetParam().generate(options_of(30, 0.1), 1);

  EXPECT_TRUE(arma::approx_equal(few.X, many.X.rows(0, 9), "absdiff", 0));
}

TEST_P(AnyGeneratedSet, DrawsEverySampleAnew) {
  const Dataset data = GetParam().generate(options_of(200, 0.1), 1);

  EXPECT_EQ(arma::unique(arma::vectorise(data.X)).eval().n_elem, data.X.n_elem);
}

INSTANTIATE_TEST_SUITE_P(Sets, AnyGeneratedSet, testing::ValuesIn(generated_sets()));

TEST(GeneratedSet, Friedman1FollowsItsFormula) {
  const Dataset data = generate("friedman1", 100, 0);

  EXPECT_GE(data.X.min(), 0);
  EXPECT_LT(data.X.max(), 1);
  for (arma::uword i = 0; i < 100; ++i) {
    const arma::rowvec x = data.X.row(i);
    const double y = 10 * std::sin(pi * x(0) * x(1)) + 20 * (x(2) - 0.5) * (x(2) - 0.5) + 10 * x(3) + 5 * x(4);
    EXPECT_NEAR(data.Y(i, 0), y, 1e-13);
  }
}

TEST(GeneratedSet, SincFollowsItsFormula) {
  const Dataset data = generate("sinc", 100, 0);

  EXPECT_LT(data.X.min(), -9);
  EXPECT_GT(data.X.max(), 9);
  EXPECT_TRUE(arma::approx_equal(data.Y, arma::sin(data.X) / data.X, "absdiff", 1e-15));
}

TEST(GeneratedSet, NoiseHasTheGivenStandardDeviation) {
  const arma::mat noise = generate("sinc", 4000, 0.5).Y - generate("sinc", 4000, 0).Y;
  EXPECT_NEAR(arma::stddev(noise.col(0)), 0.5, 0.02);

  const arma::mat shift = generate("two_circles", 4000, 0.25).X - generate("two_circles", 4000, 0).X;
  EXPECT_NEAR(arma::stddev(shift.col(1)), 0.25, 0.01);
}

TEST(GeneratedSet, SpiralsAreOneTurnedByHalfATurn) {
  for (const std::optional<double> turns : {std::optional<double>(), std::optional(0.75), std::optional(3.0)}) {
    DataOptions options = options_of(200, 0);
    options.turns = turns;
    const Dataset data = generate("two_spirals", options);
    for (arma::uword i = 0; i < 200; ++i) {
      const double r = std::hypot(data.X(i, 0), data.X(i, 1));
      const double angle = 2 * pi * turns.value_or(2) * (r - 0.125) / 0.875 + static_cast<double>(data.labels(i)) * pi;
      EXPECT_NEAR(data.X(i, 0), r * std::cos(angle), 1e-12);
      EXPECT_NEAR(data.X(i, 1), r * std::sin(angle), 1e-12);
    }
  }
}

TEST(GeneratedSet, MoonsAndCirclesLieOnTheirCurves) {
  const Dataset moons = generate("two_moons", 100, 0);
  const Dataset circles = generate("two_circles", 100, 0);
  for (arma::uword i = 0; i < 100; ++i) {
    const bool first = moons.labels(i) == 0;
    EXPECT_NEAR(std::hypot(moons.X(i, 0) - (first ? 0 : 1), moons.X(i, 1) - (first ? 0 : 0.5)), 1, 1e-14);
    EXPECT_EQ(moons.X(i, 1) >= (first ? 0 : 0.5), first);
    EXPECT_NEAR(std::hypot(circles.X(i, 0), circles.X(i, 1)), circles.labels(i) == 0 ? 1 : 0.5, 1e-14);
  }
}

TEST(GeneratedSet, BlobsAreEquallyLargeAboutThreePoints) {
  const Dataset data = generate("gaussian_blobs", 300, 0);

  EXPECT_EQ(data.classes, (std::vector<std::string>{"0", "1", "2"}));
  for (arma::uword k = 0; k < 3; ++k) {
    const arma::uvec rows = arma::find(data.labels == k);
    EXPECT_EQ(rows.n_elem, 100U);
    const double angle = 2 * pi * static_cast<double>(k) / 3;
    const arma::mat cloud = data.X.rows(rows);
    EXPECT_NEAR(arma::abs(cloud.col(0) - std::cos(angle)).max(), 0, 1e-15);
    EXPECT_NEAR(arma::abs(cloud.col(1) - std::sin(angle)).max(), 0, 1e-15);
  }
}

}  // namespace
}  // namespace elmx
