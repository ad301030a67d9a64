#include <sys/resource.h>
#include <sys/stat.h>

#include "base/rng.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// A sweep of 72 trials: two data sets, three ridge parameters, two repeats, two folds, three algorithms.
Json sweep() {
  return Json::parse(R"({
    "name": "sweep", "seed": 5, "repeats": 2,
    "data": [{"set": "friedman1", "samples": 300}, {"set": "sinc", "samples": 200}],
    "split": {"folds": 2},
    "model": {"algorithms": ["standard", "alg2", "panel"], "reference": "qr", "ridge": [0.01, 0.1, 1], "nodes": {"start": 2, "stop": 60, "report": [20, 60]}}
  })");
}

class Survival : public ProgramTest {
 protected:
  void SetUp() override {
    write("sweep.json", sweep().dump());
    write("long.json", long_training().dump());
  }

  /// Returns the records of a folder in file order, without their times.
  std::string records(const std::string& folder) const {
    std::string all;
    for (const std::string& line : lines_of(read(folder + "/records.jsonl"))) {
      Json record = Json::parse(line);
      record.erase("timing");
      all += record.dump() + '\n';
    }
    return all;
  }

  /// Returns the keys of the complete lines.
  std::set<std::string> finished(const std::string& folder) const {
    const std::string content = read(folder + "/records.jsonl");
    std::set<std::string> keys;
    for (const std::string& line : lines_of(content.substr(0, content.rfind('\n') + 1))) {
      if (!line.empty()) keys.insert(Json::parse(line).at("key"));
    }
    return keys;
  }

  Outcome run_into(const std::string& config, const std::string& folder, const Arguments& more = {}) const {
    return run(run_arguments(config, folder, more));
  }

  /// Runs sweep.json undisturbed, into the folder "a".
  Outcome run_sweep() const {
    return prepared("sweep", [&] { return run_into("sweep.json", "a", {"--jobs", "1"}); });
  }
  /// Runs long.json undisturbed, into the folder "undisturbed".
  Outcome run_long() const {
    return prepared("long", [&] { return run_into("long.json", "undisturbed"); });
  }
};

TEST_F(Survival, AKillAtRandomMomentsLosesNothing) {
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run_into("sweep.json", "undisturbed").code, 0);
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string expected = records("undisturbed");
  ASSERT_EQ(finished("undisturbed").size(), 72u);

  const Rng rng(7, Purpose::probe);
  std::size_t kills = 0, ended = 0;
  for (std::uint64_t i = 0; kills < 8; ++i) {
    const std::string folder = "killed" + std::to_string(ended);
    const std::set<std::string> before = exists(folder + "/records.jsonl") ? finished(folder) : std::set<std::string>{};
    const pid_t child = start(run_arguments("sweep.json", folder, {"--resume", "--jobs", i % 2 == 0 ? "1" : "2"}));
    std::this_thread::sleep_for(std::chrono::duration<double>(whole * rng.uniform(i)));
    ::kill(child, SIGKILL);
    const Outcome outcome = finish(child);
    if (outcome.code == 128 + SIGKILL) {
      ++kills;
      if (!exists(folder + "/records.jsonl")) continue;
      const std::set<std::string> after = finished(folder);
      EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()))
          << "a finished trial was lost";
    } else {
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(records(folder), expected);
      ++ended;
    }
  }
  for (std::size_t i = 0; i <= ended; ++i) {
    const std::string folder = "killed" + std::to_string(i);
    const Outcome outcome = run_into("sweep.json", folder, {"--resume"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(records(folder), expected);
  }
}

TEST_F(Survival, RecordOrderIgnoresTheJobs) {
  ASSERT_EQ(run_sweep().code, 0);
  ASSERT_EQ(run_into("sweep.json", "three", {"--jobs", "3", "--threads", "7"}).code, 0);

  EXPECT_EQ(records("a"), records("three"));
}

TEST_F(Survival, TornLastLinesAreDroppedAndReported) {
  ASSERT_EQ(run_sweep().code, 0);
  const std::string expected = records("a"), content = read("a/records.jsonl");
  write("a/records.jsonl", content.substr(0, content.size() - 40));
  EXPECT_NE(run({"table", "a"}).err.find("71 of 72 trials"), std::string::npos);

  const Outcome outcome = run_into("sweep.json", "a", {"--resume"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("a/records.jsonl: "), std::string::npos) << outcome.err;
  EXPECT_EQ(records("a"), expected);
}

TEST_F(Survival, FullDisksKeepFinishedTrials) {
  ASSERT_EQ(run_sweep().code, 0);
  const std::string expected = records("a");
  // A file of the run may not exceed half the size of its records.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{static_cast<rlim_t>(read("a/records.jsonl").size() / 2), before.rlim_max};

  ::setrlimit(RLIMIT_FSIZE, &limit);
  const Outcome full = run_into("sweep.json", "full");
  ::setrlimit(RLIMIT_FSIZE, &before);

  EXPECT_EQ(full.code, 2);
  for (const char* part : {"elmx: full/records.jsonl: ", "File too large"})
    EXPECT_NE(full.err.find(part), std::string::npos) << full.err;
  const std::string kept = read("full/records.jsonl");
  EXPECT_TRUE(kept.ends_with('\n')) << "a half line";
  EXPECT_GT(finished("full").size(), 10u);
  EXPECT_EQ(run_into("sweep.json", "full", {"--resume"}).code, 0);
  EXPECT_EQ(records("full"), expected);
}

TEST_F(Survival, FullDisksUnderStatesEndTheRun) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{20000, before.rlim_max};  // a state needs at least 24 KB

  ::setrlimit(RLIMIT_FSIZE, &limit);
  const pid_t child = start_and_wait("long.json", "full");
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::kill(child, SIGINT);
  const Outcome full = finish(child);

  EXPECT_EQ(full.code, 2) << full.err;
  for (const char* part : {".state: ", "File too large"}) EXPECT_NE(full.err.find(part), std::string::npos) << full.err;
  EXPECT_EQ(finished("full").size(), 0u) << "no failure of the trial";
}

TEST_F(Survival, DamagedStatesRestartTheirTrial) {
  ASSERT_EQ(run_long().code, 0);
  const pid_t child = start_and_wait("long.json", "a");
  ::kill(child, SIGINT);
  ASSERT_EQ(finish(child).code, 130);
  const fs::path state = fs::directory_iterator(work() / "a/states")->path();
  std::string content = content_of(state);
  content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
  write("a/states/" + state.filename().string(), content);

  const Outcome resumed = run_into("long.json", "a", {"--resume"});

  EXPECT_EQ(resumed.code, 0) << resumed.err;
  const std::string place = "a/states/" + state.filename().string() + ": ";
  for (const std::string& text : {resumed.err, read("a/log.txt")})
    EXPECT_NE(text.find(place), std::string::npos) << text;
  EXPECT_EQ(records("a"), records("undisturbed"));
}

TEST_F(Survival, CrashesAreRecordedByTheNextRun) {
  ASSERT_EQ(run_long().code, 0);
  const std::vector<std::string> undisturbed = lines_of(records("undisturbed"));

  const pid_t child = start_and_wait("long.json", "crashed");
  ::kill(child, SIGSEGV);
  const Outcome crash = finish(child);
  EXPECT_EQ(crash.code, 128 + SIGSEGV) << crash.err;
  EXPECT_NE(crash.err.find("(SIGSEGV). Run the same command again"), std::string::npos) << crash.err;
  EXPECT_TRUE(finished("crashed").empty());

  EXPECT_EQ(run_into("long.json", "crashed").code, 4) << "the next run goes on without the trial";
  const std::vector<std::string> lines = lines_of(records("crashed"));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(Json::parse(lines[0])["status"], "crashed (SIGSEGV)");
  EXPECT_EQ(lines[1], undisturbed[1]);

  EXPECT_EQ(run_into("long.json", "crashed").code, 4) << "a trial that has crashed is not started again";
  EXPECT_EQ(run_into("long.json", "crashed", {"--retry-failed"}).code, 0);
  EXPECT_EQ(records("crashed"), records("undisturbed"));
}

TEST_F(Survival, InterruptionsBeforeARunSaySo) {
  const fs::path pipe = work() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const int number : {SIGINT, SIGTERM}) {
    const pid_t child = start({"run", "pipe", "-o", "a"});
    int writer = -1;
    while ((writer = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) < 0)  // the program does not read yet
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(child, number);
    const Outcome outcome = finish(child);
    ::close(writer);

    EXPECT_EQ(outcome.code, 130);
    EXPECT_EQ(outcome.err, "elmx: interrupted\n");
    EXPECT_FALSE(exists("a"));
  }
}

TEST_F(Survival, InterruptedRunsHaveTables) {
  Json config = sweep();
  config["model"]["nodes"]["stop"] = 400;
  config["repeats"] = 50;
  write("many.json", config.dump());
  const pid_t child = start_and_wait("many.json", "a");
  while (read("a/records.jsonl").empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child, SIGINT);
  const Outcome outcome = finish(child);

  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(read("a/tables/regression.md").find("interrupted: "), std::string::npos);
  EXPECT_NE(read("a/tables/regression.md").find(" of 1800 trials"), std::string::npos);
}

TEST_F(Survival, ChangedDataNeedForceToResume) {
  std::string table = "x,y\n";
  for (int i = 0; i < 40; ++i) table += std::to_string(i) + "," + std::to_string(i * i % 17) + "\n";
  write("data.csv", table);
  Json config = sweep();
  config["data"] = {{"path", "data.csv"}, {"target", {"y"}}};
  config["repeats"] = 1;
  write("own.json", config.dump());
  ASSERT_EQ(run_into("own.json", "a").code, 0);
  write("data.csv", table + "40,3\n");

  refuses(6, run_arguments("own.json", "a", {"--resume"}), {"elmx: a: ", "data.csv", "SHA-256"});
  const Outcome forced = run_into("own.json", "a", {"--resume", "--force"});
  EXPECT_EQ(forced.code, 0);
  EXPECT_NE(forced.err.find("SHA-256"), std::string::npos);
  EXPECT_EQ(finished("a").size(), 36u) << "18 of the old data stay beside 18 of the new";
}

TEST_F(Survival, AConfigThatAddsTrialsGoesOn) {
  ASSERT_EQ(run_sweep().code, 0);
  const std::string before = read("a/records.jsonl");
  const auto trials = finished("a").size();
  Json more = sweep();
  more["repeats"] = more.value("repeats", 1) + 1;
  write("more.json", more.dump());

  const Outcome added = run_into("more.json", "a");

  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_GT(finished("a").size(), trials);
  for (const std::string& line : lines_of(before))
    EXPECT_NE(read("a/records.jsonl").find(line), std::string::npos) << "finished trials are kept, times too";
  ASSERT_EQ(run_into("more.json", "fresh").code, 0);
  EXPECT_EQ(records("a"), records("fresh"));
  refuses(6, run_arguments("sweep.json", "a"), {"elmx: a: ", "repeats"});
}

TEST_F(Survival, AnotherProgramNeedsForceToResume) {
  ASSERT_EQ(run_sweep().code, 0);
  Json experiment = Json::parse(read("a/experiment.json"));
  EXPECT_EQ(experiment["elmx"]["sha256"].get<std::string>().size(), 64u);
  experiment["elmx"]["sha256"] = "of another build";
  write("a/experiment.json", experiment.dump());
  EXPECT_EQ(run_into("sweep.json", "a").code, 0) << "it computes the same";
  experiment["elmx"]["computed"] = 1;
  write("a/experiment.json", experiment.dump());

  refuses(6, run_arguments("sweep.json", "a", {"--resume"}), {"elmx: a: ", "program", "computed"});
  EXPECT_EQ(run_into("sweep.json", "a", {"--resume", "--force"}).code, 0);
  const Json after = Json::parse(read("a/experiment.json"));
  EXPECT_EQ(after["before"].size(), 1u);
  EXPECT_EQ(after["before"][0]["elmx"]["sha256"], "of another build");
}

TEST_F(Survival, ExpectationsAreJudgedByCheck) {
  Json config = sweep();
  config["expect"] = {{{"where", {{"dataset", "sinc"}, {"nodes", 60}}}, {"metric", "weight_error"}, {"at_most", 1e-3}}};
  write("expects.json", config.dump());
  const Outcome met = run_into("expects.json", "a", {"--check"});
  EXPECT_EQ(met.code, 0) << met.err;
  EXPECT_NE(met.err.find("check: 9 met, 0 not met"), std::string::npos) << met.err;

  config["expect"][0]["at_most"] = 0;
  write("expects.json", config.dump());
  const Outcome missed = run_into("expects.json", "a", {"--check", "--resume"});
  EXPECT_EQ(missed.code, 5) << missed.err;
  EXPECT_NE(missed.err.find("check: 0 met, 9 not met"), std::string::npos) << missed.err;

  config["expect"][0].erase("at_most");
  write("expects.json", config.dump());
  refuses(2, run_arguments("expects.json", "b"), {"elmx: expects.json: expect[0]: ", "at_least", "at_most", "equals"});
}

TEST_F(Survival, TheDescriptionOfARunRunsItAgain) {
  ASSERT_EQ(run_into("sweep.json", "a", {"--set", "model.ridge=0.5"}).code, 0);
  fs::remove(work() / "sweep.json");

  ASSERT_EQ(run_into("a/experiment.json", "b").code, 0);

  EXPECT_EQ(records("a"), records("b"));
}

}  // namespace
}  // namespace elmx
