#include "experiment/records/results.hpp"

#include <gtest/gtest.h>

#include "base/files/own_files.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/record.hpp"
#include "experiment/records/stored_run.hpp"
#include "support/configs.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class ResultsFolderTest : public ScratchTest {
 protected:
  static Json experiment(double ridge = 0.1) {
    Json config = small_config();
    config["model"]["ridge"] = ridge;
    return describe_experiment(config, make_plan(config, "no data directory"));
  }
  static Record record(const std::string& key) {
    Record one;
    one.key = key;
    return one;
  }
  static Json described(const Json& config) { return describe_experiment(config, make_plan(config, "no data")); }
  /// Writes a record of each trial of the config.
  void finish(const Json& config) const {
    ResultsFolder results(folder_, described(config), Earlier::resume);
    for (const std::string& key : planned_keys(described(config))) results.append(record(key));
  }
  static Json one_case() {
    Json config = small_config();
    config["cases"].erase("classification");
    return config;
  }
  /// Writes two records.
  void finish_two() const {
    ResultsFolder results(folder_, experiment(), Earlier::resume);
    results.append(record("a"));
    results.append(record("b"));
  }
  std::string refusal(const Json& now, Earlier earlier) const {
    return thrown<UserError>([&] { ResultsFolder(folder_, now, earlier); });
  }
  std::string place_refused(Earlier earlier) const {
    return place_thrown<UserError>([&] { ResultsFolder(folder_, experiment(), earlier); });
  }
};

TEST_F(ResultsFolderTest, IsCreatedWithItsParentsAndDescribed) {
  const ResultsFolder results(folder_ / "deep" / "er", experiment(), Earlier::resume);

  EXPECT_TRUE(results.written().empty());
  const Json described = Json::parse(read("deep/er/experiment.json"));
  EXPECT_EQ(described["schema"], 1);
  EXPECT_EQ(described["config"], small_config());
  EXPECT_EQ(described["resolved"].size(), 2u);
  EXPECT_EQ(described["resolved"][0]["options"]["preprocess"]["inputs"], "minus_one_one");
  EXPECT_EQ(described["data"]["friedman1"]["samples"], 60);
  EXPECT_EQ(described["trials"], 2 * 3 * 2) << "cases x algorithms x folds";
  for (const char* key : {"elmx", "machine", "begun"}) EXPECT_TRUE(described.contains(key)) << key;
}

TEST_F(ResultsFolderTest, ARecordIsInTheFileWhenAppendReturns) {
  ResultsFolder results(folder_, experiment(), Earlier::resume);

  results.append(record("a"));

  EXPECT_EQ(read("records.jsonl"), to_json(record("a")).dump() + "\n");
}

TEST_F(ResultsFolderTest, ResultsAreResumedOrReplaced) {
  finish_two();
  const std::string records = read("records.jsonl");
  {
    ResultsFolder resumed(folder_, experiment(), Earlier::resume);
    EXPECT_EQ(resumed.written().size(), 2u);
    EXPECT_TRUE(resumed.written().contains("b"));
    resumed.append(record("c"));
    EXPECT_EQ(to_json(*resumed.written().at("c")), to_json(record("c")));
  }
  EXPECT_EQ(read("records.jsonl"), records + to_json(record("c")).dump() + "\n");

  const ResultsFolder replaced(folder_, experiment(), Earlier::replace);
  EXPECT_TRUE(replaced.written().empty());
  EXPECT_EQ(read("records.jsonl"), "");
}

TEST_F(ResultsFolderTest, ReplacingRemovesWhatElmxHasWrittenAndNothingElse) {
  finish_two();
  for (const char* name : {"tables/old.md", "plots/old.svg", "models/old.h5", "states/old.state", "report.html"})
    write_own_file(folder_, name, "");
  std::filesystem::create_directories(folder_ / "plots");
  write("plots/mine.svg", "kept");
  write("mine.txt", "kept");

  ResultsFolder(folder_, experiment(), Earlier::replace);

  for (const char* name : {"tables", "models", "states", "report.html", "plots/old.svg"})
    EXPECT_FALSE(std::filesystem::exists(folder_ / name)) << name;
  EXPECT_EQ(read("plots/mine.svg"), "kept");
  EXPECT_EQ(read("mine.txt"), "kept");
}

TEST_F(ResultsFolderTest, AForeignFileInTheWayIsRefused) {
  write("records.jsonl", "mine");
  for (const Earlier earlier : {Earlier::resume, Earlier::replace})
    EXPECT_EQ(place_refused(earlier), (folder_ / "records.jsonl").string());
  EXPECT_EQ(read("records.jsonl"), "mine");
}

TEST_F(ResultsFolderTest, AFolderWithoutRecordsIsNew) {
  write("mine.txt", "kept");
  EXPECT_TRUE(ResultsFolder(folder_, experiment(), Earlier::resume).written().empty());
  EXPECT_TRUE(ResultsFolder(folder_, experiment(0.2), Earlier::resume).written().empty())
      << "killed before its first record";
  EXPECT_EQ(Json::parse(read("experiment.json"))["config"]["model"]["ridge"], 0.2);
  EXPECT_EQ(read("mine.txt"), "kept");
}

TEST_F(ResultsFolderTest, AHalfLineIsCutOffOnResume) {
  finish_two();
  const std::string records = read("records.jsonl");
  write("records.jsonl", records + "{\"key\": \"c\", ");

  ResultsFolder resumed(folder_, experiment(), Earlier::resume);
  EXPECT_EQ(resumed.written().size(), 2u);
  resumed.append(record("c"));

  EXPECT_EQ(read("records.jsonl"), records + to_json(record("c")).dump() + "\n");
}

TEST_F(ResultsFolderTest, AnotherConfigIsNotResumedAndSaysWhere) {
  finish(small_config());
  const std::string described = read("experiment.json");

  EXPECT_NE(
      refusal(experiment(0.2), Earlier::resume).find("(config: case \"regression\": model.ridge: 0.1 there, 0.2 here)"),
      std::string::npos);
  EXPECT_EQ(read("experiment.json"), described);
}

TEST_F(ResultsFolderTest, ADescriptionThatIsNoneIsNotResumed) {
  finish_two();
  const auto refused = [&](const std::string& text) {
    write("experiment.json", text);
    return place_refused(Earlier::resume);
  };
  for (const char* text : {"", "[]", "{", R"({"resolved": [)", "{}", R"({"resolved": {}})", R"({"resolved": [1, 2]})",
                           R"({"resolved": [{"trials": ["a"], "case": 1, "point": [1], "options": 2}]})"})
    EXPECT_EQ(refused(text), folder_.string()) << text;
  EXPECT_EQ(refused(std::string(1000000, '[')), folder_.string()) << "nested without end";
}

TEST_F(ResultsFolderTest, TheDescriptionOfTheFirstRunIsKeptOnResume) {
  finish_two();
  const std::string described = read("experiment.json");
  Json later = experiment();
  later["begun"] = "later";

  ResultsFolder(folder_, later, Earlier::resume);

  EXPECT_EQ(read("experiment.json"), described);
}

TEST_F(ResultsFolderTest, OtherDataAndOtherProgramsAreNotResumedAndSayWhich) {
  finish(small_config());
  Json data = experiment(), program = experiment(), kernel = experiment();
  for (Json& one : data["resolved"]) {
    one["sha256"] = {"ab12"};
    for (Json& key : one["trials"]) key = "other " + key.get<std::string>();
  }
  program["elmx"]["computed"] = kComputedVersion + 1;
  kernel["machine"]["kernel"] = "Nehalem";

  EXPECT_NE(refusal(data, Earlier::resume).find("(data: friedman1: "), std::string::npos);
  EXPECT_NE(refusal(program, Earlier::resume).find("(program: elmx/computed: "), std::string::npos);
  EXPECT_NE(refusal(kernel, Earlier::resume).find("\"Nehalem\" here)"), std::string::npos);
}

TEST_F(ResultsFolderTest, ARunThatOnlyAddsTrialsGoesOn) {
  Json values = one_case(), algorithms = one_case(), repeats = one_case();
  values["model"]["ridge"] = {0.01, 0.1};
  algorithms["model"]["algorithms"] = {"chol-1", "standard", "existing", "alg2"};
  repeats["repeats"] = 2;
  for (const Json& more : {values, algorithms, repeats, small_config()}) {
    std::filesystem::remove_all(folder_);
    finish(one_case());

    EXPECT_EQ(refusal(described(more), Earlier::resume), "") << more;
    const std::vector<std::string> listed = planned_keys(Json::parse(read("experiment.json")));
    EXPECT_EQ(listed, planned_keys(described(more)));
    EXPECT_EQ(StoredRun(folder_).records().size(), 6u);
    EXPECT_EQ(Json::parse(read("experiment.json"))["before"].size(), 1u);
  }
}

TEST_F(ResultsFolderTest, ARunThatDropsFinishedTrialsIsRefusedAndSaysWhere) {
  Json swept = one_case();
  swept["model"]["ridge"] = {0.1, 1};
  swept["repeats"] = 2;
  Json values = swept, algorithms = swept, repeats = swept, cases = swept;
  values["model"]["ridge"] = {0.1, 2};
  algorithms["model"]["algorithms"] = {"standard", "alg2"};
  repeats["repeats"] = 1;
  cases["cases"] = {{"another", small_config()["cases"]["classification"]}};
  finish(swept);
  const auto place = [&](const Json& config) { return refusal(described(config), Earlier::resume); };
  EXPECT_NE(place(values).find("model.ridge: 1"), std::string::npos) << place(values);
  EXPECT_NE(place(algorithms).find("model.algorithms: "), std::string::npos) << place(algorithms);
  EXPECT_NE(place(repeats).find("repeats: 2"), std::string::npos) << place(repeats);
  EXPECT_NE(place(cases).find("cases: \"regression\""), std::string::npos) << place(cases);
}

TEST_F(ResultsFolderTest, AChangeThatLosesNoRecordGoesOn) {
  {
    ResultsFolder results(folder_, described(small_config()), Earlier::resume);
    results.append(record(planned_keys(described(one_case())).front()));
  }
  EXPECT_EQ(refusal(described(one_case()), Earlier::resume), "") << "no trial of the dropped case had been run";
}

TEST_F(ResultsFolderTest, AddedSizesRunTheirTrialsAgain) {
  finish(one_case());
  Json more = one_case(), fewer = one_case(), other = one_case();
  more["model"]["nodes"] = {{"start", 2}, {"stop", 20}, {"report", {3, 12, 20}}};
  fewer["model"]["nodes"]["report"] = {12};
  other["model"]["nodes"]["start"] = 3;
  EXPECT_NE(refusal(described(fewer), Earlier::resume).find("model.nodes.report"), std::string::npos);
  EXPECT_NE(refusal(described(other), Earlier::resume).find("model.nodes.start"), std::string::npos);

  const ResultsFolder resumed(folder_, described(more), Earlier::resume);

  EXPECT_EQ(resumed.notes().size(), 1u);
  EXPECT_EQ(read_records(folder_).size(), 6u) << "they stay in the file";
  EXPECT_TRUE(StoredRun(folder_).records().empty());
}

TEST_F(ResultsFolderTest, AnotherBuildOfOneVersionGoesOn) {
  finish(one_case());
  const std::string before = read("experiment.json");
  const auto rebuilt = [](Json description) {
    for (const char* member : {"commit", "compiler", "sha256"}) description["elmx"][member] = "another";
    return description;
  };
  EXPECT_EQ(refusal(rebuilt(described(one_case())), Earlier::resume), "");
  EXPECT_EQ(read("experiment.json"), before) << "it ran nothing";

  EXPECT_EQ(refusal(rebuilt(described(small_config())), Earlier::resume), "");
  const Json after = Json::parse(read("experiment.json"));
  EXPECT_EQ(after["elmx"]["sha256"], "another");
  EXPECT_EQ(after["before"][0]["elmx"], Json::parse(before)["elmx"]);
}

TEST_F(ResultsFolderTest, AnEarlierElmxWithoutItsVersionIsRefused) {
  finish(one_case());
  Json old = Json::parse(read("experiment.json"));
  old["elmx"].erase("computed");
  write("experiment.json", old.dump());

  EXPECT_NE(refusal(described(one_case()), Earlier::resume).find("(program: elmx/computed: "), std::string::npos);
}

TEST_F(ResultsFolderTest, AFinishedRunThatIsRepeatedWritesNothing) {
  finish(one_case());
  const std::vector<std::string> keys = planned_keys(described(one_case()));
  ResultsFolder(folder_, described(one_case()), Earlier::resume).settle(keys);
  Json ended = Json::parse(read("experiment.json"));
  ended["ended"] = "then";
  write("experiment.json", ended.dump());

  ResultsFolder(folder_, described(one_case()), Earlier::resume).settle(keys);

  EXPECT_EQ(Json::parse(read("experiment.json"))["ended"], "then");
}

TEST_F(ResultsFolderTest, TheLockOutlivesTheFolderWhereItIsKept) {
  auto lock = ResultsFolder(folder_, experiment(), Earlier::resume).lock();
  EXPECT_NE(refusal(experiment(), Earlier::replace), "");
  lock.reset();
  EXPECT_EQ(refusal(experiment(), Earlier::replace), "");
}

TEST_F(ResultsFolderTest, AFolderDeletedDuringARunCanBeReplaced) {
  {
    ResultsFolder results(folder_, experiment(), Earlier::resume);
    std::filesystem::remove_all(folder_);
    results.append(record("a"));
  }  // the run is killed before it finishes
  EXPECT_EQ(refusal(experiment(), Earlier::replace), "");
}

TEST_F(ResultsFolderTest, WhatHasChangedIsKeptWhereARunGoesOnNevertheless) {
  finish(small_config());

  const ResultsFolder resumed(folder_, experiment(0.2), Earlier::go_on);

  EXPECT_EQ(resumed.written().size(), 12u);
  ASSERT_EQ(resumed.notes().size(), 1u);
  EXPECT_NE(resumed.notes()[0].find("model.ridge: 0.1 there, 0.2 here"), std::string::npos);
  const Json described = Json::parse(read("experiment.json"));
  EXPECT_EQ(described["config"]["model"]["ridge"], 0.2);
  EXPECT_EQ(described["before"].size(), 1u);
}

TEST_F(ResultsFolderTest, SettlingPutsRecordsInOrderTheLastOfEachTrialAndKeepsOthers) {
  ResultsFolder results(folder_, experiment(), Earlier::resume);
  Record again = record("b");
  again.status = TrialStatus::other("failed first");
  for (const Record& one : {again, record("other"), record("c"), record("a"), record("b")}) results.append(one);

  results.settle({"a", "b", "c", "d"});
  results.append(record("d"));

  std::string expected;
  for (const char* key : {"a", "b", "c", "other", "d"}) expected += to_json(record(key)).dump() + "\n";
  EXPECT_EQ(read("records.jsonl"), expected);
  EXPECT_TRUE(Json::parse(read("experiment.json")).contains("ended"));
}

TEST_F(ResultsFolderTest, TrialsThatFailedAreKnown) {
  {
    ResultsFolder results(folder_, experiment(), Earlier::resume);
    Record failed = record("a");
    failed.status = TrialStatus::numeric("not_finite");
    results.append(failed);
    results.append(record("b"));
  }
  const ResultsFolder resumed(folder_, experiment(), Earlier::resume);

  EXPECT_EQ(resumed.written().size(), 2u);
  EXPECT_FALSE(resumed.written().at("a")->status.ok());
}

TEST_F(ResultsFolderTest, OnlyOneRunAtATimeWritesToIt) {
  {
    const ResultsFolder first(folder_, experiment(), Earlier::resume);
    for (const Earlier earlier : {Earlier::resume, Earlier::replace})
      EXPECT_EQ(place_refused(earlier), folder_.string());
  }
  EXPECT_EQ(refusal(experiment(), Earlier::resume), "");
}

TEST_F(ResultsFolderTest, APlaceBelowAFileCannotBe) {
  write("file", "");
  const std::filesystem::path below = folder_ / "file" / "below";
  EXPECT_EQ(place_thrown<ConfigError>([&] { ResultsFolder(below, experiment(), Earlier::resume); }), below.string());
}

}  // namespace
}  // namespace elmx
