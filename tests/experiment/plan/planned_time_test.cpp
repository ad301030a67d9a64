#include <gtest/gtest.h>

#include "experiment/plan/plan.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

TEST(PlannedTime, WhatIsSaidWithoutDataIsNearThePlan) {
  for (const char* changes : {"{}", R"({"model": {"ridge": [0.1, 1, 10]}})", R"({"repeats": 3})",
                              R"({"split": {"kind": "holdout", "folds": null}})"}) {
    Json config = small_config();
    config["cases"].erase("classification");
    config["cases"]["regression"]["data"]["samples"] = 8000;
    config["model"]["algorithms"] = {"standard"};
    config["model"]["nodes"] = 400;  // less than 5 s, from which on a plan measures the machine
    config.merge_patch(Json::parse(changes));
    const double likely = likely_seconds(expand(config)), planned = planned_seconds(make_plan(config, "none"));
    EXPECT_LE(likely, 3 * planned) << changes;
    EXPECT_GE(3 * likely, planned) << changes;
  }
}

TEST(PlannedTime, PointsThatAreComputedTogetherCountOnce) {
  Json config = small_config();
  config["model"]["algorithms"] = {"panel"};
  config["model"]["nodes"] = 400;
  const double one = likely_seconds(expand(config));
  config["model"]["ridge"] = {0.1, 1, 10};
  EXPECT_LT(likely_seconds(expand(config)), 2.9 * one);
}

// Each fold keeps one network of all points. The final model trains all points on all rows; the 5 folds train
// on 4/5 of them, and also predict the rest.
TEST(PlannedTime, CountsTheModelsThatAreSaved) {
  Json config = smallest_config();
  config["data"]["samples"] = 20000;
  config["split"] = {{"kind", "k_fold"}, {"folds", 5}};
  config["model"] = {{"algorithms", {"panel"}},
                     {"nodes", {{"start", 200}, {"stop", 200}}},
                     {"reference", "none"},
                     {"ridge", {0.1, 1, 10}}};
  config["select"] = {{"by", "loo_mse"}};
  const Plan without = make_plan(config, "none");
  EXPECT_EQ(without.cases[0].kept_work.flops, 0);
  EXPECT_EQ(without.cases[0].final_cost.flops, 0);

  config["save_model"] = true;
  const Plan plan = make_plan(config, "none");
  const double folds = ordinary_seconds(plan.cases[0].kept_work), all_rows = ordinary_seconds(plan.cases[0].final_cost);
  const double task = 3 * trial_seconds(plan.cases[0]);
  EXPECT_GT(all_rows, task);
  EXPECT_LT(all_rows, 1.6 * task);
  EXPECT_GT(folds, 5 * task / 3);
  EXPECT_LT(folds, 5 * task);
  EXPECT_GT(planned_seconds(plan), planned_seconds(without) + 0.9 * all_rows);
}

}  // namespace
}  // namespace elmx
