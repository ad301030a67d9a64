#include "experiment/plan/plan.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <ctime>

#include "base/machine/machine.hpp"
#include "data/test_files.hpp"
#include "experiment/records/record.hpp"
#include "experiment/run/runner.hpp"
#include "linalg/blas.hpp"
#include "support/configs.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

Plan plan_of(const Json& config) { return make_plan(config, "no data directory"); }

std::string plan_refused_at(const Json& config) {
  return place_thrown<ConfigError>([&] { plan_of(config); });
}

TEST(MakePlan, CountsTrials) {
  Json config = small_config();
  config["repeats"] = 5;

  const Plan plan = plan_of(config);

  ASSERT_EQ(plan.cases.size(), 2u);
  EXPECT_EQ(plan.cases[0].tasks(), 5u * 2u);
  EXPECT_EQ(plan.cases[0].trials(), 5u * 2u * 3u);
  EXPECT_EQ(plan.trials(), 60u);
}

TEST(PlannedCase, KeysAreThoseOfItsTrialsInOrder) {
  Json config = small_config();
  config["repeats"] = 2;
  config["model"]["ridge"] = {0.1, 1};  // computed together
  for (const PlannedCase& c : plan_of(config).cases) {
    ASSERT_EQ(c.specs.size(), 2u);
    for (const arma::uword repeat : {0u, 1u}) {
      std::vector<std::string> expected;
      for (const std::string& algorithm : c.spec().model->algorithms) {
        for (const CaseSpec& spec : c.specs) expected.push_back(TrialKeys(spec, *c.data).of(algorithm, repeat, 1));
      }
      EXPECT_TRUE(std::ranges::equal(c.keys(repeat, 1), expected));
    }
  }
}

TEST(MakePlan, LoadsADataSetOnce) {
  Json config = small_config();
  config["model"]["activation"] = {"sigmoid", "tanh"};
  const Plan swept = plan_of(config);
  EXPECT_EQ(swept.cases[0].data, swept.cases[1].data);
  EXPECT_EQ(swept.cases[0].folds.id(), swept.cases[1].folds.id());
  EXPECT_NE(swept.cases[0].data, swept.cases[2].data);

  config["seed"] = {1, 2};
  const Plan drawn = plan_of(config);
  EXPECT_NE(drawn.cases[0].data, drawn.cases[2].data) << "a generated set is drawn with the seed";
}

// Seed 1 with column 2, and seed 12 without a column, are two ways to read a file.
TEST(MakePlan, SeedAndColumnAreNotRunTogether) {
  TestFolder folder;
  std::string rows = "a,b,y\n";
  for (int i = 0; i < 20; ++i) rows += fmt::format("{},{},{}\n", i * 7 % 20, i % 4, i % 5);
  Json config = smallest_config();
  config["data"] = {{"path", folder.write("own.csv", rows).string()}, {"target", {"y"}}};
  config["cases"]["grouped"] = {{"seed", 1}, {"split", {{"kind", "group_k_fold"}, {"folds", 2}, {"group", "2"}}}};
  config["cases"]["not"] = {{"seed", 12}, {"split", {{"kind", "k_fold"}, {"folds", 2}}}};
  config.erase("split");

  const Plan plan = make_plan(config, "no data directory");

  EXPECT_EQ(plan.cases.at(0).data->inputs, (std::vector<std::string>{"a"}));
  EXPECT_EQ(plan.cases.at(1).data->inputs, (std::vector<std::string>{"a", "b"}));
}

TEST(MakePlan, SizesAreThoseOfTheLargestFold) {
  Json config = small_config();
  config["split"]["folds"] = 7;  // 60 = 4 * 9 + 3 * 8

  const Plan plan = plan_of(config);

  EXPECT_EQ(plan.cases[0].sizes.train, 52u);
  EXPECT_EQ(plan.cases[0].sizes.test, 9u);
  EXPECT_EQ(plan.cases[0].sizes.inputs, 10u);
  EXPECT_EQ(plan.cases[0].sizes.outputs, 1u);
  EXPECT_EQ(plan.cases[1].sizes.outputs, 2u);
}

TEST(MakePlan, RepeatsAreSplitDifferently) {
  Json config = small_config();
  config["repeats"] = 2;

  const Plan plan = plan_of(config);

  EXPECT_FALSE(arma::approx_equal(plan.cases[0].folds[0][0].test, plan.cases[0].folds[1][0].test, "absdiff", 0));
}

TEST(MakePlan, RidgeParametersAreComputedTogether) {
  Json config = small_config();
  const Plan once = plan_of(config);
  config["model"]["ridge"] = {0.1, 1, 10};
  const Plan swept = plan_of(config);

  ASSERT_EQ(swept.cases.size(), once.cases.size());
  EXPECT_EQ(swept.cases[0].specs.size(), 3u);
  EXPECT_EQ(swept.trials(), 3 * once.trials());
  EXPECT_GT(swept.cases[0].cost.flops, 2 * once.cases[0].cost.flops);
  EXPECT_LT(swept.cases[0].cost.flops, 3 * once.cases[0].cost.flops) << "hidden outputs are formed once";
}

TEST(MakePlan, NamesTheCaseOfAnError) {
  Json config = small_config();
  config["cases"]["classification"]["split"]["folds"] = 99;

  EXPECT_EQ(plan_refused_at(config), "/split/folds");
  const std::string refusal = thrown<ConfigError>([&] { plan_of(config); });
  for (const char* part : {"\"classification\"", "99", "60"})
    EXPECT_NE(refusal.find(part), std::string::npos) << refusal;
}

// Keys are refused even if they are given with the value that they have anyway.
TEST(MakePlan, RefusesKeysThatAreGivenWithoutEffect) {
  Json config = smallest_config();
  config["data"] = {{"set", "sinc"}, {"task", "regression"}};
  EXPECT_EQ(plan_refused_at(config), "/data/task");
  config = smallest_config();
  config["split"] = {{"test_fraction", 0.2}};
  EXPECT_EQ(plan_refused_at(config), "/split/test_fraction");
  config["split"]["test_fraction"] = nullptr;
  EXPECT_EQ(plan_of(config).trials(), 5U);
}

/// Returns the seconds of CPU time for planning a sweep over `place` with `values` values.
double seconds_for(const std::string& place, std::size_t values) {
  Json config = smallest_config();
  std::vector<double> sweep(values);
  for (std::size_t i = 0; i < values; ++i) sweep[i] = 1 + static_cast<double>(i);
  config[Json::json_pointer(place)] = sweep;
  const std::clock_t begun = std::clock();
  const Plan plan = plan_of(config);
  EXPECT_EQ(plan.trials(), values);
  return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
}

TEST(MakePlan, TakesTimeInProportionToTheSweep) {
  for (const char* place : {"/model/ridge", "/model/panel"}) {  // computed together, and one by one
    seconds_for(place, 100);
    const double few = seconds_for(place, 250), many = seconds_for(place, 4000);
    EXPECT_LT(many, 50 * few + 0.05) << place << ": 16 times the points, 256 times the pairs";
  }
}

TEST(MakePlan, PointsAreGroupedWhereverTheSharedListStands) {
  Json config = smallest_config();
  config["model"]["ridge"] = {1, 2, 3};
  config["model"]["activation"] = {"sigmoid", "tanh"};
  config["model"]["panel"] = {4, 5};

  const Plan plan = plan_of(config);

  ASSERT_EQ(plan.cases.size(), 4u);
  for (const PlannedCase& c : plan.cases) {
    ASSERT_EQ(c.specs.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(c.specs[i].model->json()["ridge"], static_cast<double>(i + 1));
      EXPECT_EQ(c.specs[i].model->json()["activation"], c.spec().model->json()["activation"]);
      EXPECT_EQ(c.specs[i].model->json()["panel"], c.spec().model->json()["panel"]);
    }
  }
}

constexpr double kWithHoles = 1.1;  // includes the holes that the heap keeps between arrays

TEST(PlanMemory, IsDataFoldsAndTheLargestFoldsAtOnce) {
  const Plan plan = plan_of(small_config());  // two folds of each case
  const auto [less, largest] = std::minmax(plan.cases[0].cost.bytes, plan.cases[1].cost.bytes);
  const double data = 8.0 * 60 * (10 + 1) + 8.0 * 60 * (2 + 1), folds = 2 * (8.0 * 60 + 1000) * 2;
  const double names = 700.0 * (10 + 2), points = 2 * 10e3, tasks = 4 * 1000.0,
               trials = 4e3 * static_cast<double>(plan.trials());

  EXPECT_NEAR(plan.peak_bytes({1, 1}) - kWithHoles * largest, plan.peak_bytes({0, 0}), 1);
  EXPECT_NEAR(plan.peak_bytes({3, 1}) - plan.peak_bytes({1, 1}), kWithHoles * (largest + less), 1);
  EXPECT_NEAR(plan.peak_bytes({9, 1}) - plan.peak_bytes({1, 1}), kWithHoles * (largest + 2 * less), 1);
  EXPECT_DOUBLE_EQ(plan.peak_bytes({1, 4}), plan.peak_bytes({1, 1})) << "both folds are small";
  EXPECT_NEAR(plan.peak_bytes({0, 0}), 45e6 + kWithHoles * (data + folds + names + points + tasks + trials), 1);
}

// The final model is trained on all rows, but each of the two folds only on half of them.
TEST(PlanMemory, HoldsTheModelOfAllRows) {
  Json config = smallest_config();
  config["data"]["samples"] = 40000;
  config["split"] = {{"kind", "k_fold"}, {"folds", 2}};
  config["model"]["nodes"] = {{"start", 200}, {"stop", 200}};
  const double without = plan_of(config).peak_bytes({1, 1});
  config["save_model"] = true;
  const Plan plan = plan_of(config);
  EXPECT_GT(plan.peak_bytes({1, 1}) - without, 8.0 * 20000 * 200);
  EXPECT_DOUBLE_EQ(plan.cases[0].kept_work.flops, 0) << "the run itself keeps the only network of each fold";
  EXPECT_GT(plan.cases[0].final_cost.flops, 1.5 * plan.cases[0].cost.flops);
}

TEST(PlanMemory, CountsWhatLeavesEachSampleOut) {
  Json config = smallest_config();
  config["data"]["samples"] = 100000;
  const double without = plan_of(config).peak_bytes({1, 1});
  config["model"]["leave_one_out"] = true;
  EXPECT_GT(plan_of(config).peak_bytes({1, 1}) - without, 8.0 * 50000 * 8);
}

TEST(PlanMemory, CountsADataSetOfManyPointsOnce) {
  Json config = smallest_config();
  const double one = plan_of(config).peak_bytes({1, 1});
  config["model"]["activation"] = {"sigmoid", "tanh", "sine"};

  EXPECT_NEAR(plan_of(config).peak_bytes({1, 1}) - one, kWithHoles * 2 * (10e3 + 4e3 + 1e3), 1)
      << "options, records and tasks only";
}

TEST(PlanMemory, HoldsAtLeastTheHiddenLayer) {
  Json config = smallest_config();
  config["data"]["samples"] = 1000;
  config["model"]["nodes"]["stop"] = 400;
  config["model"]["reference"] = "qr";
  config["split"] = {{"kind", "holdout"}, {"test_fraction", 0.2}};
  const double both = plan_of(config).cases[0].cost.bytes;
  EXPECT_GE(both, 8.0 * 800 * 400);
  EXPECT_LE(both, 30 * 8.0 * 800 * 400);

  config["model"]["precision"] = "single";
  config["model"]["reference"] = "none";
  EXPECT_LE(plan_of(config).cases[0].cost.bytes, both / 2);
}

TEST(PlanMemory, WhatDoesNotFitIsRefusedWithItsCase) {
  Plan plan = plan_of(small_config());
  EXPECT_NO_THROW(refuse_what_cannot_fit(plan, {1, 1}));

  plan.cases[1].cost.bytes = 1e18;

  const auto act = [&] { refuse_what_cannot_fit(plan, {1, 1}); };
  EXPECT_EQ(place_thrown<ConfigError>(act), "/model/nodes");
  for (const char* part : {"\"classification\"", "888 PiB"})
    EXPECT_NE(thrown<ConfigError>(act).find(part), std::string::npos) << part;
}

TEST(PlanMemory, JobsThatTogetherDoNotFitAreRefused) {
  Plan plan = plan_of(small_config());
  plan.cases[0].cost.bytes = 0.6 * available_memory();

  EXPECT_NO_THROW(refuse_what_cannot_fit(plan, {1, 1}));
  EXPECT_EQ(place_thrown<ConfigError>([&] { refuse_what_cannot_fit(plan, {2, 2}); }), "/model/nodes");
}

TEST(PlanWork, KnowsTheVarianceOfTheTargetsAsTrained) {
  Json config = smallest_config();
  config["preprocess"]["targets"]["scale"] = "standard";
  EXPECT_NEAR(plan_of(config).cases[0].sizes.target_variance, 1, 0.1);
  EXPECT_EQ(plan_of(config).cases[0].sizes.outputs, 1u);
  config["preprocess"]["targets"]["scale"] = "zero_one";
  EXPECT_LT(plan_of(config).cases[0].sizes.target_variance, 0.25) << "the most of numbers in [0, 1]";
}

TEST(PlanWork, GrowsWithTheNumberOfFolds) {
  Json config = small_config();
  const Plan once = plan_of(config);
  config["repeats"] = 3;
  const Plan thrice = plan_of(config);

  EXPECT_GT(once.work().flops, 0);
  EXPECT_GT(once.work().bytes_moved, 0);
  EXPECT_DOUBLE_EQ(thrice.work().flops, 3 * once.work().flops);
  EXPECT_DOUBLE_EQ(thrice.work().bytes_moved, 3 * once.work().bytes_moved);
}

TEST(MakePlan, RanksRefuseModelsThatNeedOneRank) {
  const Communicator four(4);
  const auto plan_with = [&](const Json& model) {
    Json config = smallest_config();
    config["model"] = model;
    return make_plan(config, "no data directory", four);
  };
  const auto refused_with = [&](const Json& model) { return place_thrown<ConfigError>([&] { plan_with(model); }); };
  EXPECT_EQ(refused_with({{"nodes", 5}, {"algorithms", {"panel", "alg1"}}}), "/model/algorithms");
  EXPECT_EQ(refused_with({{"nodes", 5}, {"algorithms", {"panel"}}, {"reference", "qr"}}), "/model/reference");
  EXPECT_EQ(refused_with({{"nodes", 5}, {"algorithms", {"panel"}}, {"leave_one_out", true}}), "/model/leave_one_out");
  EXPECT_EQ(refused_with({{"nodes", 5}, {"algorithms", {"panel"}}, {"learn_metric", 2}}), "/model/learn_metric");
  EXPECT_EQ(refused_with({{"nodes", 5},
                          {"algorithms", {"standard"}},
                          {"precision", {{"features", "single"}, {"gram", "double"}, {"solve", "double"}}}}),
            "/model/precision");
  EXPECT_EQ(refused_with({{"family", "linear"}}), "/model/family");

  const Plan plan = plan_with({{"nodes", 5}, {"algorithms", {"panel"}}});
  EXPECT_EQ(plan.ranks, &four);
  EXPECT_EQ(jobs_for(plan, 3).small, 1) << "ranks train one network at a time";
}

TEST(MakePlan, EveryRankHasASample) {
  const auto samples = static_cast<int>(plan_of(smallest_config()).cases[0].sizes.train);
  EXPECT_NO_THROW(make_plan(smallest_config(), "no data directory", Communicator(samples)));
  EXPECT_THROW(make_plan(smallest_config(), "no data directory", Communicator(samples + 1)), ConfigError);
}

/// Returns the number of concurrent folds: small ones and others.
std::pair<int, int> jobs(const Plan& plan, int asked) {
  const Jobs both = jobs_for(plan, asked);
  return {both.small, both.large};
}

TEST(Jobs, AreAsAskedButNeverMoreThanFolds) {
  const Plan plan = plan_of(small_config());

  EXPECT_EQ(jobs(plan, 1), std::pair(1, 1));
  EXPECT_EQ(jobs(plan, 3), std::pair(3, 1)) << "there is no large fold";
  EXPECT_EQ(jobs(plan, 1000), std::pair(4, 1));
  EXPECT_EQ(jobs(plan, 0), std::pair(std::min(threads(), 4), 1));
}

TEST(Jobs, AreOneWhereSingleStepsAreMeasured) {
  Json config = small_config();
  config["model"]["timing"] = {{"at", {12}}, {"repetitions", 2}};

  EXPECT_EQ(jobs(plan_of(config), 0), std::pair(1, 1));
  EXPECT_EQ(jobs(plan_of(config), 3), std::pair(1, 3)) << "as asked";
}

TEST(Jobs, AreManyOfSmallFoldsAndOneOfLargeOnes) {
  Plan plan = plan_of(small_config());
  plan.cases[1].cost.bytes = 1e9;

  EXPECT_EQ(jobs(plan, 0), std::pair(std::min(threads(), 2), 1));
  EXPECT_EQ(jobs(plan, 2), std::pair(2, 2));
  EXPECT_GT(plan.peak_bytes({1, 2}), plan.peak_bytes({2, 1}) + 0.9e9) << "large folds at once";
}

}  // namespace
}  // namespace elmx
