#include <gtest/gtest.h>

#include "experiment/config/options.hpp"
#include "experiment/plan/plan.hpp"
#include "support/configs.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

Json swept(const Json& select) {
  Json config = smallest_config();
  config["model"]["ridge"] = {0.1, 1};
  config["model"]["activation"] = {"sigmoid", "sine"};
  config["select"] = select;
  return config;
}

std::string refused_plan_at(const Json& config) {
  return place_thrown<ConfigError>([&] { make_plan(config, "no data directory"); });
}

bool plan_refusal_has(const Json& config, const std::string& part) {
  return thrown<ConfigError>([&] { make_plan(config, "no data directory"); }).find(part) != std::string::npos;
}

std::vector<std::string> over(const Json& config) { return expand(config).front().options.select.over; }

TEST(Select, WithoutOverIsOfAllSweepsOfTheModelAndTheSizes) {
  EXPECT_EQ(over(swept({{"by", "gcv"}})), (std::vector<std::string>{"/model/activation", "/model/ridge", "nodes"}));
  Json config = swept({{"by", "gcv"}});
  config["seed"] = {1, 2};
  config["preprocess"] = {{"inputs", {"none", "centred"}}, {"targets", {{"scale", {"none", "zero_one"}}}}};
  EXPECT_EQ(over(config),
            (std::vector<std::string>{"/preprocess/inputs", "/model/activation", "/model/ridge", "nodes"}))
      << "other seeds and trials are not to be chosen among";
}

// Squared errors depend on coding and sample weights, the share of correct predictions does not.
TEST(Select, ByClassesAlsoChoosesCodingAndClassWeights) {
  Json config = smallest_config();
  config["data"] = {{"set", "two_moons"}, {"samples", 40}};
  config["preprocess"]["targets"] = {{"class_weights", {nullptr, "balanced"}}, {"coding", {"zero_one", "single"}}};
  config["model"]["ridge"] = {0.1, 1};
  for (const char* by : {"loo_acc", "loo_bac"}) {
    config["select"] = {{"by", by}};
    EXPECT_EQ(over(config), (std::vector<std::string>{"/preprocess/targets/coding", "/preprocess/targets/class_weights",
                                                      "/model/ridge", "nodes"}));
  }
  config["select"]["by"] = "loo_mse";
  EXPECT_EQ(over(config), (std::vector<std::string>{"/model/ridge", "nodes"}));
}

TEST(Select, NamesPlacesByTheirLastComponentOrInFull) {
  EXPECT_EQ(over(swept({{"by", "loo_mse"}, {"over", {"ridge"}}})), (std::vector<std::string>{"/model/ridge"}));
  EXPECT_EQ(over(swept({{"by", "loo_mse"}, {"over", {"nodes", "/model/activation"}}})),
            (std::vector<std::string>{"nodes", "/model/activation"}));
}

TEST(Select, AsksTheModelForLeaveOneOutErrors) {
  EXPECT_EQ(expand(swept({{"by", "loo_mse"}})).front().model->json().at("leave_one_out"), true);
  EXPECT_FALSE(expand(swept(Json::object())).front().model->json().contains("leave_one_out"));
}

TEST(Select, RefusesWhatCannotBeChosen) {
  EXPECT_EQ(refused_plan_at(swept({{"by", "press"}})), "/select/by");
  EXPECT_EQ(refused_plan_at(swept({{"over", {"ridge"}}})), "/select/over");
  EXPECT_EQ(refused_plan_at(swept({{"by", "gcv"}, {"over", {"rigde"}}})), "/select/over");
  EXPECT_TRUE(plan_refusal_has(swept({{"by", "gcv"}, {"over", {"rigde"}}}), "\"ridge\""));
  EXPECT_EQ(refused_plan_at(swept({{"by", "loo_acc"}})), "/select/by");
  Json config = smallest_config();
  config["select"]["by"] = "gcv";
  config["model"]["nodes"] = {{"start", 4}, {"stop", 4}};
  EXPECT_EQ(refused_plan_at(config), "/select");
  config["model"] = {{"family", "dec"}, {"nodes", {2, 3}}};
  EXPECT_EQ(refused_plan_at(config), "/select/by");
  EXPECT_TRUE(plan_refusal_has(config, "\"dec\""));
}

// A point of rvfl has one size, so choosing a size means choosing a point.
TEST(Select, TheSizeOfAPointOfOneSizeIsChosenWithIt) {
  Json config = swept({{"by", "loo_mse"}});
  config["model"] = {{"family", "rvfl"}, {"nodes", {2, 3}}, {"ridge", {0.1, 1}}};
  EXPECT_EQ(over(config), (std::vector<std::string>{"/model/nodes", "/model/ridge", "nodes"}));
  config["select"]["over"] = {"nodes"};
  EXPECT_EQ(over(config), (std::vector<std::string>{"/model/nodes", "nodes"}));
  config["model"]["nodes"] = 2;
  EXPECT_EQ(refused_plan_at(config), "/select/over");
  EXPECT_TRUE(plan_refusal_has(config, "/model/ridge, ridge"));
}

// One of several cases may have a single point; the choice is then among the cases.
TEST(Select, OfSeveralCasesOneMayHaveASinglePoint) {
  Json config = swept({{"by", "loo_mse"}});
  config["cases"] = {{"networks", Json::object()}, {"mean", {{"model", {{"family", "mean"}}}}}};
  const std::vector<CaseSpec> specs = expand(config);
  EXPECT_TRUE(specs.back().options.select.wanted());
  EXPECT_EQ(specs.back().options.select.over, std::vector<std::string>{});
  EXPECT_EQ(specs.back().model->json().at("leave_one_out"), true);
}

TEST(Select, OfTwoPlacesWithOneNameNeitherIsMeant) {
  Json config = swept({{"by", "gcv"}, {"over", {"nodes"}}});
  config["model"] = {{"family", "bls"}, {"features", {{"nodes", {2, 3}}}}, {"enhancement", {{"nodes", {5, 6}}}}};
  EXPECT_EQ(refused_plan_at(config), "/select/over");
  for (const char* part : {"/model/features/nodes", "/model/enhancement/nodes"})
    EXPECT_TRUE(plan_refusal_has(config, part)) << part;
  config["model"]["growth"] = {{"updates", 2}, {"enhancement", 3}};
  EXPECT_EQ(over(config), std::vector<std::string>{"nodes"}) << "the sizes";
}

TEST(ClassWeights, AreRefusedToFamiliesWithoutASumOverAllSamples) {
  Json config = smallest_config();
  config["data"] = {{"set", "two_moons"}, {"samples", 40}};
  config["preprocess"]["targets"]["class_weights"] = "balanced";
  EXPECT_NO_THROW(make_plan(config, "no data directory"));
  config["model"] = {{"family", "dec"}, {"nodes", {2, 3}}};
  EXPECT_EQ(refused_plan_at(config), "/preprocess/targets/class_weights");
  EXPECT_TRUE(plan_refusal_has(config, "\"dec\""));
  config = smallest_config();
  config["preprocess"]["targets"]["class_weights"] = "balanced";
  EXPECT_EQ(refused_plan_at(config), "/preprocess/targets/class_weights");
  EXPECT_TRUE(plan_refusal_has(config, "sinc"));
}

TEST(ClassWeights, WithAndWithoutAreASweep) {
  Json config = smallest_config();
  config["data"] = {{"set", "two_moons"}, {"samples", 40}};
  config["preprocess"]["targets"]["class_weights"] = {nullptr, "balanced"};
  const auto specs = expand(config);

  ASSERT_EQ(specs.size(), 2u);
  EXPECT_FALSE(specs[0].options.preprocess.targets.class_weights.has_value());
  EXPECT_EQ(specs[1].options.preprocess.targets.class_weights, Json("balanced"));
}

}  // namespace
}  // namespace elmx
