#include "experiment/plan/planned_time.hpp"

#include <gtest/gtest.h>

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
    config["model"]["nodes"] = 400;  // less than the 5 s from which on a plan measures the machine
    config.merge_patch(Json::parse(changes));
    const double likely = likely_seconds(expand(config)), planned = planned_seconds(make_plan(config, "none"));
    EXPECT_LE(likely, 3 * planned) << changes;
    EXPECT_GE(3 * likely, planned) << changes;
    EXPECT_LE(least_seconds(expand(config)), likely) << changes;
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

}  // namespace
}  // namespace elmx
