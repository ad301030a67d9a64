#include "experiment/run/runner.hpp"

#include <gtest/gtest.h>

#include "base/files/own_files.hpp"
#include "experiment/records/stored_run.hpp"
#include "support/configs.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class RunnerTest : public ScratchTest {
 protected:
  ResultsFolder open(Earlier earlier = Earlier::resume) const {
    return ResultsFolder(folder_, describe_experiment(config_, plan_), earlier);
  }
  RunnerOptions options(int jobs = 1) const {
    return {.jobs = jobs, .make_clock = [] { return std::make_unique<FakeClock>(); }, .stop = &stop_};
  }
  /// Runs the missing trials; returns the records that progress received.
  std::vector<Record> run(const RunnerOptions& how) const {
    ResultsFolder results = open();
    std::vector<Record> seen;
    run_plan(plan_, results, how, [&](const Record& record) { seen.push_back(record); });
    return seen;
  }
  static std::vector<std::string> texts(const std::vector<Record>& records) {
    std::vector<std::string> all;
    for (const Record& record : records) all.push_back(to_json(record).dump());
    return all;
  }

  Json config_ = small_config();
  Plan plan_ = make_plan(config_, "no data directory");
  std::atomic<bool> stop_ = false;
};

TEST_F(RunnerTest, RunsEveryTrialOnce) {
  EXPECT_EQ(run(options()).size(), 12u);
  EXPECT_EQ(read_records(folder_).size(), 12u);
  EXPECT_EQ(run(options()).size(), 0u);
}

TEST_F(RunnerTest, ARecordIsStoredBeforeProgressSeesIt) {
  ResultsFolder results = open();
  std::size_t seen = 0;

  run_plan(plan_, results, options(), [&](const Record& record) {
    const auto stored = read_records(folder_);
    EXPECT_EQ(stored.size(), ++seen);
    EXPECT_EQ(stored.back().key, record.key);
  });
}

TEST_F(RunnerTest, NothingIsBegunOnceStopped) {
  ResultsFolder results = open();
  std::size_t seen = 0;
  run_plan(plan_, results, options(), [&](const Record&) { stop_ = ++seen == 4; });
  EXPECT_EQ(seen, 4u) << "in the middle of a fold of three algorithms";
  EXPECT_EQ(read_records(folder_).size(), 4u);
}

TEST_F(RunnerTest, AStoppedRunGoesOnToTheSameRecords) {
  {
    ResultsFolder results = open();
    std::size_t seen = 0;
    run_plan(plan_, results, options(), [&](const Record&) { stop_ = ++seen == 4; });
  }
  stop_ = false;
  EXPECT_EQ(run(options()).size(), 8u);
  const auto resumed = StoredRun(folder_).records();

  std::filesystem::remove_all(folder_);
  run(options());
  for (std::size_t i = 0; i < 12; ++i) {
    Json a = to_json(resumed[i]), b = to_json(StoredRun(folder_).records()[i]);
    a.erase("timing");
    b.erase("timing");
    EXPECT_EQ(a, b);
  }
}

// A model would be taken for the choice among all records beside it.
TEST_F(RunnerTest, TheChoiceOfFewerTrialsIsRemovedBeforeTheFirstThatJoins) {
  const auto is_there = [&] { return std::filesystem::exists(folder_ / kFinalModel); };
  {
    ResultsFolder results = open();
    write_own_file(folder_, kFinalModel, "of an earlier run");
    run_plan(plan_, results, options(), [&](const Record&) {
      EXPECT_FALSE(is_there());
      stop_ = true;
    });
  }
  EXPECT_FALSE(is_there()) << "stopped before the choice";
  stop_ = false;
  run(options());
  write_own_file(folder_, kFinalModel, "of all trials");
  run(options());
  EXPECT_TRUE(is_there()) << "no trial has joined";
}

TEST_F(RunnerTest, JobsDoNotChangeTheRecords) {
  run(options(1));
  const auto alone = texts(StoredRun(folder_).records());
  std::filesystem::remove_all(folder_);

  run(options(4));

  EXPECT_EQ(texts(StoredRun(folder_).records()).size(), 12u);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    Json a = Json::parse(alone[i]), b = to_json(StoredRun(folder_).records()[i]);
    a.erase("timing");
    b.erase("timing");
    EXPECT_EQ(a, b);
  }
}

TEST_F(RunnerTest, WhatProgressThrowsEndsTheRun) {
  ResultsFolder results = open();
  std::size_t seen = 0;
  const auto disk_full = [&](const Record&) {
    if (++seen == 2) throw ConfigError("disk full");
  };

  for (const int jobs : {1, 2}) {
    seen = 0;
    EXPECT_EQ(thrown<ConfigError>([&] { run_plan(plan_, results, options(jobs), disk_full); }), "disk full");
    EXPECT_EQ(seen, 2u);
  }
}

TEST_F(RunnerTest, RecordsComeInTheOrderOfThePlan) {
  run(options());
  auto stored = read_records(folder_);
  std::reverse(stored.begin(), stored.end());
  Record foreign = stored.front();
  foreign.key = "not of this plan";
  stored.insert(stored.begin(), foreign);
  std::string lines;
  for (const Record& record : stored) lines += to_json(record).dump() + "\n";
  write("records.jsonl", lines);

  const auto records = StoredRun(folder_).records();

  ASSERT_EQ(records.size(), 12u);
  std::size_t i = 0;
  for (const PlannedCase& c : plan_.cases) {
    for (arma::uword fold = 0; fold < 2; ++fold) {
      for (const std::string& algorithm : c.spec().model->algorithms) {
        EXPECT_EQ(records[i].experiment_case, c.spec().name);
        EXPECT_EQ(records[i].fold, fold);
        EXPECT_EQ(records[i].algorithm, algorithm);
        ++i;
      }
    }
  }
}

TEST_F(RunnerTest, OfAUnitThatWasRecordedTwiceTheLastCounts) {
  run(options());
  auto again = read_records(folder_).front();
  again.status = TrialStatus::other("later");
  write("records.jsonl", read("records.jsonl") + to_json(again).dump() + "\n");

  const auto records = StoredRun(folder_).records();

  EXPECT_EQ(records.size(), 12u);
  EXPECT_EQ(records.front().status.text(), "later");
}

}  // namespace
}  // namespace elmx
