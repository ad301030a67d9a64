#include "experiment/config/spec.hpp"

#include <gtest/gtest.h>

#include "support/configs.hpp"
#include "support/schema.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

std::string refused_at(const Json& config, std::size_t most_points = kMostPoints) {
  return place_thrown<ConfigError>([&] { expand(config, most_points); });
}

bool refusal_has(const Json& config, const std::string& part) {
  return thrown<ConfigError>([&] { expand(config); }).find(part) != std::string::npos;
}

Json with(Json config, const std::string& place, const Json& value) {
  config[Json::json_pointer(place)] = value;
  return config;
}

/// Returns the points of all specs as text, in order.
std::vector<std::string> points(const std::vector<CaseSpec>& specs) {
  std::vector<std::string> all;
  for (const CaseSpec& spec : specs) all.push_back(spec.name + Json(spec.point).dump());
  return all;
}

TEST(Expand, AConfigWithoutCasesOrSweepsIsOneSpec) {
  const auto specs = expand(smallest_config());

  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].name, "");
  EXPECT_TRUE(specs[0].point.empty());
  EXPECT_EQ(specs[0].family->name, "elm");
  EXPECT_EQ(specs[0].model->algorithms, std::vector<std::string>{"standard"});
  EXPECT_EQ(specs[0].model->json()["ridge"], 0.1) << "defaults are filled in";
  EXPECT_EQ(specs[0].model->json()["nodes"]["report"], Json::array());
}

TEST(Expand, CasesKeepTheirOrderAndTheLastAxisVariesFastest) {
  Json config = with(smallest_config(), "/model/ridge", {1, 2});
  config["seed"] = {7, 8};
  config["cases"] = {{"z", Json::object()}, {"a", {{"model", {{"ridge", 3}}}}}};

  EXPECT_EQ(points(expand(config)),
            (std::vector<std::string>{R"(z{"/model/ridge":1,"/seed":7})", R"(z{"/model/ridge":2,"/seed":7})",
                                      R"(z{"/model/ridge":1,"/seed":8})", R"(z{"/model/ridge":2,"/seed":8})",
                                      R"(a{"/seed":7})", R"(a{"/seed":8})"}));
}

TEST(Expand, RefusesADuplicatePointWithItsPlace) {
  const std::vector<std::pair<std::string, Json>> twice = {
      {"/model/ridge", {0.001, 1e-3, 0.1}},
      {"/model/ridge", {1, 0.1, 1.0}},
      {"/model/ridge", {{"logspace", {-1, -1, 4}}}},
      {"/model/activation", {"sigmoid", "sine", "sigmoid"}},
      {"/model/weights", {{-1, 1}, {-0.5, 0.5}, {-1, 1}}},
      {"/seed", {1, 2, 1}},
      {"/preprocess/inputs", {"none", "none"}},
  };
  for (const auto& [place, values] : twice) {
    EXPECT_EQ(refused_at(with(smallest_config(), place, values)), place) << values;
  }
}

TEST(Expand, EqualValuesInDifferentCasesAreTwoMethods) {
  Json config = with(smallest_config(), "/model/ridge", {1, 2});
  config["cases"] = {{"a", Json::object()}, {"b", Json::object()}};

  EXPECT_EQ(expand(config).size(), 4u);
}

TEST(Expand, ACaseOfAnotherFamilyHasAModelOfItsOwn) {
  Json config = with(smallest_config(), "/model/ridge", 3);
  config["cases"] = {{"narrow", Json::object()}, {"broad", {{"model", {{"family", "bls"}}}}}};
  const auto specs = expand(config);

  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].model->json()["ridge"], 3);
  EXPECT_EQ(specs[1].family->name, "bls");
  EXPECT_NE(specs[1].model->json()["ridge"], 3);
}

TEST(Expand, ASweptValueIsWhatTheTrialRunsWith) {
  const auto specs = expand(with(smallest_config(), "/model/ridge", {{"logspace", {-2, 0, 3}}}));

  ASSERT_EQ(specs.size(), 3u);
  EXPECT_EQ(specs[0].model->json()["ridge"], 0.01);
  EXPECT_EQ(specs[2].model->json()["ridge"], 1.0);
  EXPECT_EQ(specs[2].point.at("/model/ridge"), 1.0);
}

TEST(Expand, AListWhereAListBelongsIsNoSweepButAListOfListsIs) {
  EXPECT_EQ(expand(with(smallest_config(), "/model/weights", {-4, 4})).size(), 1u);
  const auto specs = expand(with(smallest_config(), "/model/weights", Json::parse("[[-1, 1], [-4, 4]]")));
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[1].model->json()["weights"], (Json{-4.0, 4.0}));
}

TEST(Expand, WhatReproduceLaysOverTheConfigDoesNotCountHere) {
  const Json config = with(smallest_config(), "/full", {{"model", {{"ridge", 9}}}});

  EXPECT_EQ(expand(config)[0].model->json()["ridge"], 0.1);
  EXPECT_EQ(expand(config)[0].identity(), expand(smallest_config())[0].identity());
  EXPECT_EQ(refused_at(with(config, "/full", 3)), "/full");
}

TEST(Expand, CasesAreMergedIntoTheRest) {
  const auto specs = expand(small_config());

  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].name, "regression");
  EXPECT_EQ(specs[0].options.data.set, "friedman1");
  EXPECT_EQ(specs[1].options.data.set, "two_moons");
  EXPECT_EQ(specs[1].options.split.folds, 2u);
}

TEST(Expand, RefusesWhatItDoesNotKnowWithItsPlace) {
  EXPECT_EQ(refused_at(Json::array()), "/");
  for (const char* place : {"/cases", "/cases/regression/data/sett", "/cases/regression/cases"})
    EXPECT_EQ(refused_at(with(small_config(), place, 3)), place);
}

TEST(Expand, NamesTheCaseThatMakesAValueWrong) {
  const std::string weights = "/preprocess/targets/class_weights", in_case = "/cases/regression";
  const Json other_family = with(small_config(), in_case + "/model/family", "dec");
  EXPECT_EQ(refused_at(with(other_family, in_case + weights, "balanced")), in_case + weights);

  const Json of_all = with(other_family, weights, "balanced");
  EXPECT_EQ(refused_at(of_all), weights);
  EXPECT_TRUE(refusal_has(of_all, "case \"regression\""));
}

TEST(Expand, BlamesNoCaseForWhatAllOfThemHave) {
  for (const char* place : {"/sead", "/split/foldz"}) {
    EXPECT_EQ(refused_at(with(small_config(), place, 1)), place);
    EXPECT_FALSE(refusal_has(with(small_config(), place, 1), "case "));
  }
}

TEST(Expand, RefusesASweepThatNobodyCanWant) {
  Json config = with(smallest_config(), "/model/ridge", {{"range", {1, 1000}}});
  config["seed"] = {{"range", {1, 1000}}};

  EXPECT_EQ(refused_at(config), "/model/ridge");
  EXPECT_TRUE(refusal_has(config, "100000"));
}

TEST(Expand, TheSweepsOfAllCasesAreCountedTogether) {
  Json config = with(smallest_config(), "/seed", {{"range", {1, 6}}});
  config["cases"] = {{"a", Json::object()}, {"b", Json::object()}};

  EXPECT_EQ(expand(config, 12).size(), 12u);
  EXPECT_EQ(refused_at(config, 11), "/seed");
}

TEST(Expand, ACaseOfAFamilyBesideAModelThatIsNoneIsRefused) {
  Json config = smallest_config();
  config["model"] = Json::array();
  config["cases"] = {{"a", {{"model", {{"family", "bls"}}}}}};

  EXPECT_NO_THROW(expand(config)) << "the model of another family is left out, whatever it is";
}

TEST(Expand, ABaselineMustRunSomewhere) {
  Json config = with(small_config(), "/baseline", "alg3");
  EXPECT_EQ(refused_at(config), "/baseline");
  EXPECT_TRUE(refusal_has(config, "\"alg2\""));

  config["cases"]["regression"]["model"]["algorithms"] = {"alg3"};
  EXPECT_NO_THROW(expand(config));
}

TEST(Expand, AListOfDataSetsIsOneSpecEachWithItsOwnSweeps) {
  Json config = smallest_config();
  config["data"] = {{{"set", "sinc"}, {"samples", {40, 50}}}, {{"set", "friedman1"}}};
  config["model"]["ridge"] = {0.1, 1};

  const std::vector<CaseSpec> specs = expand(config);

  ASSERT_EQ(specs.size(), 2u * 2u + 2u);
  EXPECT_EQ(specs[0].options.data.set, "sinc");
  EXPECT_EQ(specs[3].options.data.generated.samples, 50u);
  EXPECT_EQ(specs[4].options.data.set, "friedman1");
  EXPECT_EQ(specs[4].point.size(), 1u) << "the data set is no sweep point: each record names it";
}

TEST(Expand, AListOfNamesOfDataSetsIsNoSweepPointEither) {
  Json config = smallest_config();
  config["data"] = {{"set", {"sinc", "friedman1"}}};

  const std::vector<CaseSpec> specs = expand(config);

  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[1].options.data.set, "friedman1");
  EXPECT_TRUE(specs[1].point.empty());
}

TEST(Expand, RefusesADuplicateDataSetAndAnEmptyList) {
  Json config = smallest_config();
  config["data"] = {{{"set", "sinc"}}, {{"set", "friedman1"}}, {{"set", "sinc"}, {"samples", 50}}};
  EXPECT_EQ(refused_at(config), "/data/2");
  EXPECT_TRUE(refusal_has(config, "data[0]"));
  config["data"] = Json::array();
  EXPECT_EQ(refused_at(config), "/data");
  config["data"] = {{{"set", "sinc"}}, {{"sett", "friedman1"}}};
  EXPECT_EQ(refused_at(config), "/data/1/sett");
}

TEST(Identity, ChangesWithAllThatDeterminesAResult) {
  const Json base = small_config();
  const Json identity = expand(base)[0].identity();

  for (const auto& [place, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"/seed", 4},
                                                           {"/cases/regression/data/samples", 61},
                                                           {"/cases/regression/data/noise", 0.5},
                                                           {"/split/folds", 3},
                                                           {"/split/shuffle", false},
                                                           {"/preprocess/inputs", "none"},
                                                           {"/preprocess/targets/scale", "zero_one"},
                                                           {"/model/ridge", 0.2},
                                                           {"/model/activation", "tanh"},
                                                           {"/model/nodes/stop", 13},
                                                           {"/model/precision", "single"}}) {
    EXPECT_NE(expand(with(base, place, value))[0].identity(), identity) << place;
  }
}

TEST(Identity, DoesNotChangeWithNamesRepeatsOrTheOtherAlgorithms) {
  const Json base = small_config();
  const Json identity = expand(base)[0].identity();

  for (const auto& [place, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"/name", "other"},
                                                           {"/repeats", 7},
                                                           {"/baseline", "alg2"},
                                                           {"/model/algorithms", {"alg2", "standard"}},
                                                           {"/model/ridge", 0.10}}) {
    EXPECT_EQ(expand(with(base, place, value))[0].identity(), identity) << place;
  }
}

TEST(ConfigSchema, DescribesCasesLikeTheRestButDoesNotNestThem) {
  const Json schema = config_schema({"friedman1", "two_moons"}, {"test_acc"});

  EXPECT_TRUE(schema_accepts(schema, small_config()));
  EXPECT_FALSE(schema_accepts(schema, with(small_config(), "/cases/regression/modle", Json::object())));
  EXPECT_FALSE(schema_accepts(schema, with(small_config(), "/cases/regression/cases", Json::object())));
  const Json options = write_options(ExperimentOptions());
  for (const auto& [key, value] : options.items()) {
    EXPECT_TRUE(schema["properties"][key].contains("description") || key == "model") << key;
  }
}

}  // namespace
}  // namespace elmx
