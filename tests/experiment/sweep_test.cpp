#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "support/scratch.hpp"

// A sweep over a member whose points a family computes together: one case of several points gives the records
// of separate runs.

namespace elmx {
namespace {

Json swept_config(const Json& ridge) {
  Json config = Json::parse(R"({
    "name": "sweep",
    "seed": 3,
    "data": {"set": "two_moons", "samples": 60},
    "split": {"kind": "k_fold", "folds": 2},
    "model": {
      "family": "bls",
      "algorithms": ["orig", "exg-e", "chol-1", "chol-2", "r-inv", "d-rdg", "auto"],
      "standardise": false,
      "features": {"groups": 1, "nodes": 3},
      "enhancement": {"nodes": 6},
      "growth": {"updates": 2, "feature_groups": 1, "enhancement_of_added": 1, "enhancement": 3},
      "reference": "qr"
    }
  })");
  config["model"]["ridge"] = ridge;
  return config;
}

Plan planned(const Json& config) { return make_plan(config, "no data directory"); }

class SweepTest : public ScratchTest {
 protected:
  /// Returns the records in the order of the plan, without times and without the place in the sweep.
  std::vector<Json> run(const Json& config, const std::string& name, std::size_t* begun = nullptr) const {
    const Plan plan = planned(config);
    ResultsFolder results(folder_ / name, describe_experiment(config, plan), Earlier::resume);
    std::size_t count = 0;
    run_plan(plan, results, {.jobs = 1, .make_clock = [] { return std::make_unique<FakeClock>(); }, .stop = nullptr},
             [&](const Record&) { ++count; });
    if (begun != nullptr) *begun = count;
    std::vector<Json> all;
    for (const Record& record : StoredRun(folder_ / name).records()) {
      all.push_back(to_json(record));
      all.back().erase("timing");
      all.back().erase("point");
    }
    return all;
  }
};

std::vector<Json> by_key(std::vector<Json> records) {
  std::sort(records.begin(), records.end(), [](const Json& a, const Json& b) { return a["key"] < b["key"]; });
  return records;
}

TEST_F(SweepTest, RidgeParametersOfABroadNetworkAreOneCase) {
  const Plan plan = planned(swept_config({1e-6, 1e-2, 1}));

  ASSERT_EQ(plan.cases.size(), 1u);
  ASSERT_EQ(plan.cases[0].specs.size(), 3u);
  EXPECT_EQ(plan.cases[0].tasks(), 2u);
  EXPECT_EQ(plan.trials(), 2u * 3 * 7);
  EXPECT_EQ(plan.cases[0].specs[1].point.at("/model/ridge"), 1e-2);
}

TEST_F(SweepTest, OtherMembersAreCasesOfTheirOwn) {
  Json config = swept_config({1e-6, 1e-2});
  config["model"]["enhancement"]["nodes"] = {4, 6};
  const Plan plan = planned(config);

  ASSERT_EQ(plan.cases.size(), 2u);
  for (const PlannedCase& c : plan.cases) {
    ASSERT_EQ(c.specs.size(), 2u);
    EXPECT_EQ(c.specs[0].model->json()["enhancement"], c.specs[1].model->json()["enhancement"]);
    EXPECT_NE(c.specs[0].model->json()["ridge"], c.specs[1].model->json()["ridge"]);
  }
}

TEST_F(SweepTest, WhatDoesNotFitTheMemoryTogetherIsComputedApart) {
  Json config = swept_config({1e-6, 1e-2, 1});
  config["model"]["enhancement"]["nodes"] = 1000000;  // 8e12 bytes a factor

  const Plan plan = planned(config);

  ASSERT_EQ(plan.cases.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(plan.cases[i].specs.size(), 1u);
    EXPECT_EQ(plan.cases[i].spec().point.at("/model/ridge"), config["model"]["ridge"][i]);
    EXPECT_GT(plan.cases[i].cost.bytes, 8e12);
  }
}

TEST_F(SweepTest, SeedsAreCasesOfTheirOwn) {
  Json config = swept_config({1e-6, 1e-2});
  config["seed"] = {1, 2};

  EXPECT_EQ(planned(config).cases.size(), 2u);
}

TEST_F(SweepTest, TheRecordsAreThoseOfSeparateRunsToTheLastBit) {
  const std::vector<double> lambdas{1e-6, 1e-2, 1};
  const auto together = by_key(run(swept_config(lambdas), "together"));

  std::vector<Json> apart;
  for (const double lambda : lambdas) {
    for (const Json& record : run(swept_config(lambda), "apart" + std::to_string(lambda))) apart.push_back(record);
  }

  ASSERT_EQ(together.size(), 42u);
  EXPECT_EQ(together, by_key(apart));
  for (const Json& record : together) {
    EXPECT_EQ(record["status"], "ok");
    EXPECT_EQ(record["steps"].size(), 3u);
    EXPECT_EQ(record["steps"][0].contains("method"), record["algorithm"] == "auto" || record["algorithm"] == "chol-2");
  }
}

TEST_F(SweepTest, WhatIsMissingIsRunAgainToTheSameRecords) {
  const Json config = swept_config({1e-6, 1e-2, 1});
  const auto before = run(config, "all");
  std::istringstream lines(read("all/records.jsonl"));
  std::string line, kept;
  std::size_t number = 0, removed = 0;
  while (std::getline(lines, line)) {  // single points of a sweep, and all points of one algorithm
    if (number % 5 == 2 || (number >= 21 && number < 24)) {
      ++removed;
    } else {
      kept += line + "\n";
    }
    ++number;
  }
  write("all/records.jsonl", kept);
  std::size_t begun = 0;

  const auto after = run(config, "all", &begun);

  EXPECT_EQ(begun, removed) << "what was there is not recorded twice";
  EXPECT_EQ(after, before);
}

// One point fails because all its nodes are zero and lambda is 0; the others continue.
TEST_F(SweepTest, APointThatFailsLeavesTheOthers) {
  Json config = swept_config({0, 1});
  config["data"] = {{"set", "sinc"}, {"samples", 60}};
  config["model"]["standardise"] = true;  // one input: every sample is standardised to 0
  config["model"]["reference"] = "none";
  const Plan plan = planned(config);
  ASSERT_EQ(plan.cases.size(), 1u);

  const auto records = run(config, "some");

  ASSERT_EQ(records.size(), 28u);
  std::size_t failed = 0;
  for (const Json& record : records) {
    failed += record["status"] != "ok";
    EXPECT_EQ(record["steps"].size(), record["status"] == "ok" ? 3u : 1u);
  }
  EXPECT_EQ(failed, 14u);
}

}  // namespace
}  // namespace elmx
