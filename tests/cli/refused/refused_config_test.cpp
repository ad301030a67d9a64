#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace elmx {
namespace {

/// Invalid configs. Each test starts with a valid config and changes one thing.
class RefusedConfig : public ProgramTest {
 protected:
  /// Runs the smallest config with `value` at `place`. Checks the place of the error, `at`, and other parts.
  void refuses_value(const std::string& place, const Json& value, const std::string& at,
                     const std::vector<std::string>& parts = {}) {
    Json config = smallest_config();
    config[Json::json_pointer(place)] = value;
    refuses_config(config, at, parts);
  }
  void refuses_config(const Json& config, const std::string& at, std::vector<std::string> parts = {}) {
    parts.push_back("elmx: config.json: " + at + ": ");
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
  refuses_value("/modle", Json::object(), "modle", {"\"model\""});
  refuses_value("/model/node", 3, "model.node", {"\"nodes\""});
  refuses_value("/model/nodes/stopp", 3, "model.nodes.stopp", {"\"stop\""});
}

TEST_F(RefusedConfig, AMisspeltKeyOfAPublishedTable) {
  Json config = smallest_config();
  config["paper"] = {{"publised", "elm_table1.csv"}};
  refuses(2, {"validate", write("config.json", config.dump())},
          {"elmx: config.json: paper.publised: ", "\"published\""});
}

TEST_F(RefusedConfig, UnknownKeysListTheKnownOnes) {
  refuses_value("/split/whatever", 1, "split.whatever", {"kind, folds"});
}

TEST_F(RefusedConfig, AWrongType) {
  refuses_value("/model/ridge", "much", "model.ridge", {"\"much\"", "\"auto\""});
  refuses_value("/model/nodes/stop", 3.5, "model.nodes.stop", {"3.5"});
  refuses_value("/model/nodes", "many", "model.nodes", {"\"many\""});
  refuses_value("/split/shuffle", "yes", "split.shuffle");
  refuses_value("/model", 3, "model");
  refuses_value("/model/algorithms", nullptr, "model.algorithms");
  refuses_value("/data/set", 3, "data.set");
}

TEST_F(RefusedConfig, AValueOutOfRange) {
  refuses_value("/model/ridge", -1, "model.ridge", {">= 0", "-1"});
  refuses_value("/repeats", 0, "repeats");
  refuses_value("/seed", -1, "seed");
  refuses_value("/data/samples", 1, "data.samples");
  refuses_value("/model/nodes/start", 6, "model.nodes.start");
  refuses_value("/model/nodes/report", {2, 99}, "model.nodes.report", {"99"});
}

TEST_F(RefusedConfig, ASweepOverNothing) {
  refuses_value("/model/ridge", Json::array(), "model.ridge");
  refuses_value("/model/ridge", {{"logspace", {1, 2}}}, "model.ridge", {"[from, to, count]"});
}

TEST_F(RefusedConfig, ADuplicateKey) {
  refuses_text(R"({"data": {"set": "sinc"}, "model": {"ridge": 1, "ridge": 2}})",
               {"elmx: config.json: model.ridge: duplicate"});
}

TEST_F(RefusedConfig, MalformedJsonIsNamedByLineAndColumn) {
  refuses_text("{\n  \"seed\": 1,,\n}", {"elmx: config.json: line 2, column 13: "});
  refuses_text("{\"name\": \"two\nlines\"}", {"elmx: config.json: line "});
  refuses_text("", {"elmx: config.json: line 1, column 1: "});
}

TEST_F(RefusedConfig, AnotherJsonThanAnObject) { refuses_text("[1, 2]", {"elmx: config.json: ", "array"}); }

TEST_F(RefusedConfig, UnknownNamesComeWithTheNearestOrAll) {
  refuses_value("/model/algorithms", {"alg9"}, "model.algorithms", {"\"alg9\"", "\"alg1\""});
  refuses_value("/model/algorithms", Json::array(), "model.algorithms");
  refuses_value("/model/algorithms", {"alg1", "alg1"}, "model.algorithms", {"\"alg1\""});
  refuses_value("/model/activation", "sigmoide", "model.activation", {"\"sigmoid\""});
  refuses_value("/model/family", "transformer", "model.family", {"\"transformer\"", "elm"});
  refuses_value("/data/set", "friedman", "data.set", {"\"friedman1\""});
  refuses_value("/split/kind", "loo", "split.kind", {"k_fold, fixed, holdout"});
  refuses_value("/baseline", "alg1", "baseline", {"\"alg1\"", "standard"});
}

TEST_F(RefusedConfig, MessagesAboutTwoLineNamesAreOneLine) {
  refuses_value("/model/activation", "a\nb", "model.activation", {"\"a\\nb\""});
}

TEST_F(RefusedConfig, AnEmptyConfigOrOneWithoutData) {
  refuses_config(Json::object(), "data");
  refuses_config({{"model", Json::object()}}, "data");
  refuses_value("/data/path", "x.csv", "data");
}

TEST_F(RefusedConfig, AnErrorInACaseNamesTheCase) {
  Json config = small_config();
  config["cases"]["classification"]["data"]["sett"] = "two_moons";
  refuses_config(config, "cases.classification.data.sett", {"\"set\""});

  config = small_config();
  config["cases"]["classification"]["data"]["set"] = "two_moon";
  refuses_config(config, "data.set", {"case \"classification\"", "\"two_moons\""});

  config = small_config();
  config["cases"]["regression"]["cases"] = Json::object();
  refuses_config(config, "cases.regression.cases");
}

TEST_F(RefusedConfig, ErrorsNameTheFileOrOption) {
  Json over = {{"model", {{"ridge", -1}}}};
  write("config.json", smallest_config().dump());
  write("over.json", over.dump());
  for (const char* command : {"run", "plan", "validate", "folds", "slurm"}) {
    refuses(2, {command, "config.json", "over.json"}, {"elmx: over.json: model.ridge: "});
    refuses(2, {command, "config.json", "over.json", "--set", "model.ridge=0.1", "--set", "split.folds=1.5"},
            {"elmx: --set: split.folds: "});
  }
  refuses(2, {"plan", "elm-table2", "--set", "split.foldz=1"}, {"elmx: --set: split.foldz: "});
  refuses(2, {"init", "sinc", "--set", "data.samples=1"}, {"elmx: --set: data.samples: "});
}

TEST_F(RefusedConfig, ValidateRefusesWhatNeedsNoData) {
  struct Change {
    std::string place;
    Json value;
    std::string at;
  };
  for (const Change& change :
       std::vector<Change>{{"/data/set", "friedman", "data.set"},
                           {"/data", {{"path", "x.csv"}}, "data.target"},
                           {"/data/missing", Json::array({"refuse"}), "data.missing"},
                           {"/data/turns", 3, "data.turns"},
                           {"/model/nodes", Json::array(), "model.nodes"},
                           {"/model/ridge", {{"range", {100, 10, 10}}}, "model.ridge"},
                           {"/split/order", "day", "split.order"},
                           {"/split", {{"folds", 1}}, "split.folds"},
                           {"/split", {{"kind", "time_series"}, {"folds", 0}}, "split.folds"},
                           {"/split", {{"kind", "given"}}, "split.column"},
                           {"/split", {{"kind", "labelled"}, {"validate", true}}, "split.validate"}}) {
    Json config = smallest_config();
    config[Json::json_pointer(change.place)] = change.value;
    write("config.json", config.dump());
    for (const char* command : {"validate", "run"})
      refuses(2, {command, "config.json"}, {"elmx: config.json: " + change.at + ": "});
  }
}

TEST_F(RefusedConfig, AFileThatIsMissingOrAFolder) {
  refuses(2, {"run", "nowhere.json"}, {"elmx: nowhere.json: "});
  refuses(2, {"run", "."}, {"elmx: .: "});
  refuses(2, {"validate", "nowhere.json"}, {"elmx: nowhere.json: "});
}

TEST_F(RefusedConfig, ACodingThatTheClassesDoNotAllow) {
  Json config = smallest_config();
  config["data"]["set"] = "gaussian_blobs";
  config["preprocess"]["targets"]["coding"] = "single";
  refuses_config(config, "preprocess.targets.coding", {"\"single\"", "zero_one", "minus_one_one"});
}

TEST_F(RefusedConfig, MoreFoldsThanSamples) {
  refuses_value("/split", {{"kind", "k_fold"}, {"folds", 41}}, "split.folds", {"41", "40"});
  refuses_value("/split/kind", "fixed", "split.kind", {"\"fixed\"", "sinc"});
}

TEST_F(RefusedConfig, MoreTrainingSamplesThanThereAre) {
  refuses_value("/split", {{"kind", "holdout"}, {"train_samples", 33}}, "split.train_samples", {"33", "32"});
  refuses_value("/split", {{"kind", "k_fold"}, {"train_samples", 10}}, "split.train_samples", {"\"k_fold\""});
}

TEST_F(RefusedConfig, MoreNodesThanMemoryAllows) {
  refuses_value("/model/nodes/stop", 5000000, "model.nodes", {"TiB"});
  refuses_value("/model/nodes/stop", 1e12, "model.nodes", {"PiB"});
}

TEST_F(RefusedConfig, ThePlanRefusesTooManyNodes) {
  Json config = smallest_config();
  config["model"]["nodes"]["stop"] = 5000000;
  write("config.json", config.dump());

  for (const Arguments& arguments : {Arguments{"plan", "config.json"}, Arguments{"run", "config.json", "-n"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.out.find("TiB"), std::string::npos)
        << "the plan itself is printed: it tells which case is too large";
    EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("elmx: config.json: model.nodes: ")) << outcome.err;
  }
}

TEST_F(RefusedConfig, MoreSamplesOrRepeatsThanMemoryAllows) {
  refuses_value("/data/samples", 1e12, "data.samples");
  refuses_value("/data", {{"set", "running_adding"}, {"samples", 1000}, {"length", 1e12}}, "data.samples", {"43 PiB"});
  Json config = smallest_config();
  config["repeats"] = 100000;
  config["data"]["samples"] = 100000;
  refuses_config(config, "repeats");
}

TEST_F(RefusedConfig, ANameThatNoFolderCanHave) {
  for (const std::string name : {"", "../elsewhere", ".."}) {
    Json config = smallest_config();
    config["name"] = name;
    refuses(2, {"run", write("config.json", config.dump())}, {"elmx: config.json: name: ", "\"" + name + "\""});
  }
}

}  // namespace
}  // namespace elmx
