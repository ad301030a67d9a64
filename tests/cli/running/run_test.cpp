#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include "base/machine/machine.hpp"
#include "cli/program.hpp"
#include "support/schema.hpp"

namespace elmx {
namespace {

/// Whole runs with a fake clock.
class Run : public ProgramTest {
 protected:
  void SetUp() override { write("small.json", small_config().dump()); }

  /// Runs `elmx run CONFIG -o FOLDER` with further arguments.
  Outcome run_into(const std::string& folder, const std::string& config = "small.json", const Arguments& more = {},
                   const Environment& environment = {}) const {
    Arguments arguments{"run", config, "-o", folder, "--fake-clock"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, environment);
  }

  /// Runs small.json into the folder "a".
  Outcome small_run() const {
    return prepared("small", [&] { return run_into("a"); });
  }
  /// Runs larger.json, which is large enough that parts of a matrix product run on several threads, into
  /// "one" on one thread.
  Outcome larger_run() const {
    return prepared("larger", [&] {
      Json config = small_config();
      config["model"]["algorithms"] = {"standard", "existing", "alg1", "alg2", "alg3", "panel"};
      config["model"]["nodes"] = {{"start", 2}, {"stop", 150}, {"report", {3, 150}}};
      for (auto& one : config["cases"]) one["data"]["samples"] = 700;
      write("larger.json", config.dump());
      return run_into("one", "larger.json", {"--threads", "1", "--jobs", "1"});
    });
  }

  /// Returns the records of a folder without their times, in file order.
  std::vector<std::string> results(const std::string& folder) const {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(read(folder + "/records.jsonl"))) {
      Json record = Json::parse(line);
      record.erase("timing");
      lines.push_back(record.dump());
    }
    return lines;
  }
  std::multiset<std::string> result_set(const std::string& folder) const {
    const auto lines = results(folder);
    return {lines.begin(), lines.end()};
  }
  /// Returns the values of a member of all records.
  std::set<std::string> values(const std::string& folder, const std::string& place) const {
    std::set<std::string> found;
    for (const std::string& line : results(folder))
      found.insert(Json::parse(line).at(Json::json_pointer(place)).dump());
    return found;
  }
  static std::string without_times(const std::string& tables) {
    return tables.substr(0, tables.find("### Training time"));
  }
  static std::string lines(const std::vector<std::string>& all, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += all[i] + "\n";
    return text;
  }
};

TEST_F(Run, OneSeedGivesEqualBytes) {
  ASSERT_EQ(run_into("a", "small.json", {"--jobs", "1"}).code, 0);
  ASSERT_EQ(run_into("b", "small.json", {"--jobs", "1"}).code, 0);

  EXPECT_EQ(lines_of(read("a/records.jsonl")).size(), 12u);
  EXPECT_EQ(read("a/records.jsonl"), read("b/records.jsonl"));
  for (const auto& file : fs::directory_iterator(work() / "a/tables")) {
    EXPECT_EQ(content_of(file), read("b/tables" / file.path().filename())) << file;
  }
}

TEST_F(Run, AnotherSeedGivesOtherResults) {
  ASSERT_EQ(small_run().code, 0);
  ASSERT_EQ(run_into("b", "small.json", {"--seed", "4"}).code, 0);
  ASSERT_EQ(run_into("c", "small.json", {"--seed", "3"}).code, 0);

  EXPECT_NE(result_set("a"), result_set("b"));
  EXPECT_EQ(result_set("a"), result_set("c"));
}

TEST_F(Run, ThreadsDoNotChangeABit) {
  ASSERT_EQ(larger_run().code, 0);
  ASSERT_EQ(run_into("two", "larger.json", {"--threads", "2", "--jobs", "1"}).code, 0);

  EXPECT_EQ(results("one"), results("two"));
}

TEST_F(Run, JobsDoNotChangeABit) {
  const Outcome one = larger_run();
  const Outcome two = run_into("two", "larger.json", {"--jobs", "2"});

  EXPECT_EQ(result_set("one").size(), 24u);
  EXPECT_EQ(result_set("one"), result_set("two"));
  EXPECT_EQ(one.out, two.out) << "tables do not depend on the order in which trials finish";
}

/// A config with all computations of condition numbers, at sizes where OpenBLAS depends on addresses.
Json config_with_conditions() {
  return Json::parse(R"({
    "name": "conditions",
    "seed": 1,
    "data": {"set": "friedman1", "samples": 200},
    "split": {"kind": "k_fold", "folds": 2},
    "model": {"ridge": 1e-3, "reference": "qr"},
    "cases": {
      "grown": {"model": {
        "family": "elm", "algorithms": ["standard", "panel"],
        "nodes": {"start": 280, "stop": 300, "report": [280, 300]}
      }},
      "normal": {"model": {
        "family": "elm", "algorithms": ["standard"], "nodes": {"start": 300, "stop": 300}, "reference": "cholesky"
      }},
      "broad": {"model": {
        "family": "bls", "algorithms": ["orig", "chol-1"],
        "features": {"groups": 4, "nodes": 10},
        "enhancement": {"nodes": 260},
        "growth": {"updates": 1, "feature_groups": 1, "enhancement_of_added": 30, "enhancement": 60}
      }}
    }
  })");
}

/// Returns the OpenBLAS kernels whose sums depend most on addresses, among those that the CPU supports.
std::string kernel_that_depends_on_addresses() {
  if (cpu_has_avx512()) return "SkylakeX";
  return __builtin_cpu_supports("avx2") ? "Haswell" : "";
}

TEST_F(Run, BusyMachinesDoNotChangeABit) {
  write("conditions.json", config_with_conditions().dump());
  const Environment environment{{"OPENBLAS_CORETYPE", kernel_that_depends_on_addresses()}};
  ASSERT_EQ(run_into("first", "conditions.json", {"--threads", "1", "--jobs", "1"}, environment).code, 0);
  const auto first = result_set("first");
  EXPECT_EQ(first.size(), 10u);

  const std::jthread busy_loop([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
    }
  });
  for (const std::string count : {"1", "2", "3"}) {
    const Outcome outcome =
        run_into("again", "conditions.json", {"--threads", count, "--jobs", count, "--force"}, environment);

    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(result_set("again"), first) << count << " threads";
  }
}

TEST_F(Run, KilledRunsResumeToTheSameRecords) {
  const Outcome whole = small_run();
  fs::copy(work() / "a", work() / "killed", fs::copy_options::recursive);
  const auto all = lines_of(read("killed/records.jsonl"));
  for (const std::string& end : {all[5].substr(0, all[5].size() / 2), std::string(), all[5]}) {
    write("killed/records.jsonl", lines(all, 5) + end);  // the last line has no '\n'

    const Outcome resumed = run_into("killed", "small.json", {"--resume"});

    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_NE(resumed.err.find("12 trials, 5 finished before"), std::string::npos) << resumed.err;
    EXPECT_EQ(result_set("killed"), result_set("a"));
    EXPECT_EQ(without_times(resumed.out), without_times(whole.out));
  }
}

TEST_F(Run, ResumingFinishedOrNewRunsIsNoError) {
  const Outcome whole = run_into("a", "small.json", {"--resume"});
  EXPECT_EQ(whole.code, 0);
  const std::string records = read("a/records.jsonl");

  const Outcome again = run_into("a", "small.json", {"--resume"});

  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.out, whole.out);
  EXPECT_EQ(read("a/records.jsonl"), records);
}

TEST_F(Run, ForceRemovesTablesOfTheOldRun) {
  ASSERT_EQ(small_run().code, 0);
  ASSERT_TRUE(exists("a/tables/classification.md"));
  write("smallest.json", smallest_config().dump());

  ASSERT_EQ(run_into("a", "smallest.json", {"--force"}).code, 0);

  EXPECT_EQ(results("a").size(), 1u);
  EXPECT_FALSE(exists("a/tables/classification.md"));
  EXPECT_TRUE(exists("a/tables/regression.md"));
}

TEST_F(Run, TablesGoToStdoutAndProgressToStderr) {
  const Outcome outcome = small_run();

  const auto said = lines_of(outcome.err);
  ASSERT_EQ(said.size(), 4u) << outcome.err;
  EXPECT_TRUE(said[0].starts_with("friedman1: 60 rows, 10 inputs, ")) << said[0];
  EXPECT_TRUE(said[1].starts_with("two_moons: 60 rows, 2 inputs, ")) << said[1];
  EXPECT_TRUE(said[2].starts_with("12 trials, ")) << said[2];
  EXPECT_NE(said[3].find("a/tables/confusion.md"), std::string::npos) << said[3];
  // Sentences on the methods come first, then tables.
  const std::size_t tables = outcome.out.find("### ");
  ASSERT_NE(tables, std::string::npos);
  EXPECT_FALSE(outcome.out.starts_with("### "));
  for (const std::string& line : lines_of(outcome.out.substr(tables))) {
    const bool of_a_table = line.empty() || line.starts_with("|") || line.starts_with("### ");
    EXPECT_TRUE(of_a_table || line.find("  ") != std::string::npos) << line;  // a note ends with two blanks
  }
  EXPECT_TRUE(exists("a/log.txt"));
  EXPECT_TRUE(Json::accept(read("a/experiment.json")));
}

TEST_F(Run, TablesAreStoredInEveryFormat) {
  const Outcome outcome = small_run();

  const Outcome table = run({"table", "a"});
  EXPECT_EQ(table.out, outcome.out);
  EXPECT_NE(table.err.find("a/tables/confusion.md"), std::string::npos) << "too long for a terminal";
  for (const std::string format : {"md", "csv", "tex"}) {
    std::string stored;
    for (const std::string name : {"errors", "regression", "classification", "time"}) {
      ASSERT_TRUE(exists("a/tables/" + name + "." + format)) << name << "." << format;
      stored += read("a/tables/" + name + "." + format) + "\n";
    }
    EXPECT_EQ(run({"table", "a", "--format", format}).out, stored) << format;
  }
  const Json printed = Json::parse(run({"table", "a", "--format", "json"}).out);
  EXPECT_EQ(printed[0], Json::parse(read("a/tables/errors.json")));
  EXPECT_NE(read("a/tables/errors.tex").find("\\begin{tabular}"), std::string::npos);
  EXPECT_EQ(run({"table", "a", "--format", "xml"}).code, 2);
}

TEST_F(Run, TablesOfRecordsAloneComeInNaturalOrder) {
  ASSERT_EQ(small_run().code, 0);
  fs::remove(work() / "a/experiment.json");
  const Outcome table = run({"table", "a"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_LT(table.out.find("| alg2 "), table.out.find("| standard "));

  write("a/experiment.json", "{}");
  refuses(3, {"table", "a"}, {"elmx: a/experiment.json: "});
}

TEST_F(Run, AClosedStdoutEndsNothing) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);  // like `| head -1`

  const Outcome outcome = finish(start({"run", "small.json", "-o", "a", "--fake-clock"}, {}, ends[1]));
  ::close(ends[1]);

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(results("a").size(), 12u);
  EXPECT_TRUE(exists("a/tables/time.json"));
}

TEST_F(Run, FullDiskUnderStdoutKeepsTheResults) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);

  const Outcome outcome = finish(start({"run", "small.json", "-o", "a", "--fake-clock"}, {}, full));
  ::close(full);

  EXPECT_EQ(outcome.code, 2);
  const std::string last = lines_of(outcome.err).back();
  EXPECT_TRUE(last.starts_with("elmx: ") && last.find("stdout") != std::string::npos) << outcome.err;
  EXPECT_EQ(results("a").size(), 12u);
  EXPECT_TRUE(exists("a/tables/time.json"));
}

TEST_F(Run, InterruptedRunsKeepRecordsAndResume) {
  write("long.json", R"({
    "repeats": 60,
    "split": {"kind": "holdout"},
    "data": {"set": "friedman1", "samples": 200},
    "model": {"algorithms": ["existing", "alg3"], "nodes": {"start": 2, "stop": 80}}
  })");
  const Arguments arguments{"run", "long.json", "-o", "a", "--fake-clock", "--jobs", "1"};
  const pid_t child = start(arguments);
  while (lines_of(read("a/records.jsonl")).size() < 2 && ::waitpid(child, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(child, SIGINT);
  const Outcome interrupted = finish(child);

  const std::size_t finished = results("a").size();
  EXPECT_EQ(interrupted.code, 130) << interrupted.err;
  EXPECT_EQ(interrupted.out, "");
  EXPECT_GE(finished, 2u);
  EXPECT_LT(finished, 120u);
  EXPECT_NE(interrupted.err.find("interrupted after " + std::to_string(finished) + " of 120 trials"), std::string::npos)
      << interrupted.err;

  EXPECT_EQ(run_into("a", "long.json", {"--resume"}).code, 0);
  EXPECT_EQ(run_into("b", "long.json").code, 0);
  EXPECT_EQ(result_set("a"), result_set("b"));
}

TEST_F(Run, FailedTrialsAreRowsBesideTheOthers) {
  Json config = small_config();
  config["model"]["algorithms"] = {"standard", "alg2"};
  config["cases"] = Json::parse(R"({
    "fine": {"data": {"set": "two_moons", "samples": 40}},
    "singular": {"data": {"set": "two_moons", "samples": 8}, "model": {"activation": "hardlim", "ridge": 0}}
  })");

  const Outcome outcome = run_into("a", write("config.json", config.dump()), {});

  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_EQ(results("a").size(), 8u);
  std::size_t failed = 0;
  for (const std::string& line : results("a")) {
    const Json record = Json::parse(line);
    if (record["case"] == "fine") {
      EXPECT_EQ(record["status"], "ok") << line;
    }
    failed += record["status"] != "ok";
  }
  EXPECT_GE(failed, 1u);
  EXPECT_NE(outcome.err.find(std::to_string(failed) + " of 8 trials failed"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("NA"), std::string::npos);
  EXPECT_EQ(run({"table", "a"}).out, outcome.out);
  EXPECT_EQ(run_into("a", "config.json", {"--resume"}).code, 4) << "what failed stays failed";
}

TEST_F(Run, CheckPassesOnSoundSolutions) {
  const Outcome outcome = run_into("a", "small.json", {"--check"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("check: 0 solutions"), std::string::npos) << outcome.err;
}

TEST_F(Run, TheQuickstartPassesItsCheck) {
  Arguments smaller{"--check"};
  for (const char* assignment :
       {"split.folds=2", "model.nodes={\"stop\":40}", "model.timing={}", "cases.regression.data.samples=500",
        "cases.classification.data.samples=500", "cases.broad.data.samples=1500", "cases.perceptron.data.samples=500",
        "cases.sequence.data.samples=200"})
    smaller.insert(smaller.end(), {"--set", assignment});
  const Outcome outcome = run_into("a", (source_dir() / "configs/quickstart.json").string(), smaller);

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("check: 0 solutions"), std::string::npos);
}

TEST_F(Run, DryRunPrintsThePlanAndWritesNothing) {
  const auto before = snapshot();

  const Outcome outcome = run({"run", "small.json", "-n"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("| regression     | friedman1 |      60 |    30 |"), std::string::npos) << outcome.out;
  EXPECT_EQ(snapshot(), before);
}

TEST_F(Run, ResultsGoToTheNamedFolder) {
  Json config = smallest_config();
  config["name"] = "named";
  write("config.json", config.dump());
  ASSERT_EQ(run({"run", "config.json"}).code, 0);
  EXPECT_EQ(results("out/named").size(), 1u);
}

TEST_F(Run, LaterConfigsAndThenAssignmentsOverride) {
  write("over.json", R"({"model": {"ridge": 0.5}, "seed": 8})");
  ASSERT_EQ(
      run({"run", "small.json", "over.json", "--set", "model.ridge=0.25", "--set", "split.folds=3", "-o", "a"}).code,
      0);

  const Json config = Json::parse(read("a/experiment.json"))["config"];
  EXPECT_EQ(config["seed"], 8);
  EXPECT_EQ(config["model"]["ridge"], 0.25);
  EXPECT_EQ(config["model"]["algorithms"].size(), 3u) << "objects are merged";
  EXPECT_EQ(values("a", "/fold"), (std::set<std::string>{"0", "1", "2"}));

  ASSERT_EQ(run({"run", "over.json", "small.json", "-o", "b"}).code, 0);
  EXPECT_EQ(Json::parse(read("b/experiment.json"))["config"]["model"]["ridge"], 0.1);
}

TEST_F(Run, SweepsGiveTheCartesianProduct) {
  Json config = smallest_config();
  config["model"]["ridge"] = {{"logspace", {-2, 0, 3}}};
  config["model"]["activation"] = {"tanh", "sigmoid"};

  ASSERT_EQ(run_into("a", write("config.json", config.dump())).code, 0);

  EXPECT_EQ(results("a").size(), 6u);
  EXPECT_EQ(values("a", "/point/~1model~1ridge"), (std::set<std::string>{"0.01", "0.1", "1.0"}));
  EXPECT_EQ(values("a", "/point/~1model~1activation"), (std::set<std::string>{"\"sigmoid\"", "\"tanh\""}));
  EXPECT_EQ(values("a", "/point").size(), 6u);
  EXPECT_EQ(values("a", "/key").size(), 6u);
  EXPECT_EQ(run({"table", "a"}).out, run_into("a", "config.json", {"--resume"}).out);
}

TEST_F(Run, CasesAreLaidOverTheRest) {
  ASSERT_EQ(small_run().code, 0);

  EXPECT_EQ(values("a", "/case"), (std::set<std::string>{"\"classification\"", "\"regression\""}));
  const Json resolved = Json::parse(read("a/experiment.json"))["resolved"];
  ASSERT_EQ(resolved.size(), 2u);
  EXPECT_EQ(resolved[0]["options"]["data"]["set"], "friedman1");
  EXPECT_EQ(resolved[1]["options"]["data"]["set"], "two_moons");
  EXPECT_EQ(resolved[1]["options"]["model"]["ridge"], 0.1);
}

TEST_F(Run, OnesOwnFileWithAHeader) {
  std::string rows = "width,colour,height\n";
  for (int i = 0; i < 20; ++i)
    rows += std::to_string(i) + "," + (i % 3 == 0 ? "red" : "blue") + "," + std::to_string(2 * i) + "\n";
  Json config = smallest_config();
  config["data"] = {{"path", write("own.csv", rows)}, {"target", {"height"}}, {"nominal", {"colour"}}};

  ASSERT_EQ(run_into("a", write("config.json", config.dump())).code, 0);

  const Json data = Json::parse(read("a/experiment.json"))["data"]["own.csv"];
  EXPECT_EQ(data["samples"], 20);
  EXPECT_EQ(data["inputs"], 3);
  EXPECT_EQ(data["sha256"].size(), 1u);
}

TEST_F(Run, ComparedWithItselfNothingDiffers) {
  ASSERT_EQ(small_run().code, 0);

  const Outcome outcome = run({"compare", "a", "a"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("24 pairs of steps; without a partner: 0 of A, 0 of B"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("higher"), std::string::npos);
  EXPECT_EQ(outcome.out.find("lower"), std::string::npos);
}

TEST_F(Run, PlanCountsTrialsAndTouchesNothing) {
  const auto before = snapshot();

  const Outcome outcome = run({"plan", "small.json"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("12 trials; peak memory "), std::string::npos) << outcome.out;
  EXPECT_EQ(snapshot(), before);
}

}  // namespace
}  // namespace elmx
