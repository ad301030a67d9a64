#include "experiment/records/stored_run.hpp"

#include <gtest/gtest.h>

#include "experiment/run/runner.hpp"
#include "support/configs.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

// Views of results show the trials of experiment.json only, even if the file of records has more.

namespace elmx {
namespace {

class CurrentRecords : public ScratchTest {
 protected:
  static Json config(double ridge) {
    Json config = small_config();
    config["model"]["ridge"] = ridge;
    return config;
  }
  /// Runs the missing trials, at most `most`.
  void run(const Json& given, Earlier earlier, std::size_t most = 1000) const {
    const Plan plan = make_plan(given, "no data directory");
    ResultsFolder results(folder_, describe_experiment(given, plan), earlier);
    std::atomic<bool> stop = most == 0;
    std::size_t seen = 0;
    run_plan(plan, results, {.jobs = 1, .make_clock = [] { return std::make_unique<FakeClock>(); }, .stop = &stop},
             [&](const Record&) { stop = ++seen == most; });
  }
  /// The current records without their times.
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Record& record : StoredRun(folder_).records()) {
      Json json = to_json(record);
      json.erase("timing");
      all.push_back(json.dump());
    }
    return all;
  }
};

TEST_F(CurrentRecords, AreThoseOfTheConfigThatARunWentOnWith) {
  run(config(0.2), Earlier::resume);
  const auto undisturbed = texts();
  std::filesystem::remove_all(folder_);

  run(config(0.1), Earlier::resume);
  run(config(0.2), Earlier::go_on, 0);
  EXPECT_EQ(texts(), std::vector<std::string>()) << "killed before its first trial";
  run(config(0.2), Earlier::resume, 5);
  EXPECT_EQ(texts().size(), 5u) << "killed after five trials";
  run(config(0.2), Earlier::resume);

  EXPECT_EQ(texts(), undisturbed);
  EXPECT_EQ(read_records(folder_).size(), 24u) << "the others stay in the file";
  run(config(0.1), Earlier::go_on, 0);
  EXPECT_EQ(texts().size(), 12u) << "the first config again";
  EXPECT_NE(texts(), undisturbed);
}

TEST_F(CurrentRecords, OfAUnitThatWasRunAgainAreItsLast) {
  run(config(0.1), Earlier::resume);
  std::vector<Record> records = read_records(folder_);
  Record failed = records[3];
  failed.status = TrialStatus::other("out of memory");
  failed.steps.clear();
  write("records.jsonl", to_json(failed).dump() + "\n" + read("records.jsonl"));

  EXPECT_EQ(texts().size(), 12u);
  for (const Record& record : StoredRun(folder_).records()) EXPECT_TRUE(record.status.ok());
}

TEST_F(CurrentRecords, HaveTheNamesOfTheCasesAndDataSets) {
  run(config(0.1), Earlier::resume);
  Json described = Json::parse(read("experiment.json"));
  for (Json& one : described["resolved"]) {
    one["case"] = "another name";
    one["dataset"] = "A/d.csv";
  }
  write("experiment.json", described.dump());

  for (const Record& record : StoredRun(folder_).records()) {
    EXPECT_EQ(record.experiment_case, "another name");
    EXPECT_EQ(record.dataset, "A/d.csv");
  }
}

TEST_F(CurrentRecords, AreTheLastOfEachTrialWhereNothingListsTheTrials) {
  run(config(0.1), Earlier::resume);
  const auto all = texts();
  write("records.jsonl", read("records.jsonl") + read("records.jsonl"));
  std::filesystem::remove(folder_ / "experiment.json");
  EXPECT_EQ(texts().size(), all.size());
  for (const char* text : {"{}", "[]", R"({"resolved": 1})", R"({"resolved": [1, {"case": ""}]})"}) {
    write("experiment.json", text);
    EXPECT_EQ(texts().size(), all.size()) << text;
  }
}

TEST_F(CurrentRecords, OfADamagedDescriptionAreRefused) {
  run(config(0.1), Earlier::resume);
  for (const char* text : {R"([{"trials": []}])", R"([{"case": "", "point": {}, "dataset": "", "trials": [1]}])",
                           R"([{"case": "", "point": {}, "dataset": "", "trials": {"a": {}}}])",
                           R"([{"case": "", "point": [1], "dataset": "", "trials": []}])",
                           R"([{"case": 1, "point": {}, "dataset": "", "trials": []}])"}) {
    write("experiment.json", std::string("{\"resolved\": ") + text + "}");
    EXPECT_EQ(place_thrown<DataError>([&] { StoredRun(folder_).records(); }), (folder_ / "experiment.json").string())
        << text;
  }
}

}  // namespace
}  // namespace elmx
