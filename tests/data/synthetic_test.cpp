#include "data/synthetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elmx {

inline void PrintTo(const GeneratedSet& set, std::ostream* out) { *out << set.name; }

namespace {

using std::numbers::pi;

GeneratedOptions options_of(arma::uword samples, double noise) {
  GeneratedOptions options;
  options.samples = samples;
  options.noise = noise;
  return options;
}

Dataset generate(const std::string& name, const GeneratedOptions& options) {
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

  const arma::vec drawn = data.X.elem(arma::find(data.X != 0 && data.X != 1));  // without the markers of sequences
  EXPECT_EQ(drawn.n_elem, GetParam().sequence ? data.X.n_elem / 2 : data.X.n_elem);
  EXPECT_EQ(arma::unique(drawn).eval().n_elem, drawn.n_elem);
}

TEST_P(AnyGeneratedSet, HasAtMostTheValuesItSays) {
  GeneratedOptions options = options_of(20, 0.1);
  for (const std::size_t length : {GeneratedOptions().length, std::size_t(7)}) {
    if (GetParam().sequence) options.length = length;
    const Dataset data = GetParam().generate(options, 1);
    EXPECT_LE(data.X.n_cols + std::max<arma::uword>(data.Y.n_cols, 1), GetParam().values(options));
  }
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
    GeneratedOptions options = options_of(200, 0);
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

GeneratedOptions sequences_of(arma::uword samples, std::size_t length = GeneratedOptions().length) {
  GeneratedOptions options = options_of(samples, 0.1);
  options.length = length;
  return options;
}

TEST(GeneratedSequence, MarksOneStepOfEachHalf) {
  for (const std::size_t steps : {2, 3, 7, 50}) {
    const Dataset data = generate("adding", sequences_of(500, steps));
    ASSERT_EQ(data.X.n_cols, 2 * steps);
    arma::rowvec marked(steps, arma::fill::zeros);
    for (arma::uword i = 0; i < 500; ++i) {
      arma::uword first = 0, second = 0;
      for (arma::uword t = 0; t < steps; ++t) {
        const double value = data.X(i, 2 * t), marker = data.X(i, 2 * t + 1);
        EXPECT_TRUE(value >= 0 && value < 1);
        EXPECT_TRUE(marker == 0 || marker == 1);
        (t < steps / 2 ? first : second) += marker == 1;
        marked(t) += marker;
      }
      EXPECT_EQ(first, 1U);
      EXPECT_EQ(second, 1U);
    }
    EXPECT_GT(marked.min(), 0) << "every step is marked somewhere";
    const double share = 500.0 / static_cast<double>(steps / 2);
    EXPECT_NEAR(marked(0), share, 5 * std::sqrt(share)) << "each step of a half as often";
  }
}

TEST(GeneratedSequence, AddsTheMarkedValues) {
  const Dataset adding = generate("adding", sequences_of(50, 11));
  const Dataset running = generate("running_adding", sequences_of(50, 11));

  EXPECT_TRUE(arma::approx_equal(adding.X, running.X, "absdiff", 0));
  ASSERT_EQ(adding.Y.n_cols, 1U);
  ASSERT_EQ(running.Y.n_cols, 11U);
  for (arma::uword i = 0; i < 50; ++i) {
    for (arma::uword t = 0; t < 11; ++t) {
      double sum = 0;
      for (arma::uword s = 0; s <= t; ++s) sum += running.X(i, 2 * s) * running.X(i, 2 * s + 1);
      EXPECT_EQ(running.Y(i, t), sum);
    }
    EXPECT_EQ(adding.Y(i, 0), running.Y(i, 10));
  }
}

TEST(GeneratedSequence, HasUniformValues) {
  const Dataset data = generate("adding", sequences_of(2000, 10));

  for (arma::uword t = 0; t < 10; ++t) {
    EXPECT_NEAR(arma::mean(data.X.col(2 * t)), 0.5, 0.03);
    EXPECT_NEAR(arma::var(data.X.col(2 * t)), 1.0 / 12, 0.01);
  }
  EXPECT_NEAR(arma::mean(data.Y.col(0)), 1, 0.05);
  EXPECT_NEAR(arma::var(data.Y.col(0)), 1.0 / 6, 0.02) << "two independent values";
}

TEST(GeneratedSequence, HasFiftyStepsUnlessSaidOtherwiseAndNamesThem) {
  const Dataset data = generate("adding", sequences_of(2));

  EXPECT_EQ(data.X.n_cols, 100U);
  EXPECT_EQ(data.inputs.size(), 100U);
  EXPECT_EQ(data.inputs[0], "value1");
  EXPECT_EQ(data.inputs[1], "marker1");
  EXPECT_EQ(data.inputs.back(), "marker50");
}

TEST(GeneratedSequence, HasNoNoise) {
  GeneratedOptions loud = sequences_of(20, 5), silent = loud;
  loud.noise = 3;
  silent.noise = 0;
  EXPECT_TRUE(arma::approx_equal(generate("adding", loud).Y, generate("adding", silent).Y, "absdiff", 0));
  EXPECT_TRUE(arma::approx_equal(generate("adding", loud).X, generate("adding", silent).X, "absdiff", 0));
}

}  // namespace
}  // namespace elmx
