#include "models/contract/contract.hpp"

#include "solvers/ridge_algorithms.hpp"
#include "support/growing.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

namespace elmx::contract {
namespace {

bool is_ridge_algorithm(const std::string& name) {
  return std::ranges::count(ridge_algorithms(), name, &RidgeAlgorithm::name) > 0;
}

class AlgorithmContract : public AlgorithmTest {};

INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmContract, testing::ValuesIn(network_algorithms()), name_of);

TEST_P(AlgorithmContract, SameSeedSameResultsToTheLastBit) {
  const Regression regression(200, 3, 2);

  EXPECT_TRUE(same_results(run(regression), run(regression)));
}

TEST_P(AlgorithmContract, AnotherSeedIsAnotherNetwork) {
  const Regression regression(200, 3, 2);
  const auto other = family().prepare({parsed(model())}, regression.fold(), Rng(6, Purpose::layer));

  EXPECT_FALSE(same_results(run(regression), run(*other)));
}

TEST_P(AlgorithmContract, TrainedTwiceIsTrainedOnce) {
  const Regression regression(200, 3, 2);
  const auto trainer = prepared(regression);

  const auto first = run(*trainer), second = run(*trainer);

  EXPECT_TRUE(same_results(first, second));
}

TEST_P(AlgorithmContract, InputsAreNotModified) {  // targets are the trainer's own: TrainedTwiceIsTrainedOnce
  const Regression regression(200, 3, 2), before = regression;

  run(regression);

  EXPECT_TRUE(identical(regression.X, before.X));
}

TEST_P(AlgorithmContract, ReportsExactlyTheSizesAskedForInIncreasingOrder) {
  const auto points = run(Regression(200, 3, 2));

  std::vector<uword> sizes;
  for (const Checkpoint& point : points) sizes.push_back(point.nodes);
  EXPECT_EQ(sizes, reported_sizes(GetParam().family, algorithm));
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
  for (const auto& [samples, inputs, outputs] :
       std::vector<std::array<uword, 3>>{{1, 1, 1}, {1, 4, 3}, {2, 1, 1}, {40, 1, 1}}) {
    const Regression regression(samples, inputs, outputs);
    const auto points = run(regression);

    ASSERT_EQ(points.size(), reported_sizes(GetParam().family, algorithm).size());
    const auto fewest = of_family.fewest_samples.find(algorithm);
    const bool too_few = fewest != of_family.fewest_samples.end() && regression.train.n_elem < fewest->second;
    for (const Checkpoint& point : points) {
      if (too_few) {
        EXPECT_EQ(point.status, Status::too_few_samples) << samples << " samples";
        EXPECT_TRUE(point.test_output.is_empty());
        continue;
      }
      EXPECT_EQ(point.status, Status::ok) << samples << " samples, " << point.nodes << " nodes";
      EXPECT_TRUE(point.test_output.is_finite());
    }
  }
}

TEST_P(AlgorithmContract, IsBetterThanTheMeanOnASmoothFunction) {
  const Regression regression(400, 3, 2);
  const arma::mat truth = regression.targets.rows(regression.test);
  const double of_the_mean = arma::norm(truth - arma::repmat(arma::mean(truth, 0), truth.n_rows, 1), "fro");

  // The generalised inverse's recursion is a good network for tiny lambda only, and then it is not smoothed.
  const bool ridge = GetParam().ridge_solution || !is_ridge_algorithm(algorithm);
  const auto points = run(regression, of_family.ridge(ridge ? 1e-3 : 1e-8));

  EXPECT_LT(arma::norm(points.back().test_output - truth, "fro"), (ridge ? 0.2 : 0.5) * of_the_mean);
  if (points.size() > 1) {
    EXPECT_LT(arma::norm(points.back().test_output - truth, "fro"),
              arma::norm(points.front().test_output - truth, "fro"));
  }
}

TEST_P(AlgorithmContract, DiagnosticsSayThatTheSolutionIsRight) {
  if (contains(of_family.without_backward_error, algorithm)) GTEST_SKIP() << "it solves no ridge problem";
  const bool has_reference = model().contains("reference");
  std::vector<std::string> precisions{""};
  if (model().contains("precision")) precisions = {"double", "single"};
  if (is_ridge_algorithm(algorithm) && ridge_algorithm(algorithm).factor) precisions.emplace_back("mixed");
  for (const std::string& precision : precisions) {
    const bool single = precision == "single";
    // A recursion in R^-1 breaks down where eps cond(R) l reaches 1: in single precision cond(R) stays below
    // 1e4 here.
    Json changes = of_family.ridge(single ? 10 : 0.1);
    if (!precision.empty()) changes["precision"] = precision;
    for (const Checkpoint& point : run(Regression(400, 3, 2), changes)) {
      ASSERT_EQ(point.status, Status::ok) << precision << ", " << point.nodes << " nodes";
      ASSERT_EQ(point.diagnostics.count("backward_error"), 1u);
      EXPECT_EQ(point.diagnostics.count("products") + point.diagnostics.count("shift"), precision == "mixed" ? 2u : 0u);
      if (!has_reference) {  // a single solve: no recursion that the condition would enter
        EXPECT_LE(point.diagnostics.at("backward_error"), tolerance(200, 30)) << point.nodes << " nodes";
        continue;
      }
      ASSERT_LT(point.diagnostics.at("condition"), single ? 1e4 : 1e6);
      ASSERT_EQ(point.diagnostics.count("weight_error") + point.diagnostics.count("condition"), 2u);
      // eps cond(R) l: what the recursions in R^-1 are allowed (tests/solvers).
      const double bound =
          (single ? tolerance<float>(200, 30) : tolerance(200, 30)) * point.diagnostics.at("condition");
      if (point.nodes > of_family.sizes.front() && !GetParam().ridge_solution) {
        EXPECT_GT(point.diagnostics.at("backward_error"), tolerance(200, 30) * point.diagnostics.at("condition"))
            << "the solution of another problem";
        continue;
      }
      EXPECT_LE(point.diagnostics.at("backward_error"), bound) << precision << ", " << point.nodes << " nodes";
      EXPECT_LE(point.diagnostics.at("output_error_train") / arma::norm(point.train_output, "fro"), bound);
      EXPECT_LE(point.diagnostics.at("output_error_test") / arma::norm(point.test_output, "fro"), bound);
    }
  }
}

TEST_P(AlgorithmContract, FullProductsChangeRoundingAlone) {
  if (GetParam().family != "elm" || !has_full_products(ridge_algorithm(algorithm))) GTEST_SKIP() << "it has one form";
  const Regression regression(400, 3, 2);
  const Json penalty = {{"ridge", 0.1}};
  Json with_full = penalty;
  with_full["products"] = "full";

  const auto symmetric = run(regression, penalty), full = run(regression, with_full);

  ASSERT_EQ(full.size(), symmetric.size());
  EXPECT_FALSE(same_results(full, symmetric)) << "as if the option had no effect";
  for (std::size_t i = 0; i < full.size(); ++i) {
    ASSERT_EQ(full[i].status, Status::ok);
    EXPECT_EQ(full[i].nodes, symmetric[i].nodes);
    const auto keys = [](const Checkpoint& point) {
      std::vector<std::string> names;
      for (const auto& [name, value] : point.diagnostics) names.push_back(name);
      return names;
    };
    EXPECT_EQ(keys(full[i]), keys(symmetric[i]));
    const double bound = tolerance(200, 30) * full[i].diagnostics.at("condition");
    EXPECT_LE(full[i].diagnostics.at("backward_error"), bound) << full[i].nodes << " nodes";
    EXPECT_LE(relative_difference(full[i].train_output, symmetric[i].train_output), 2 * bound);
    EXPECT_LE(relative_difference(full[i].test_output, symmetric[i].test_output), 2 * bound);
  }
}

TEST_P(AlgorithmContract, TimesArePositiveAndAddUp) {
  double before = 0;
  uword nodes = 0;
  for (const Checkpoint& point : run(Regression(100, 3, 1))) {
    EXPECT_GT(point.step.mean, 0) << point.nodes;
    EXPECT_EQ(point.step.n, of_family.family == "rls" ? point.iterations : 1u) << "epochs are measured one by one";
    if (of_family.trained_anew && point.nodes != nodes) before = 0;
    EXPECT_GT(point.total_seconds, before);
    before = point.total_seconds;
    nodes = point.nodes;
  }
}

TEST_P(AlgorithmContract, RepeatedTimingLeavesTheResultsAsTheyAre) {
  if (!model().contains("timing")) GTEST_SKIP() << "the family measures no single step";
  const Regression regression(200, 3, 2);

  const auto once = run(regression), often = run(regression, {{"timing", {{"at", {11, 30}}, {"repetitions", 5}}}});

  EXPECT_TRUE(same_results(once, often));
  if (ridge_algorithm(algorithm).kind != StepKind::node) return;
  EXPECT_EQ(often[1].step.n, 1u);
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(often[i].step.n, 5u);
    EXPECT_EQ(often[i].step.rounds.size(), 5u);
    EXPECT_EQ(often[i].step.mean, FakeClock::kTick) << "the fake clock ticks once in a step";
    EXPECT_NEAR(often[i].step.sd, 0, 1e-9);
    EXPECT_NEAR(often[i].total_seconds, once[i].total_seconds, 1e-9);
  }
}

TEST_P(AlgorithmContract, ResultsDoNotDependOnTheNumberOfThreads) {
  // The others train for many epochs, or on a matrix of all pairs of samples.
  const bool trained_once = of_family.iterative.empty() && of_family.family != "s3elm";
  const Regression regression(trained_once ? 6000 : 2400, 3, 2);
  const auto on = [&](int count) {
    const Threads scope(count);
    return run(regression);
  };

  EXPECT_TRUE(same_results(on(1), on(2)));
}

TEST_P(AlgorithmContract, NumericalFailureIsTheLastCheckpoint) {
  const Regression regression(20, 1, 1);

  const auto points = run(regression, Json::parse(of_family.singular));

  EXPECT_NE(points[0].status, Status::ok) << "nothing determines the weights: " << of_family.singular;
  ASSERT_EQ(points.size(), 1u);
  EXPECT_TRUE(points[0].train_output.is_empty());
  EXPECT_TRUE(points[0].diagnostics.empty());
}

TEST_P(AlgorithmContract, WithoutAReferenceTheBackwardErrorRemains) {
  if (!model().contains("reference")) GTEST_SKIP() << "the family computes no reference";
  for (const Checkpoint& point : run(Regression(100, 3, 1), {{"reference", "none"}})) {
    EXPECT_EQ(point.diagnostics.size(), 1u);
    EXPECT_EQ(point.diagnostics.count("backward_error"), 1u);
  }
}

TEST_P(AlgorithmContract, ResolvingWhatIsResolvedChangesNothing) {
  const Json once = model();

  EXPECT_EQ(parsed(once)->json(), once);
}

TEST_P(AlgorithmContract, UnknownKeyIsRefused) {
  const auto act = [&] {
    parsed({{"family", GetParam().family}, {"algorithms", {algorithm}}, {of_family.unknown_key, 3}});
  };

  EXPECT_EQ(place_thrown<ConfigError>(act), std::string("/model/") + of_family.unknown_key);
  EXPECT_NE(thrown<ConfigError>(act).find(std::string("\"") + of_family.meant + "\""), std::string::npos);
}

}  // namespace
}  // namespace elmx::contract
