#include <gtest/gtest.h>

#include "data/test_files.hpp"
#include "experiment/plan/plan.hpp"

namespace elmx {
namespace {

Json linear_config(const std::string& split) {
  return {{"name", "w"},
          {"data", {{"set", "sine"}, {"samples", 40}}},
          {"split", Json::parse(split)},
          {"model", {{"family", "linear"}}}};
}

std::size_t warnings_of(const Json& config) { return config_warnings(expand(config)).size(); }

TEST(ConfigWarnings, RepeatsThatRepeatAreNamed) {
  for (const char* split : {R"({"kind": "time_series", "folds": 4})", R"({"kind": "k_fold", "shuffle": false})",
                            R"({"kind": "one_holdout"})"}) {
    Json config = linear_config(split);
    EXPECT_EQ(warnings_of(config), 0u) << "one repeat, " << split;
    config["repeats"] = 5;
    EXPECT_EQ(warnings_of(config), 1u) << split;
    config["model"] = {{"family", "elm"}, {"nodes", 5}};
    EXPECT_EQ(warnings_of(config), 0u) << "random weights, " << split;
  }
  Json drawn = linear_config(R"({"kind": "k_fold"})");
  drawn["repeats"] = 5;
  EXPECT_EQ(warnings_of(drawn), 0u) << "each repeat draws other folds";
}

TEST(ConfigWarnings, SamplesThatEachRepeatDrawsMakeItARepeat) {
  Json config = linear_config(R"({"kind": "fixed", "train_samples": 20})");
  config["repeats"] = 3;
  EXPECT_EQ(warnings_of(config), 0u);
  config["split"] = {{"kind", "one_holdout"}, {"train_samples", 20}};
  EXPECT_EQ(warnings_of(config), 1u) << "drawn once";
}

TEST(ConfigWarnings, AnAlgorithmWithoutTheErrorOfTheChoiceIsNamed) {
  Json config = linear_config(R"({"kind": "k_fold"})");
  config["model"] = {{"family", "bls"}, {"algorithms", {"orig", "chol-1"}}, {"ridge", {0.1, 1}}};
  config["select"] = {{"by", "loo_mse"}};

  const std::vector<std::string> warnings = config_warnings(expand(config));

  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("select.by: orig ")) << warnings[0];
}

TEST(ConfigWarnings, AStratificationWithoutEffectIsNamedWhereItWasAskedFor) {
  EXPECT_EQ(warnings_of(linear_config(R"({"kind": "time_series", "stratified": true})")), 1u);
  EXPECT_EQ(warnings_of(linear_config(R"({"kind": "time_series"})")), 0u) << "a default is no wish";
  EXPECT_EQ(warnings_of(linear_config(R"({"kind": "k_fold", "stratified": true})")), 0u);
}

TEST(PlanWarnings, TestPartsWithoutAClassAreCounted) {
  TestFolder folder;
  std::string rows = "a,c\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(i) + (i < 3 ? ",rare\n" : i % 2 == 0 ? ",x\n" : ",y\n");
  const Json config = {
      {"name", "w"},
      {"data", {{"path", folder.write("rare.csv", rows).string()}, {"target", "c"}, {"task", "classification"}}},
      {"split", {{"kind", "k_fold"}, {"folds", 5}}},
      {"model", {{"family", "linear"}}}};

  const std::vector<std::string> warnings = plan_warnings(make_plan(config, "no data directory"));

  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("2 of 5 test parts"), std::string::npos) << warnings[0];
}

TEST(PlanWarnings, RowsInTimeOrderAreNamedUnlessTheSplitHeedsIt) {
  TestFolder folder;
  std::string rows = "when,a,y\n", newest_first = rows;
  for (int i = 0; i < 40; ++i) {
    const auto row = [&](int day) {
      return "2024-0" + std::to_string(1 + day / 20) + "-" + std::to_string(101 + day % 20).substr(1) + "," +
             std::to_string(i * 3 % 13) + "," + std::to_string(i * 7 % 11) + "\n";
    };
    rows += row(i);
    newest_first += row(39 - i);
  }
  const auto advice = [&](const std::string& text, const Json& split) {
    const Json config = {{"name", "w"},
                         {"data", {{"path", folder.write("log.csv", text).string()}, {"target", "y"}}},
                         {"split", split},
                         {"model", {{"family", "linear"}}}};
    std::string all;
    for (const std::string& one : plan_warnings(make_plan(config, "no data directory"))) all += one;
    return all;
  };
  const Json random = {{"kind", "k_fold"}, {"folds", 5}}, later = {{"kind", "time_series"}, {"folds", 5}},
             ordered = {{"kind", "time_series"}, {"folds", 5}, {"order", "when"}};
  EXPECT_NE(advice(rows, random).find("split.kind"), std::string::npos);
  EXPECT_EQ(advice(rows, later), "");
  EXPECT_NE(advice(newest_first, random).find("split.order"), std::string::npos);
  EXPECT_NE(advice(newest_first, later).find("split.order"), std::string::npos);
  EXPECT_EQ(advice(newest_first, ordered), "");
}

TEST(PlanWarnings, RepeatsWithTheSameTestPartDifferInTheirTrainingPart) {
  TestFolder folder;
  std::string rows = "a,y\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(i * 7 % 40) + "," + std::to_string(i % 3) + "\n";
  const Json config = {{"name", "w"},
                       {"repeats", 3},
                       {"data",
                        {{"path", folder.write("train.csv", rows).string()},
                         {"test_path", folder.write("test.csv", rows).string()},
                         {"target", "y"}}},
                       {"split", {{"kind", "fixed"}, {"train_samples", 20}}},
                       {"model", {{"family", "linear"}}}};

  EXPECT_EQ(plan_warnings(make_plan(config, "no data directory")).size(), 0u);
}

TEST(PlanWarnings, TargetsFarFromZeroNeedAConstantTermOrAScaling) {
  TestFolder folder;
  std::string rows = "a,y\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(i * 7 % 40) + "," + std::to_string(20000 + i % 3) + "\n";
  Json config = {{"name", "w"},
                 {"data", {{"path", folder.write("far.csv", rows).string()}, {"target", "y"}}},
                 {"model", {{"family", "elm"}, {"nodes", 5}}}};

  EXPECT_EQ(plan_warnings(make_plan(config, "no data directory")).size(), 1u);
  config["preprocess"]["targets"]["scale"] = "standard";
  EXPECT_EQ(plan_warnings(make_plan(config, "no data directory")).size(), 0u);
  config["preprocess"]["targets"]["scale"] = "none";
  config["model"] = {{"family", "linear"}};
  EXPECT_EQ(plan_warnings(make_plan(config, "no data directory")).size(), 0u);
}

TEST(PlanWarnings, LargeInputsThatNobodyScalesAreNamed) {
  TestFolder folder;
  std::string rows = "a,y\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(i * 250000) + "," + std::to_string(i % 3) + "\n";
  Json config = {{"name", "w"},
                 {"data", {{"path", folder.write("raw.csv", rows).string()}, {"target", "y"}}},
                 {"preprocess", {{"inputs", "none"}}},
                 {"model", {{"family", "elm"}, {"nodes", 5}}}};

  EXPECT_EQ(plan_warnings(make_plan(config, "no data directory")).size(), 1u);
  config["preprocess"]["inputs"] = "standard";
  EXPECT_EQ(plan_warnings(make_plan(config, "no data directory")).size(), 0u);
}

}  // namespace
}  // namespace elmx
