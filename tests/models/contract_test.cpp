#include <gtest/gtest.h>

#include <cmath>

#include "models/elm_options.hpp"
#include "models/registry.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

// What every registered algorithm owes, whichever family it is of. A new algorithm is covered by its row in the registry.

namespace elmx {

inline void PrintTo(const AlgorithmInfo& row, std::ostream* out) { *out << row.family << " " << row.name; }

namespace {

/// A smooth function of the inputs, half of the rows for training, and what the fold was made of.
struct Regression {
  arma::mat X, targets;
  arma::uvec train, test;

  Regression(uword samples, uword inputs, uword outputs) : X(samples, inputs), targets(samples, outputs) {
    const Rng rng(5, Purpose::synthetic);
    for (uword i = 0; i < X.n_elem; ++i) X(i) = 10 * rng.uniform(i);
    for (uword n = 0; n < samples; ++n) {
      for (uword j = 0; j < outputs; ++j) targets(n, j) = std::sin(0.3 * X(n, 0) + static_cast<double>(j)) + 0.05 * X(n, inputs - 1);
    }
    train = arma::regspace<arma::uvec>(0, 2, samples - 1);
    test = samples > 1 ? arma::uvec(arma::regspace<arma::uvec>(1, 2, samples - 1)) : train;
  }

  FoldView fold() const {
    const Scaler scaler = Scaler::fit("minus_one_one", X, train);
    return {{X, train, scaler}, {X, test, scaler}, targets.rows(train)};
  }
};

/// Checkpoints without what a clock says.
bool same_results(const std::vector<Checkpoint>& one, const std::vector<Checkpoint>& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].nodes != other[i].nodes || one[i].status != other[i].status || one[i].ledger != other[i].ledger ||
        !identical(one[i].train_output, other[i].train_output) || !identical(one[i].test_output, other[i].test_output)) {
      return false;
    }
  }
  return true;
}

class AlgorithmContract : public testing::TestWithParam<AlgorithmInfo> {
 protected:
  const std::string algorithm{GetParam().name};
  const Rng rng{5, Purpose::layer};

  Json model(const Json& changes = Json::object()) const {
    Json all = {{"family", GetParam().family},
                {"algorithms", {algorithm}},
                {"ridge", 1e-3},
                {"panel", 4},
                {"nodes", {{"start", 3}, {"stop", 30}, {"report", {30, 10, 3, 11}}}}};
    all.merge_patch(changes);
    return family().resolve(all, "/model");
  }

  const Family& family() const { return family_of({{"family", GetParam().family}}, "/model"); }

  std::unique_ptr<Comparison> prepared(const Regression& regression, const Json& changes = Json::object()) const {
    return family().prepare(model(changes), regression.fold(), rng);
  }

  std::vector<Checkpoint> run(Comparison& comparison) const {
    FakeClock clock;
    std::vector<Checkpoint> points;
    comparison.run(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
    return points;
  }

  std::vector<Checkpoint> run(const Regression& regression, const Json& changes = Json::object()) const {
    return run(*prepared(regression, changes));
  }
};

INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmContract, testing::ValuesIn(algorithms()),
                         [](const auto& test) { return std::string(test.param.family) + "_" + std::string(test.param.name); });

TEST_P(AlgorithmContract, SameSeedSameResultsToTheLastBit) {
  const Regression regression(200, 3, 2);

  EXPECT_TRUE(same_results(run(regression), run(regression)));
}

TEST_P(AlgorithmContract, AnotherSeedIsAnotherNetwork) {
  const Regression regression(200, 3, 2);
  const auto other = family().prepare(model(), regression.fold(), Rng(6, Purpose::layer));

  EXPECT_FALSE(same_results(run(regression), run(*other)));
}

TEST_P(AlgorithmContract, RunTwiceOnOneComparisonIsRunOnce) {
  const Regression regression(200, 3, 2);
  const auto comparison = prepared(regression);

  const auto first = run(*comparison), second = run(*comparison);

  EXPECT_TRUE(same_results(first, second));
}

TEST_P(AlgorithmContract, InputsAndTargetsAreNotModified) {
  const Regression regression(200, 3, 2), before = regression;

  run(regression);

  EXPECT_TRUE(identical(regression.X, before.X));
  EXPECT_TRUE(identical(regression.targets, before.targets));
}

TEST_P(AlgorithmContract, ReportsExactlyTheSizesAskedForInIncreasingOrder) {
  const auto points = run(Regression(200, 3, 2));

  std::vector<uword> sizes;
  for (const Checkpoint& point : points) sizes.push_back(point.nodes);
  EXPECT_EQ(sizes, (std::vector<uword>{3, 10, 11, 30}));
}

TEST_P(AlgorithmContract, OutputsHaveOneRowASampleAndOneColumnAnOutput) {
  const Regression regression(201, 3, 2);
  for (const Checkpoint& point : run(regression)) {
    ASSERT_EQ(point.status, Status::ok);
    EXPECT_EQ(arma::size(point.train_output), arma::size(101, 2));
    EXPECT_EQ(arma::size(point.test_output), arma::size(100, 2));
    EXPECT_TRUE(point.train_output.is_finite());
    EXPECT_TRUE(point.test_output.is_finite());
  }
}

TEST_P(AlgorithmContract, OneSampleOneInputOneOutput) {
  for (const auto& [samples, inputs, outputs] : std::vector<std::array<uword, 3>>{{1, 1, 1}, {1, 4, 3}, {2, 1, 1}, {40, 1, 1}}) {
    const auto points = run(Regression(samples, inputs, outputs));

    ASSERT_EQ(points.size(), 4u);
    for (const Checkpoint& point : points) {
      EXPECT_EQ(point.status, Status::ok) << samples << " samples, " << point.nodes << " nodes";
      EXPECT_TRUE(point.test_output.is_finite());
    }
  }
}

TEST_P(AlgorithmContract, IsBetterThanTheMeanOnASmoothFunction) {
  const Regression regression(400, 3, 2);
  const arma::mat truth = regression.targets.rows(regression.test);
  const double of_the_mean = arma::norm(truth - arma::repmat(arma::mean(truth, 0), truth.n_rows, 1), "fro");

  const auto points = run(regression);

  EXPECT_LT(arma::norm(points.back().test_output - truth, "fro"), 0.2 * of_the_mean);
  EXPECT_LT(arma::norm(points.back().test_output - truth, "fro"), arma::norm(points.front().test_output - truth, "fro"));
}

TEST_P(AlgorithmContract, LedgerSaysThatTheSolutionIsRight) {
  for (const auto* precision : {"double", "single"}) {
    const bool single = std::string(precision) == "single";
    // A recursion in R^-1 breaks down where eps cond(R) l reaches 1: in single precision cond(R) stays below 1e4 here.
    for (const Checkpoint& point : run(Regression(400, 3, 2), {{"precision", precision}, {"ridge", single ? 10 : 0.1}})) {
      ASSERT_EQ(point.status, Status::ok) << precision << ", " << point.nodes << " nodes";
      ASSERT_LT(point.ledger.at("condition"), single ? 1e4 : 1e6);
      ASSERT_EQ(point.ledger.count("residual") + point.ledger.count("weight_error") + point.ledger.count("condition"), 3u);
      // eps cond(R) l: what the recursions in R^-1 are allowed (tests/solvers).
      const double bound = (single ? tolerance<float>(200, 30) : tolerance(200, 30)) * point.ledger.at("condition");
      EXPECT_LE(point.ledger.at("residual"), bound) << precision << ", " << point.nodes << " nodes";
      EXPECT_LE(point.ledger.at("output_error_train") / arma::norm(point.train_output, "fro"), bound);
      EXPECT_LE(point.ledger.at("output_error_test") / arma::norm(point.test_output, "fro"), bound);
    }
  }
}

TEST_P(AlgorithmContract, TimesArePositiveAndAddUp) {
  double before = 0;
  for (const Checkpoint& point : run(Regression(100, 3, 1))) {
    EXPECT_GT(point.step.mean, 0) << point.nodes;
    EXPECT_EQ(point.step.n, 1u);
    EXPECT_GT(point.total_seconds, before);
    before = point.total_seconds;
  }
}

TEST_P(AlgorithmContract, RepeatedTimingLeavesTheResultsAsTheyAre) {
  const Regression regression(200, 3, 2);

  const auto once = run(regression), often = run(regression, {{"timing", {{"at", {11, 30}}, {"repetitions", 5}}}});

  EXPECT_TRUE(same_results(once, often));
  if (GetParam().intermediate_flops.empty() || algorithm == "panel") return;  // not a step of one node
  EXPECT_EQ(often[1].step.n, 1u);
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(often[i].step.n, 5u);
    EXPECT_NEAR(often[i].step.mean, 1e-3, 1e-9);  // the fake clock ticks once in a step
    EXPECT_NEAR(often[i].step.sd, 0, 1e-9);
    EXPECT_NEAR(often[i].total_seconds, once[i].total_seconds, 1e-9);
  }
}

TEST_P(AlgorithmContract, ResultsDoNotDependOnTheNumberOfThreads) {
  const Regression regression(6000, 3, 2);
  const auto on = [&](int count) {
    const Threads scope(count);
    return run(regression);
  };

  EXPECT_TRUE(same_results(on(1), on(2)));
}

TEST_P(AlgorithmContract, NumericalFailureIsTheLastCheckpoint) {
  const Regression regression(20, 1, 1);

  // All nodes alike, lambda = 0: singular from the start.
  const auto points = run(regression, {{"ridge", 0}, {"activation", "hardlim"}, {"weights", {0, 0}}, {"biases", {1, 1}}});

  ASSERT_EQ(points.size(), 1u);
  EXPECT_NE(points[0].status, Status::ok);
  EXPECT_TRUE(points[0].train_output.is_empty());
  EXPECT_TRUE(points[0].ledger.empty());
}

TEST_P(AlgorithmContract, WithoutAReferenceTheResidualRemains) {
  for (const Checkpoint& point : run(Regression(100, 3, 1), {{"reference", "none"}})) {
    EXPECT_EQ(point.ledger.size(), 1u);
    EXPECT_EQ(point.ledger.count("residual"), 1u);
  }
}

TEST_P(AlgorithmContract, ResolvingWhatIsResolvedChangesNothing) {
  const Json once = model();

  EXPECT_EQ(family().resolve(once, "/model"), once);
}

TEST_P(AlgorithmContract, UnknownKeyIsRefused) {
  const auto act = [&] { family().resolve({{"algorithms", {algorithm}}, {"node", 3}}, "/model"); };

  EXPECT_EQ(thrown<ConfigError>(act), "/model/node: unknown key; did you mean \"nodes\"?");
}

TEST_P(AlgorithmContract, CostIsPositiveAndGrowsWithTheNodesAndTheSamples) {
  const auto cost = [&](std::size_t nodes, uword samples) {
    return family().cost(model({{"nodes", {{"stop", nodes}, {"report", {nodes}}}}}), {samples, 100, 5, 2});
  };
  const Cost small = cost(100, 1000), wider = cost(200, 1000), longer = cost(100, 2000);

  EXPECT_GT(small.bytes, 1000 * 100 * 8);
  EXPECT_GT(small.flops, 0);
  EXPECT_GE(small.bytes_moved, 0);
  for (const Cost& larger : {wider, longer}) {
    EXPECT_GT(larger.bytes, small.bytes);
    EXPECT_GT(larger.flops, small.flops);
    EXPECT_GE(larger.bytes_moved, small.bytes_moved);
    EXPECT_GT(larger.flops + larger.bytes_moved, small.flops + small.bytes_moved);
  }
}

TEST(Registry, UnknownFamilyIsRefused) {
  EXPECT_EQ(thrown<ConfigError>([] { family_of({{"family", "elmm"}}, "/model"); }), "/model/family: \"elmm\": unknown family; did you mean \"elm\"?");
}

TEST(Registry, TheDefaultFamilyIsElm) { EXPECT_EQ(family_of(Json::object(), "/model").name, "elm"); }

TEST(Registry, AlgorithmsOfAComparisonSeeTheSameNodes) {
  const Regression regression(300, 3, 2);
  const Family& elm = family_of(Json::object(), "/model");
  const Json model = elm.resolve({{"ridge", 0.1}, {"nodes", {{"stop", 30}}}}, "/model");
  const auto comparison = elm.prepare(model, regression.fold(), Rng(5, Purpose::layer));
  std::vector<arma::mat> outputs;

  FakeClock clock;
  for (const auto& name : ElmOptions().algorithms) {
    comparison->run(name, clock, [&](const Checkpoint& point) {
      if (point.nodes == 30) outputs.push_back(point.test_output);
    });
  }

  ASSERT_EQ(outputs.size(), 6u);
  for (const arma::mat& one : outputs) EXPECT_LE(relative_difference(one, outputs[0]), 1e-9);  // eps cond(R) l, cond(R) < 1e5
}

}  // namespace
}  // namespace elmx
