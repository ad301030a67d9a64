#include <gtest/gtest.h>
#include <sys/file.h>

#include <cmath>

#include "cli/program.hpp"

namespace elmx {
namespace {

/// A finished run of a file, and the effect of repeating it.
class FinishedRun : public ProgramTest {
 protected:
  void SetUp() override {
    std::string rows = "x,y\n";
    for (int i = 0; i < 60; ++i) rows += std::to_string(i) + "," + std::to_string(i * i % 17) + "\n";
    write("rows.csv", rows);
    write("config.json", config().dump());
    first_ = prepared("first", [&] { return run(kCommand); });
    ASSERT_EQ(first_.code, 0) << first_.err;
    EXPECT_FALSE(is_finished(first_));
  }

  static Json config() {
    return Json::parse(R"({
      "data": {"path": "rows.csv", "target": "y"}, "split": {"kind": "k_fold", "folds": 2}, "save_model": true,
      "model": {"family": "rls", "algorithms": ["adam"], "layers": [{"kind": "dense", "nodes": 3}], "epochs": 3, "batch": 20}
    })");
  }

  /// Returns the inodes of files; a file that is written again or replaced has a new one.
  std::map<std::string, ino_t> inodes(const std::string& folder) const {
    std::map<std::string, ino_t> found;
    for (const auto& entry : fs::directory_iterator(work() / folder)) {
      struct stat file {};
      ::stat(entry.path().c_str(), &file);
      found[entry.path().filename().string()] = file.st_ino;
    }
    return found;
  }

  /// Returns true if the program found that nothing is left to run, without loading anything.
  static bool is_finished(const Outcome& outcome) {
    return outcome.err.find("nothing is left to run") != std::string::npos;
  }

  const Arguments kCommand{"run", "config.json", "-o", "results", "--fake-clock"};
  Outcome first_;
};

TEST_F(FinishedRun, IsShownAgainWithoutWritingAnything) {
  const std::string records = read("results/records.jsonl"), model = read("results/model.h5");
  const auto tables = inodes("results/tables"), plots = inodes("results/plots");
  ASSERT_FALSE(plots.empty());

  const Outcome again = run(kCommand);

  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(is_finished(again)) << again.err;
  EXPECT_EQ(again.out, first_.out);
  EXPECT_EQ(inodes("results/tables"), tables);
  EXPECT_EQ(inodes("results/plots"), plots);
  EXPECT_EQ(read("results/records.jsonl"), records);
  EXPECT_EQ(read("results/model.h5"), model);
}

TEST_F(FinishedRun, MakesDeletedTablesAndPlotsAgain) {
  const auto before = snapshot();
  fs::remove_all(work() / "results/tables");
  fs::remove_all(work() / "results/plots");

  EXPECT_TRUE(is_finished(run(kCommand)));

  for (const auto& [name, content] : before) {
    const bool is_same = name.starts_with("results/tables/") || name.ends_with(".dat") || name.ends_with(".gp");
    EXPECT_TRUE(!is_same || read(name) == content) << name;
    EXPECT_TRUE(exists(name)) << name;
  }
}

TEST_F(FinishedRun, WritesChangedTablesAndPlotsAgain) {
  const std::string table = read("results/tables/time.csv");
  std::string plot;
  for (const auto& [name, content] : snapshot()) {
    if (name.ends_with(".dat")) plot = name;
  }
  const std::string points = read(plot);
  write("results/tables/time.csv", table + "x");
  write(plot, points + "x");

  EXPECT_TRUE(is_finished(run(kCommand)));

  EXPECT_EQ(read("results/tables/time.csv"), table);
  EXPECT_EQ(read(plot), points);
}

TEST_F(FinishedRun, IsRunAgainWhereItsDataHaveChanged) {
  std::string rows = read("rows.csv");
  rows[rows.size() - 2] = rows[rows.size() - 2] == '1' ? '2' : '1';
  write("rows.csv", rows);
  const Outcome changed = run(kCommand);
  EXPECT_EQ(changed.code, 6) << changed.err;
  EXPECT_EQ(run({"run", "config.json", "-o", "results", "--fake-clock", "--force"}).code, 0);
  EXPECT_EQ(Json::parse(lines_of(read("results/records.jsonl")).front()).at("status"), "ok");

  fs::remove(work() / "rows.csv");
  EXPECT_EQ(run(kCommand).code, 3);
}

TEST_F(FinishedRun, MakesADeletedModelAgain) {
  const std::string model = read("results/model.h5");
  fs::remove(work() / "results/model.h5");

  const Outcome again = run(kCommand);

  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_FALSE(is_finished(again));
  EXPECT_EQ(read("results/model.h5"), model);
}

TEST_F(FinishedRun, IsBegunAnewWithForce) {
  EXPECT_FALSE(is_finished(run({"run", "config.json", "-o", "results", "--fake-clock", "--force"})));
  EXPECT_TRUE(is_finished(run({"run", "config.json", "-o", "results", "--fake-clock", "--retry-failed"})));
}

TEST_F(FinishedRun, AddsTheTrialsOfALargerConfig) {
  Json grown = config();
  grown["repeats"] = 2;
  write("config.json", grown.dump());

  EXPECT_FALSE(is_finished(run(kCommand)));
  EXPECT_EQ(lines_of(read("results/records.jsonl")).size(), 4u);
  EXPECT_TRUE(is_finished(run(kCommand)));
}

TEST_F(FinishedRun, JudgesTheExpectationsOfTheConfig) {
  Json expecting = config();
  expecting["expect"] = Json::parse(R"([{"metric": "test_rmse", "at_most": 0}])");
  write("config.json", expecting.dump());

  const Outcome judged = run({"run", "config.json", "-o", "results", "--fake-clock", "--check"});

  EXPECT_TRUE(is_finished(judged)) << judged.err;
  EXPECT_EQ(judged.code, 5) << judged.err;
}

TEST_F(FinishedRun, IsNotShownWhileAnotherCommandWrites) {
  const int folder = ::open((work() / "results").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);

  refuses(6, kCommand, {"elmx: results: "});
  refuses(6, {"report", "results"}, {"elmx: results: "});
  refuses(6, {"plot", "results"}, {"elmx: results: "});
  EXPECT_EQ(run({"report", "results", "-o", "page.html"}).code, 0);
  EXPECT_EQ(run({"plot", "results", "-o", "elsewhere"}).code, 0);

  ::close(folder);
  EXPECT_EQ(run({"report", "results"}).code, 0);
  EXPECT_EQ(run({"plot", "results"}).code, 0);
}

/// Training by RLS with a small forgetting factor; some inputs are always zero.
class Divergence : public ProgramTest {
 protected:
  void SetUp() override {
    std::string rows = "a,b,y\n";
    for (int i = 0; i < 100; ++i) rows += std::to_string(std::sin(i)) + ",0," + std::to_string(std::cos(i)) + "\n";
    write("dead.csv", rows);
    write("config.json", config("dead.csv", 0.9).dump());
  }

  static Json config(const std::string& file, double forgetting) {
    Json config = Json::parse(R"({
      "split": {"kind": "holdout"}, "save_model": true, "preprocess": {"inputs": "none"},
      "model": {"family": "rls", "algorithms": ["rls"], "layers": [{"kind": "dense", "nodes": 4, "activation": "tanh"}],
                "epochs": 200, "batch": 10}
    })");
    config["data"] = {{"path", file}, {"target", "y"}};
    config["model"]["forgetting"] = forgetting;
    return config;
  }

  Json first_record() const { return Json::parse(lines_of(read("results/records.jsonl")).at(0)); }
};

TEST_F(Divergence, RecordAndTablesNameCauseAndRemedy) {
  const Outcome outcome = run({"run", "config.json", "-o", "results"});

  EXPECT_EQ(outcome.code, 4);
  const std::string status = first_record().at("status");
  EXPECT_TRUE(status.starts_with("not_finite at step ")) << status;
  for (const std::string& text : {status, outcome.out, run({"table", "results"}).out}) {
    EXPECT_NE(text.find("wind-up"), std::string::npos) << text;
    EXPECT_NE(text.find("0.9"), std::string::npos) << text;
  }
}

TEST_F(Divergence, WithoutForgettingIsNoWindUp) {
  Json config = this->config("dead.csv", 1);
  config["model"].update({{"eta", 1e6}, {"eta_layers", "all"}, {"clip", {{"norm", 0}}}});
  config["model"]["layers"][0]["activation"] = "identity";
  write("config.json", config.dump());

  EXPECT_EQ(run({"run", "config.json", "-o", "results"}).code, 4);

  const std::string status = first_record().at("status");
  EXPECT_EQ(status.find("wind-up"), std::string::npos) << status;
  EXPECT_NE(status.find("eta"), std::string::npos) << status;
}

TEST_F(Divergence, OfTheFinalModelFailsTheRunOnce) {
  run({"run", "config.json", "-o", "results"});
  const std::string none = read("results/no_model.json");
  EXPECT_NE(none.find("wind-up"), std::string::npos) << none;

  const Outcome again = run({"run", "config.json", "-o", "results"});

  EXPECT_EQ(again.code, 4);
  EXPECT_EQ(again.err.find("training the final model"), std::string::npos) << again.err;
  EXPECT_NE(again.err.find("no final model: "), std::string::npos) << again.err;
  refuses(3, {"predict", "results", "dead.csv"}, {"elmx: results: ", "wind-up"});
  EXPECT_NE(run({"run", "config.json", "-o", "results", "--retry-failed"}).err.find("training the final model"),
            std::string::npos);
}

TEST_F(Divergence, OfTheFinalModelAloneIsAFailure) {
  // The training part (the first rows) is harmless, but the training on all rows overflows at the last row.
  std::string rows = "a,y\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(std::sin(i)) + ",1\n";
  write("last.csv", rows + "1e30,1\n");
  Json config = this->config("last.csv", 1);
  config["split"] = {{"kind", "time_series"}, {"folds", 2}};
  config["model"]["algorithms"] = {"sgd"};
  config["model"]["layers"][0]["activation"] = "identity";
  config["model"]["epochs"] = 3;
  write("config.json", config.dump());

  const Outcome outcome = run({"run", "config.json", "-o", "results"});

  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_FALSE(exists("results/model.h5"));
  EXPECT_TRUE(exists("results/no_model.json"));
}

}  // namespace
}  // namespace elmx
