#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "models/registry.hpp"
#include "solvers/ridge_algorithms.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

// What every registered algorithm owes, whichever family it is of. A new algorithm is covered by its row in the
// registry, a new family by a row of kFamilyCases.

namespace elmx {

inline void PrintTo(const AlgorithmInfo& row, std::ostream* out) { *out << row.family << " " << row.name; }

namespace {

/// How the suite asks a family for a small network.
struct FamilyCase {
  std::string_view family;
  const char* model;                        ///< a network that grows to 30 nodes
  std::vector<uword> sizes;                 ///< that it reports
  bool trained_anew;                        ///< each size by itself, not grown from the one before
  std::vector<std::string_view> iterative;  ///< algorithms that report each size after two numbers of iterations
  Json (*ridge)(double lambda);             ///< changes that set the ridge parameter
  /// changes that leave nothing to factorise: nodes all alike or all zero, lambda = 0
  const char* singular;
  Json (*wider)(std::size_t nodes);  ///< changes that make it a network of about so many nodes, held in memory
  const char* unknown_key;           ///< and what is said of it
  const char* refusal;
  /// The algorithms that solve the generalised-inverse problem in place of the ridge problem: they agree with it after
  /// the first step and, as lambda goes to 0, after the others.
  std::vector<std::string_view> generalised_inverse;
  /// The algorithms that solve the least-squares problem without a penalty, and those that solve another linear problem
  /// or none, so that their diagnostics have no backward error.
  std::vector<std::string_view> without_penalty, without_backward_error;
  /// Changes under which the algorithms that solve the ridge problem solve it for the same nodes; or others do, which
  /// they name.
  const char* same_nodes = "{}";
  double condition = 1;                                ///< of what they solve then, where the diagnostics does not say
  std::map<std::string_view, uword> fewest_samples{};  ///< of an algorithm that refuses fewer with too_few_samples
};

const std::vector<FamilyCase> kFamilyCases{
    {"elm",
     R"({"panel": 4, "nodes": {"start": 3, "stop": 30, "report": [30, 10, 3, 11]}})",
     {3, 10, 11, 30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"ridge", lambda}};
     },
     R"({"ridge": 0, "activation": "hardlim", "weights": [0, 0], "biases": [1, 1]})",
     [](std::size_t nodes) -> Json {
       return {{"nodes", {{"stop", nodes}, {"report", {nodes}}}}};
     },
     "node",
     "/model/node: unknown key; did you mean \"nodes\"?",
     {"orig", "exg-e"},
     {},
     {}},
    {"rvfl",
     R"({"nodes": 10, "layers": 3, "reference": "qr"})",
     {10, 20, 30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"ridge", lambda}};
     },
     R"({"ridge": 0, "activation": "linear", "weights": [0, 0], "biases": [0, 0]})",
     [](std::size_t nodes) -> Json {
       return {{"nodes", nodes}, {"layers", 1}};
     },
     "node",
     "/model/node: unknown key; did you mean \"nodes\"?",
     {"orig", "exg-e"},
     {},
     {}},
    {"bls",
     R"({"standardise": false, "features": {"groups": 1, "nodes": 3}, "enhancement": {"nodes": 6}, "reference": "qr",
         "growth": {"updates": 3, "feature_groups": 1, "enhancement_of_added": 1, "enhancement": 3}})",
     {9, 16, 23, 30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"ridge", lambda}};
     },
     R"({"ridge": 0, "standardise": true})",  // of one input: every sample is standardised to 0
     [](std::size_t nodes) -> Json {
       return {{"enhancement", {{"nodes", nodes}}}, {"expanded_input", "stored"}};
     },
     "feature",
     "/model/feature: unknown key; did you mean \"features\"?",
     {"orig", "exg-e"},
     {},
     {}},
    {"dec",
     R"({"nodes": [30, 5], "weights": [-2, 2], "dec": {"report": [2, 4]}, "lbfgs": {"report": [150, 20]}})",
     {5, 30},
     true,
     {"dec", "lbfgs"},
     [](double lambda) -> Json {
       return {{"tau_lambda", lambda}};
     },
     R"({"weights": [-1e308, 1e308]})",  // the width of the range overflows: infinite weights
     [](std::size_t nodes) -> Json {
       return {{"nodes", {nodes}}};
     },
     "node",
     "/model/node: unknown key; did you mean \"nodes\"?",
     {},
     {"elm"},
     {"lbfgs"},
     R"({"dec": {"report": [1]}})"},  // DEC(1)
    {"s3elm",
     R"({"nodes": 30, "weights": [-2, 2], "cross_validation": 0, "graph": {"sigma": [100]}, "elm": {"gamma": [1000]}, "selm": {"lambda": [0.1]},
         "s3elm": {"mu": [0.5]}})",
     {30},
     false,
     {},
     [](double lambda) -> Json {
       return {{"elm", {{"gamma", {1 / lambda}}}}};
     },
     R"({"activation": "linear", "weights": [-1e308, 1e308]})",  // infinite weights
     [](std::size_t nodes) -> Json {
       return {{"nodes", nodes}};
     },
     "node",
     "/model/node: unknown key; did you mean \"nodes\"?",
     {},
     {},
     {"op-elm", "selm", "s3elm"},
     // Least squares where the graph and the penalty have gone: both to H^+ T.
     R"({"algorithms": ["elm", "selm"], "elm": {"gamma": [1e13]}, "selm": {"lambda": [1e-13]}})",
     1e4,
     {{"op-elm", 3}}},
    {"rls",
     R"({"layers": [{"kind": "dense", "nodes": 30, "activation": "tanh"}], "epochs": 40, "report": [40, 5], "batch": 10, "precision": "double",
         "adam": {"rate": 0.01}, "sgd": {"rate": 0.02}})",
     {30},
     true,
     {"rls", "rls+m", "rls+r", "rls+m+r", "hrls", "hrls+m", "hrls+r", "hrls+m+r", "adam", "sgd"},
     [](double) { return Json::object(); },
     R"({"eta": 1e300, "eta_output": 1e300, "adam": {"rate": 1e300}, "sgd": {"rate": 1e300}, "clip": {"norm": 0}})",
     [](std::size_t nodes) -> Json {
       return {{"layers", {{{"kind", "dense"}, {"nodes", nodes}}}}, {"batch", 1000}};
     },
     "layer",
     "/model/layer: unknown key; did you mean \"layers\"?",
     {},
     {},
     {"rls", "rls+m", "rls+r", "rls+m+r", "hrls", "hrls+m", "hrls+r", "hrls+m+r", "adam", "sgd"},
     // Steps of length zero: the networks that they begin with.
     R"({"algorithms": ["rls", "hrls", "adam", "sgd"], "epochs": 1, "report": [1], "eta": 0, "eta_output": 0, "adam": {"rate": 1e-300},
         "sgd": {"rate": 1e-300}})"},
};

const FamilyCase& case_of(std::string_view family) {
  const auto row = std::find_if(kFamilyCases.begin(), kFamilyCases.end(),
                                [&](const FamilyCase& one) { return one.family == family; });
  if (row == kFamilyCases.end()) throw std::logic_error("kFamilyCases: no row for family " + std::string(family));
  return *row;
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_ridge_solution(std::string_view family, std::string_view algorithm) {
  const FamilyCase& of_family = case_of(family);
  return !contains(of_family.generalised_inverse, algorithm) && !contains(of_family.without_penalty, algorithm) &&
         !contains(of_family.without_backward_error, algorithm);
}

/// The size of each checkpoint, in the order in which they come.
std::vector<uword> reported_sizes(std::string_view family, std::string_view algorithm) {
  const FamilyCase& of_family = case_of(family);
  std::vector<uword> sizes;
  for (const uword size : of_family.sizes)
    sizes.insert(sizes.end(), contains(of_family.iterative, algorithm) ? 2 : 1, size);
  return sizes;
}

/// A smooth function of the inputs, half of the rows for training, and what the fold was made of.
struct Regression {
  arma::mat X, targets;
  arma::uvec train, test;

  Regression(uword samples, uword inputs, uword outputs) : X(samples, inputs), targets(samples, outputs) {
    const Rng rng(5, Purpose::synthetic);
    for (uword i = 0; i < X.n_elem; ++i) X(i) = 10 * rng.uniform(i);
    for (uword n = 0; n < samples; ++n) {
      for (uword j = 0; j < outputs; ++j)
        targets(n, j) = std::sin(0.3 * X(n, 0) + static_cast<double>(j)) + 0.05 * X(n, inputs - 1);
    }
    train = arma::regspace<arma::uvec>(0, 2, samples - 1);
    test = samples > 1 ? arma::uvec(arma::regspace<arma::uvec>(1, 2, samples - 1)) : train;
  }

  FoldView fold() const {
    const Scaler scaler = Scaler::fit("minus_one_one", X, train);
    return {{X, train, scaler}, {X, test, scaler}, targets.rows(train), {X, {}, scaler}, nullptr, targets.rows(test)};
  }
};

/// Checkpoints without what a clock says.
bool same_results(const std::vector<Checkpoint>& one, const std::vector<Checkpoint>& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].point != other[i].point || one[i].method != other[i].method || one[i].nodes != other[i].nodes ||
        one[i].iterations != other[i].iterations || one[i].trace != other[i].trace ||
        one[i].status != other[i].status || one[i].diagnostics != other[i].diagnostics ||
        one[i].parameters != other[i].parameters || one[i].chosen != other[i].chosen ||
        !identical(one[i].train_output, other[i].train_output) ||
        !identical(one[i].test_output, other[i].test_output) ||
        !identical(one[i].unlabelled_output, other[i].unlabelled_output)) {
      return false;
    }
  }
  return true;
}

class AlgorithmContract : public testing::TestWithParam<AlgorithmInfo> {
 protected:
  const std::string algorithm{GetParam().name};
  const FamilyCase& of_family = case_of(GetParam().family);
  const Rng rng{5, Purpose::layer};

  Json model(const Json& changes = Json::object()) const {
    Json all = Json::parse(of_family.model);
    all.merge_patch({{"family", GetParam().family}, {"algorithms", {algorithm}}});
    all.merge_patch(of_family.ridge(1e-3));
    all.merge_patch(changes);
    return parsed(all)->json();
  }

  const Family& family() const { return family_of({{"family", GetParam().family}}, "/model"); }

  std::unique_ptr<Trainer> prepared(const Regression& regression, const Json& changes = Json::object()) const {
    return family().prepare({parsed(model(changes))}, regression.fold(), rng);
  }

  std::vector<Checkpoint> run(Trainer& trainer) const {
    FakeClock clock;
    std::vector<Checkpoint> points;
    trainer.train(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
    return points;
  }

  std::vector<Checkpoint> run(const Regression& regression, const Json& changes = Json::object()) const {
    return run(*prepared(regression, changes));
  }
};

INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmContract, testing::ValuesIn(algorithms()), [](const auto& test) {
  std::string name = std::string(test.param.family) + "_" + std::string(test.param.name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '+'; }, '_');
  return name;
});

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
  const bool ridge = !contains(of_family.generalised_inverse, algorithm);
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
  for (const std::string& precision :
       model().contains("precision") ? std::vector<std::string>{"double", "single"} : std::vector<std::string>{""}) {
    const bool single = precision == "single";
    // A recursion in R^-1 breaks down where eps cond(R) l reaches 1: in single precision cond(R) stays below 1e4 here.
    Json changes = of_family.ridge(single ? 10 : 0.1);
    if (!precision.empty()) changes["precision"] = precision;
    for (const Checkpoint& point : run(Regression(400, 3, 2), changes)) {
      ASSERT_EQ(point.status, Status::ok) << precision << ", " << point.nodes << " nodes";
      ASSERT_EQ(point.diagnostics.count("backward_error"), 1u);
      if (!has_reference) {  // a single solve: no recursion that the condition would enter
        EXPECT_LE(point.diagnostics.at("backward_error"), tolerance(200, 30)) << point.nodes << " nodes";
        continue;
      }
      ASSERT_LT(point.diagnostics.at("condition"), single ? 1e4 : 1e6);
      ASSERT_EQ(point.diagnostics.count("weight_error") + point.diagnostics.count("condition"), 2u);
      // eps cond(R) l: what the recursions in R^-1 are allowed (tests/solvers).
      const double bound =
          (single ? tolerance<float>(200, 30) : tolerance(200, 30)) * point.diagnostics.at("condition");
      if (point.nodes > of_family.sizes.front() && !has_ridge_solution(GetParam().family, algorithm)) {
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

  const auto points = run(regression, Json::parse(of_family.singular));

  ASSERT_EQ(points.size(), 1u);
  EXPECT_NE(points[0].status, Status::ok);
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

  EXPECT_EQ(thrown<ConfigError>(act), of_family.refusal);
}

TEST_P(AlgorithmContract, CostIsPositiveAndGrowsWithTheNodesAndTheSamples) {
  const auto cost = [&](std::size_t nodes, uword samples) {
    return parsed(model(of_family.wider(nodes)))->cost(1, {samples, 100, 5, 2});
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
  EXPECT_EQ(thrown<ConfigError>([] {
              family_of({{"family", "elmm"}}, "/model");
            }),
            "/model/family: \"elmm\": unknown family; did you mean \"elm\"?");
}

TEST(Registry, TheDefaultFamilyIsElm) { EXPECT_EQ(family_of(Json::object(), "/model").name, "elm"); }

TEST(Registry, EveryFamilyHasItsCase) {
  for (const Family& family : families()) EXPECT_NO_THROW(case_of(family.name)) << family.name;
}

class FamilyContract : public testing::TestWithParam<std::string_view> {
 protected:
  const Family& family = family_of({{"family", GetParam()}}, "/model");

  /// The small network with every algorithm that solves the ridge problem.
  Json model(const Json& changes) const {
    Json all = Json::parse(case_of(GetParam()).model);
    all["family"] = GetParam();
    for (const AlgorithmInfo& row : algorithms()) {
      if (row.family == GetParam() && has_ridge_solution(row.family, row.name)) all["algorithms"].push_back(row.name);
    }
    all.merge_patch(changes);
    return parsed(all)->json();
  }
};

INSTANTIATE_TEST_SUITE_P(Registry, FamilyContract, testing::ValuesIn([] {
                           std::vector<std::string_view> names;
                           for (const Family& family : families()) names.push_back(family.name);
                           return names;
                         }()),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(FamilyContract, AlgorithmsSeeTheSameNodes) {
  const Regression regression(300, 3, 2);
  Json changes = case_of(GetParam()).ridge(0.1);
  changes.merge_patch(Json::parse(case_of(GetParam()).same_nodes));
  const Json resolved = model(changes);
  const auto trainer = family.prepare({parsed(resolved)}, regression.fold(), Rng(5, Purpose::layer));
  std::vector<arma::mat> outputs;
  double condition = 0;

  FakeClock clock;
  for (const std::string name : resolved["algorithms"]) {
    trainer->train(name, clock, [&](const Checkpoint& point) {
      if (point.nodes != 30) return;
      outputs.push_back(point.test_output);
      condition = resolved.contains("reference") ? point.diagnostics.at("condition") : case_of(GetParam()).condition;
    });
  }

  ASSERT_EQ(outputs.size(), resolved["algorithms"].size());
  ASSERT_GE(outputs.size(), 2u);
  ASSERT_LT(condition, 1e5);
  for (const arma::mat& one : outputs)
    EXPECT_LE(relative_difference(one, outputs[0]), 2 * tolerance(150, 30) * condition);
}

TEST_P(FamilyContract, ModelsThatShareTheirNodesHaveTheResultsThatTheyHaveAlone) {
  if (family.shared.empty()) GTEST_SKIP() << "the family computes one model at a time";
  const Regression regression(200, 3, 2);
  const Rng rng(5, Purpose::layer);
  const Json::json_pointer member(std::string(family.shared).substr(std::string("/model").size()));
  std::vector<ModelPtr> together;
  for (const double value : {1e-3, 0.1, 10.0}) {
    Json changes = Json::object();
    changes[member] = value;
    together.push_back(parsed(model(changes)));
  }
  for (const std::string& name : together[0]->algorithms()) {
    const auto results = [&](const std::vector<ModelPtr>& models) {
      FakeClock clock;
      std::vector<std::vector<Checkpoint>> points(models.size());
      family.prepare(models, regression.fold(), rng)->train(name, clock, [&](const Checkpoint& point) {
        points.at(point.point).push_back(point);
        points.at(point.point).back().point = 0;
      });
      return points;
    };

    const auto all = results(together);

    for (std::size_t i = 0; i < together.size(); ++i) {
      ASSERT_EQ(all[i].size(), case_of(GetParam()).sizes.size()) << name;
      EXPECT_TRUE(same_results(all[i], results({together[i]})[0])) << name << ", model " << i;
    }
    EXPECT_FALSE(same_results(all[0], all[1])) << name;
  }
}

}  // namespace
}  // namespace elmx
