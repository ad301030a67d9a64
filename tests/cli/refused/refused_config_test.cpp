#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace elmx {
namespace {

/// Invalid configs. Each test starts with a valid config and changes one thing.
class RefusedConfig : public ProgramTest {
 protected:
  /// Runs the smallest config with `value` at `place`.
  void refuses_value(const std::string& place, const Json& value, const std::vector<std::string>& parts) {
    Json config = smallest_config();
    config[Json::json_pointer(place)] = value;
    refuses_text(config.dump(), parts);
  }
  void refuses_text(const std::string& text, const std::vector<std::string>& parts) {
    refuses(2, {"run", write("config.json", text), "-o", "results"}, parts);
  }
};

TEST_F(RefusedConfig, TheSmallestConfigItselfRuns) {
  EXPECT_EQ(run({"run", write("config.json", smallest_config().dump()), "-o", "results"}).code, 0);
}

TEST_F(RefusedConfig, AMisspeltKeyComesWithTheNearestOne) {
  refuses_value("/modle", Json::object(), {"elmx: /modle: unknown key; did you mean \"model\"?"});
  refuses_value("/model/node", 3, {"/model/node: unknown key; did you mean \"nodes\"?"});
  refuses_value("/model/nodes/stopp", 3, {"/model/nodes/stopp: unknown key; did you mean \"stop\"?"});
}

TEST_F(RefusedConfig, AKeyOfAPublishedTableThatIsMisspelt) {
  Json config = smallest_config();
  config["paper"] = {{"publised", "elm_table1.csv"}};
  refuses(2, {"validate", write("config.json", config.dump())},
          {"/paper/publised: unknown key; did you mean \"published\"?"});
}

TEST_F(RefusedConfig, AKeyLikeNoOtherComesWithAllThereAre) {
  refuses_value("/split/whatever", 1, {"/split/whatever: unknown key; allowed: kind, folds"});
}

TEST_F(RefusedConfig, AWrongType) {
  refuses_value("/model/ridge", "much", {"/model/ridge: \"much\"; expected a number >= 0 or \"auto\""});
  refuses_value("/model/nodes/stop", 3.5, {"/model/nodes/stop: 3.5; allowed: an integer >= 1"});
  refuses_value("/model/nodes", "many", {"/model/nodes: \"many\"; allowed: a number, a list of numbers, or an object"});
  refuses_value("/split/shuffle", "yes", {"/split/shuffle: \"yes\"; allowed: true or false"});
  refuses_value("/model", 3, {"/model: 3; allowed: an object"});
  refuses_value("/model/algorithms", nullptr, {"/model/algorithms: null; allowed: a list, as in [1, 2]"});
  refuses_value("/data/set", 3, {"/data/set: 3; allowed: a string"});
}

TEST_F(RefusedConfig, AValueOutOfRange) {
  refuses_value("/model/ridge", -1, {"/model/ridge: -1; allowed: a number >= 0"});
  refuses_value("/repeats", 0, {"/repeats: 0; allowed: an integer >= 1"});
  refuses_value("/seed", -1, {"/seed: -1; allowed: an integer >= 0"});
  refuses_value("/data/samples", 1, {"/data/samples: 1; allowed: an integer >= 2"});
  refuses_value("/model/nodes/start", 6, {"/model/nodes/start: 6; allowed: at most stop = 5"});
  refuses_value("/model/nodes/report", {2, 99}, {"/model/nodes/report: 99; allowed: 2 (start) to 5 (stop)"});
}

TEST_F(RefusedConfig, ASweepOverNothing) {
  refuses_value("/model/ridge", Json::array(), {"/model/ridge: []; allowed: a value, or a list of at least one value"});
  refuses_value("/model/ridge", {{"logspace", {1, 2}}},
                {"/model/ridge: ", "allowed: {\"logspace\": [from, to, count]}"});
}

TEST_F(RefusedConfig, AKeyThatStandsTwice) {
  refuses_text(R"({"data": {"set": "sinc"}, "model": {"ridge": 1, "ridge": 2}})",
               {"config.json: /model/ridge: the key stands twice; allowed: once"});
}

TEST_F(RefusedConfig, MalformedJsonIsNamedByLineAndColumn) {
  refuses_text("{\n  \"seed\": 1,,\n}", {"elmx: config.json: line 2, column 13: "});
  refuses_text("{\"name\": \"two\nlines\"}", {"elmx: config.json: line "});
  refuses_text("", {"elmx: config.json: line 1, column 1: ", "unexpected end of input"});
}

TEST_F(RefusedConfig, AnotherJsonThanAnObject) {
  refuses_text("[1, 2]", {"elmx: config.json: array; allowed: an object"});
}

TEST_F(RefusedConfig, UnknownNamesComeWithTheNearestOrAll) {
  refuses_value("/model/algorithms", {"alg9"},
                {"/model/algorithms: \"alg9\": unknown algorithm; did you mean \"alg1\"?"});
  refuses_value("/model/algorithms", Json::array(), {"/model/algorithms: []; allowed: at least one"});
  refuses_value("/model/algorithms", {"alg1", "alg1"}, {"/model/algorithms: \"alg1\" stands twice; allowed: once"});
  refuses_value("/model/activation", "sigmoide",
                {"/model/activation: \"sigmoide\": unknown; did you mean \"sigmoid\"?"});
  refuses_value("/model/family", "transformer", {"/model/family: \"transformer\": unknown family; allowed: ", "elm"});
  refuses_value("/data/set", "friedman", {"/data/set: no set \"friedman\"; did you mean \"friedman1\"?"});
  refuses_value("/split/kind", "loo", {"/split/kind: \"loo\"; allowed: k_fold, fixed, holdout"});
  refuses_value("/baseline", "alg1", {"/baseline: \"alg1\": not among the algorithms of the config", "standard"});
}

TEST_F(RefusedConfig, ANameOfTwoLinesIsStillOneLineOfMessage) {
  refuses_value("/model/activation", "a\nb", {"\"a\\nb\": unknown"});
}

TEST_F(RefusedConfig, AnEmptyConfigOrOneWithoutData) {
  refuses_text("{}", {"/data: neither \"set\" nor \"path\"; exactly one of them is expected"});
  refuses_text("{\"model\": {}}", {"/data: neither \"set\" nor \"path\"; exactly one of them is expected"});
  refuses_value("/data/path", "x.csv", {"/data: both \"set\" and \"path\"; exactly one of them is expected"});
}

TEST_F(RefusedConfig, AnErrorInACaseNamesTheCase) {
  Json config = small_config();
  config["cases"]["classification"]["data"]["set"] = "two_moon";
  refuses_text(config.dump(),
               {"elmx: case \"classification\": /data/set: no set \"two_moon\"; did you mean \"two_moons\"?"});

  config = small_config();
  config["cases"]["regression"]["cases"] = Json::object();
  refuses_text(config.dump(), {"/cases/regression/cases: cases do not nest"});
}

TEST_F(RefusedConfig, AFileThatIsNotThereOrIsAFolder) {
  refuses(2, {"run", "nowhere.json"}, {"elmx: nowhere.json: cannot be read: No such file or directory"});
  refuses(2, {"run", "."}, {"elmx: .: cannot be read: it is a folder"});
  refuses(2, {"validate", "nowhere.json"}, {"elmx: nowhere.json: cannot be read"});
}

TEST_F(RefusedConfig, ACodingThatTheClassesDoNotAllow) {
  Json config = smallest_config();
  config["data"]["set"] = "gaussian_blobs";
  config["preprocess"]["targets"]["coding"] = "single";
  refuses_text(config.dump(),
               {"elmx: /preprocess/targets/coding: \"single\" with 3 classes", "allowed", "zero_one, minus_one_one"});
}

TEST_F(RefusedConfig, MoreFoldsThanSamples) {
  Json config = smallest_config();
  config["split"] = {{"kind", "k_fold"}, {"folds", 41}};
  refuses_text(config.dump(), {"/split/folds: 41; allowed: 2 to 40, the number of samples"});
  refuses_value("/split/kind", "fixed",
                {"/split/kind: \"fixed\", but sinc has no published split; allowed: k_fold, holdout"});
}

TEST_F(RefusedConfig, MoreTrainingSamplesThanThereAre) {
  refuses_value("/split", {{"kind", "holdout"}, {"train_samples", 33}},
                {"/split/train_samples: 33; allowed: 1 to 32, the number of samples in that part"});
  refuses_value("/split", {{"kind", "k_fold"}, {"train_samples", 10}},
                {"/split/train_samples: not with kind \"k_fold\"; it belongs to fixed, holdout, one_holdout"});
}

TEST_F(RefusedConfig, MoreNodesThanMemoryAllows) {
  refuses_value("/model/nodes/stop", 5000000,
                {"/model/nodes: the network needs ", "TiB of memory; allowed: what is available, "});
  refuses_value("/model/nodes/stop", 1e12,
                {"/model/nodes: the network needs ", "of memory; allowed: what is available, "});
}

TEST_F(RefusedConfig, MoreNodesThanMemoryAllowsIsRefusedByThePlanToo) {
  Json config = smallest_config();
  config["model"]["nodes"]["stop"] = 5000000;
  write("config.json", config.dump());

  for (const Arguments& arguments : {Arguments{"plan", "config.json"}, Arguments{"run", "config.json", "-n"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.out.find("TiB"), std::string::npos)
        << "the plan itself is printed: it tells which case is too large";
    EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find("/model/nodes: the network needs "), std::string::npos);
  }
}

TEST_F(RefusedConfig, MoreSamplesOrRepeatsThanMemoryAllows) {
  refuses_value("/data/samples", 1e12,
                {"/data/samples: the data set needs ", "of memory; allowed: what is available, "});
  refuses_value("/data", {{"set", "running_adding"}, {"samples", 1000}, {"length", 1e12}},
                {"/data/samples: the data set needs 43 PiB of memory; allowed: what is available, "});
  Json config = smallest_config();
  config["repeats"] = 100000;
  config["data"]["samples"] = 100000;
  refuses_text(config.dump(), {"/repeats: the list of all folds needs ", "of memory; allowed: what is available, "});
}

TEST_F(RefusedConfig, ANameThatNoFolderCanHave) {
  Json config = smallest_config();
  for (const std::string name : {"", "../elsewhere", ".."}) {
    config["name"] = name;
    refuses(2, {"run", write("config.json", config.dump())}, {"/name: \"" + name + "\"; allowed: "});
  }
}

}  // namespace
}  // namespace elmx
