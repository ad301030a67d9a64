#include <regex>

#include "cli/program.hpp"

namespace elmx {
namespace {

/// A sweep of 24 trials in 12 tasks: 2 data sets, 2 activations, 3 folds; a task has 2 algorithms.
Json small_sweep() {
  return Json::parse(R"({
    "name": "sweep", "seed": 5, "data": [{"set": "friedman1", "samples": 200}, {"set": "sinc", "samples": 100}],
    "split": {"folds": 3},
    "model": {"algorithms": ["standard", "panel"], "activation": ["sigmoid", "tanh"], "nodes": {"stop": 30, "report": [10, 30]}}
  })");
}

class Shards : public ProgramTest {
 protected:
  void SetUp() override { write("sweep.json", small_sweep().dump()); }

  static Arguments shard(const std::string& which, const std::string& folder, const Arguments& more = {}) {
    Arguments arguments{"run", "sweep.json", "--shard", which, "-o", folder, "--fake-clock"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  void run_shards(const std::string& folder, int of, const Arguments& more = {}) const {
    for (int i = 1; i <= of; ++i) {
      const Outcome outcome = run(shard(std::to_string(i) + "/" + std::to_string(of), folder, more));
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(outcome.out, "") << "the tables of a part";
    }
  }
  /// Runs the whole sweep on one machine.
  std::string run_whole(const Arguments& more = {}) const {
    Arguments arguments{"run", "sweep.json", "-o", "whole", "--fake-clock"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(arguments).code, 0);
    return read("whole/records.jsonl");
  }
  /// Runs the unchanged sweep on one machine, and in two parts. Returns the records of one machine.
  std::string run_whole_and_two_shards() const {
    prepared("whole and parts", [&] {
      run_whole();
      run_shards("parts", 2);
      return Outcome{};
    });
    return read("whole/records.jsonl");
  }
  /// Runs a sweep of one data set that selects and keeps models: whole, and in three unmerged parts.
  void run_selecting_sweep() const {
    prepared("selecting", [&] {
      Json config = small_sweep();
      config["data"] = {{"set", "friedman1"}, {"samples", 200}};
      config["select"] = {{"by", "loo_mse"}};
      config["save_model"] = true;
      write("sweep.json", config.dump());
      run_whole();
      run_shards("parts", 3);
      return Outcome{};
    });
  }
  /// Returns all files in a folder by name, except descriptions of runs and their logs.
  std::map<std::string, std::string> results(const std::string& folder) const {
    std::map<std::string, std::string> files;
    for (const auto& [name, content] : snapshot()) {
      const bool of_folder = name.starts_with(folder + "/") && content != "folder";
      const std::string file = of_folder ? name.substr(folder.size() + 1) : "";
      const bool of_run =
          file == "experiment.json" || file == "log.txt" || file == ".elmx-files" || file == "no_model.json";
      if (of_folder && !of_run && !file.starts_with("shard-")) files[file] = content;
    }
    return files;
  }
};

TEST_F(Shards, MergedAreTheRunOfOneMachine) {
  Json config = small_sweep();
  config["save_model"] = true;
  write("sweep.json", config.dump());
  run_whole();
  run_shards("parts", 3);

  const Outcome merged = run({"merge", "parts", "-o", "merged"});

  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(results("merged"), results("whole")) << "records, tables, networks, plots";
  EXPECT_EQ(results("merged").count("records.jsonl"), 1u);
  EXPECT_EQ(run({"merge", "parts", "-o", "merged"}).code, 0) << "once more";
  EXPECT_EQ(results("merged"), results("whole"));
  EXPECT_EQ(run({"run", "sweep.json", "-o", "merged", "--fake-clock"}).code, 0) << "goes on, with nothing to do";
  EXPECT_EQ(results("merged"), results("whole"));
  const auto tables_of = [&](const std::string& folder) {
    return std::regex_replace(run({"table", folder}).out, std::regex("(report|-o) " + folder), "$1 DIR");
  };
  EXPECT_EQ(tables_of("merged"), tables_of("whole"));
}

// Models that a run trains after its trials are trained after the merge.
TEST_F(Shards, MergedRunsTrainTheirModels) {
  run_selecting_sweep();
  ASSERT_EQ(run({"merge", "parts"}).code, 0);
  refuses(3, {"predict", "parts", "friedman1"}, {"elmx: parts: ", "elmx run parts/experiment.json -o parts\n"});

  EXPECT_EQ(run({"run", "parts/experiment.json", "-o", "parts", "--fake-clock"}).code, 0);

  EXPECT_EQ(results("parts"), results("whole"));
  EXPECT_EQ(results("parts").count("model.h5"), 1u);
}

TEST_F(Shards, RunSideBySideInOneFolder) {
  const std::string whole = run_whole();
  std::vector<pid_t> children;
  for (const char* which : {"1/4", "2/4", "3/4", "4/4", "1/4"}) children.push_back(start(shard(which, "parts")));
  int refused = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    refused += WEXITSTATUS(status) == 6;
    EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 6) << WEXITSTATUS(status);
  }
  EXPECT_LE(refused, 1) << "of two runs of one shard";

  EXPECT_EQ(run({"merge", "parts"}).code, 0);
  EXPECT_EQ(read("parts/records.jsonl"), whole);
}

TEST_F(Shards, SeparateFoldersMergeInAnyOrder) {
  const std::string whole = run_whole();
  for (const char* which : {"1/3", "2/3", "3/3"}) ASSERT_EQ(run(shard(which, std::string("on") + which[0])).code, 0);

  EXPECT_EQ(run({"merge", "on3", "on1/shard-1-of-3", "on2", "-o", "merged"}).code, 0);

  EXPECT_EQ(read("merged/records.jsonl"), whole);
  refuses(2, {"merge", "on3", "on1", "on2"}, {"elmx: merge: ", "-o DIR"});
}

TEST_F(Shards, ShardsWithoutTasksMayBeMissing) {
  const Arguments few{"--set", "split={\"kind\":\"holdout\"}"};
  const std::string whole = run_whole(few);
  run_shards("parts", 5, few);
  EXPECT_EQ(read("parts/shard-5-of-5/records.jsonl"), "");
  fs::remove_all(work() / "parts/shard-5-of-5");

  EXPECT_EQ(run({"merge", "parts"}).code, 0);
  EXPECT_EQ(read("parts/records.jsonl"), whole);
}

TEST_F(Shards, AWrongNumberIsRefused) {
  for (const char* wrong : {"0/4", "5/4", "a/b", "4", "1/0"})
    refuses(2, shard(wrong, "parts"), {"elmx: --shard: ", wrong, "I/N"});
  refuses(2, shard("1/4", "parts", {"--check"}), {"elmx: --check: ", "--shard"});
}

TEST_F(Shards, MissingShardsAreNamedWithTheirCommand) {
  for (const char* which : {"1/4", "3/4"}) ASSERT_EQ(run(shard(which, "parts")).code, 0);

  refuses(3, {"merge", "parts"}, {"2, 4 of 4", "12 trials", "run sweep.json --shard 2/4 -o parts --fake-clock"});
  refuses(3, {"merge", "sweep.json", "-o", "merged"}, {"elmx: sweep.json: "});
  refuses(3, {"table", "parts"}, {"elmx: parts: ", "elmx merge parts"});
}

TEST_F(Shards, DoubledOnesAreNamed) {
  run_whole_and_two_shards();
  ASSERT_EQ(run(shard("2/2", "again")).code, 0);

  refuses(3, {"merge", "parts", "again", "-o", "merged"}, {"shard 2 of 2", "parts/shard-2-of-2", "again/shard-2-of-2"});
}

TEST_F(Shards, ForeignOnesAreNamedWithWhatDiffers) {
  ASSERT_EQ(run(shard("1/2", "parts")).code, 0);
  const auto foreign = [&](const Arguments& more, const std::string& what, const std::string& which = "2/2") {
    ASSERT_EQ(run(shard(which, "other", more)).code, 0);
    refuses(3, {"merge", "parts", "other", "-o", "merged"}, {"elmx: other/shard-", "parts/shard-1-of-2", what});
    fs::remove_all(work() / "other");
  };
  foreign({"--set", "model.ridge=0.5"}, "ridge");
  foreign({"--seed", "6"}, "seed");
  foreign({}, "shard 2 of 3", "2/3");

  write("d.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n5,1\n6,2\n");
  const Arguments of_file{"--set", "data={\"path\":\"d.csv\",\"target\":\"y\"}"};
  fs::remove_all(work() / "parts");
  ASSERT_EQ(run(shard("1/2", "parts", of_file)).code, 0);
  write("d.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n5,1\n6,3\n");
  foreign(of_file, "d.csv");
}

TEST_F(Shards, OfAnotherProgramAreMergedOnlyByForce) {
  const std::string whole = run_whole_and_two_shards();
  Json experiment = Json::parse(read("parts/shard-2-of-2/experiment.json"));
  experiment["elmx"]["computed"] = 1;
  write("parts/shard-2-of-2/experiment.json", experiment.dump());

  refuses(3, {"merge", "parts"}, {"program", "computed", "--force"});
  EXPECT_EQ(run({"merge", "parts", "--force"}).code, 0);
  EXPECT_EQ(read("parts/records.jsonl"), whole);
}

TEST_F(Shards, InterruptedShardsAreNamedWithTheirCommand) {
  const std::string whole = run_whole_and_two_shards();
  const std::string all = read("parts/shard-2-of-2/records.jsonl");
  const std::size_t torn = all.rfind('\n', all.size() - 2) + 20;
  write("parts/shard-2-of-2/records.jsonl", all.substr(0, torn));

  refuses(3, {"merge", "parts"},
          {"elmx: parts/shard-2-of-2: ", "1 of 12 trials", "run sweep.json --shard 2/2 -o parts --fake-clock"});
  EXPECT_NE(run({"table", "parts/shard-2-of-2"}).err.find("11 of 12 trials"), std::string::npos);

  const Outcome resumed = run(shard("2/2", "parts", {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_NE(resumed.err.find("shard 2 of 2: 12 trials, 11 finished before"), std::string::npos) << resumed.err;
  EXPECT_EQ(run({"merge", "parts"}).code, 0);
  EXPECT_EQ(read("parts/records.jsonl"), whole);
}

TEST_F(Shards, ADamagedRecordIsNamed) {
  run_whole_and_two_shards();
  std::string all = read("parts/shard-2-of-2/records.jsonl");
  write("parts/shard-2-of-2/records.jsonl", all.replace(all.find("\"status\""), 8, "\"statue\""));
  refuses(3, {"merge", "parts"}, {"elmx: parts/shard-2-of-2/records.jsonl:", "1"});
}

TEST_F(Shards, OneThatIsRunningIsNotMerged) {
  Json config = long_training();
  config["split"] = {{"folds", 2}};
  write("sweep.json", config.dump());
  const pid_t child = start(shard("1/1", "parts"));
  while (!exists("parts/shard-1-of-1/log.txt")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child, SIGSTOP);  // the stopped shard writes nothing, but keeps its lock
  ASSERT_EQ(::waitpid(child, nullptr, WUNTRACED), child);
  refuses(6, {"merge", "parts", "-o", "merged"}, {"elmx: parts/shard-1-of-1: "});
  ::kill(child, SIGKILL);
  finish(child);
}

TEST_F(Shards, DamagedDescriptionsAreRefused) {
  run_whole_and_two_shards();
  const std::string file = "parts/shard-2-of-2/experiment.json";
  const Json good = Json::parse(read(file));
  const Json places = good.at("/shard/trials"_json_pointer);
  const std::string first = "/shard/trials/" + places.begin().key();
  const std::vector<std::pair<std::string, Json>> changes{{"/shard/number", 0},
                                                          {"/shard/number", 99},
                                                          {"/shard/of", 4000000000},
                                                          {first, 24},
                                                          {first, std::next(places.begin()).value()}};
  for (const auto& [place, value] : changes) {
    Json damaged = good;
    damaged[Json::json_pointer(place)] = value;
    write(file, damaged.dump());
    refuses(3, {"merge", "parts", "-o", "merged"}, {"elmx: " + file + ": "});
  }
}

TEST_F(Shards, MissingNetworksAreRefused) {
  for (const Json& saved : {Json(true), Json("updatable")}) {
    Json config = small_sweep();
    config["save_model"] = saved;
    write("sweep.json", config.dump());
    const std::string parts = "parts " + saved.dump();
    run_shards(parts, 2);
    const fs::path network = fs::directory_iterator(work() / parts / "shard-1-of-2/models")->path();
    const std::string place = "elmx: " + fs::relative(network, work()).string() + ": ";

    fs::remove(network);
    refuses(3, {"merge", parts, "-o", "merged"}, {place, "--shard 1/2"});
    fs::create_directory(network);
    refuses(3, {"merge", parts, "-o", "merged"}, {place, "--shard 1/2"});
  }
}

TEST_F(Shards, OtherResultsAreNotReplaced) {
  run_whole_and_two_shards();
  ASSERT_EQ(run({"run", "sweep.json", "-o", "mine", "--seed", "7"}).code, 0);
  refuses(6, {"merge", "parts", "-o", "mine"}, {"elmx: mine: ", "seed"});
}

TEST_F(Shards, TablesOfAShardSaySo) {
  run_shards("parts", 3);
  const std::string remark = "shard 2 of 3: 8 of 24 trials";
  EXPECT_NE(read("parts/shard-2-of-3/tables/regression.md").find(remark), std::string::npos);
  const Outcome table = run({"table", "parts/shard-2-of-3"});
  EXPECT_NE(table.out.find(remark), std::string::npos) << table.out;
  EXPECT_NE(table.err.find("8 of 24 trials"), std::string::npos) << table.err;
  ASSERT_EQ(run({"report", "parts/shard-2-of-3"}).code, 0);
  const std::string page = read("parts/shard-2-of-3/report.html");
  EXPECT_NE(page.find(remark), std::string::npos);
}

TEST_F(Shards, AFailedTrialIsMergedAndCounted) {
  Json config = small_sweep();
  config["data"] = {{"set", "sinc"}, {"samples", 100}};
  config["model"]["ridge"] = {1e-3, 0};
  config["model"]["nodes"] = {{"stop", 60}};
  write("sweep.json", config.dump());
  const Outcome whole = run({"run", "sweep.json", "-o", "whole", "--fake-clock"});
  ASSERT_EQ(whole.code, 4) << whole.err;
  for (const char* which : {"1/3", "2/3", "3/3"}) run(shard(which, "parts"));
  const Outcome merged = run({"merge", "parts"});
  EXPECT_EQ(merged.code, 4) << merged.err;
  EXPECT_EQ(read("parts/records.jsonl"), read("whole/records.jsonl"));
}

// A machine failure is repaired in the shard: merged again, the trial is successful.
TEST_F(Shards, RetriedTrialsReplaceTheirFailure) {
  for (const char* which : {"1/2", "2/2"}) ASSERT_EQ(run(shard(which, "parts")).code, 0);
  const std::string file = "parts/shard-1-of-2/records.jsonl", good = read(file), ok = R"("status":"ok")";
  std::string failed = good;
  write(file, failed.replace(failed.find(ok), ok.size(), R"("status":"out of memory")"));
  ASSERT_EQ(run({"merge", "parts", "-o", "merged"}).code, 4);
  ASSERT_EQ(run(shard("1/2", "parts", {"--retry-failed"})).code, 0);

  EXPECT_EQ(run({"merge", "parts", "-o", "merged"}).code, 0);
  EXPECT_EQ(read("merged/records.jsonl").find("out of memory"), std::string::npos);
}

// Models were trained between two merges: the models of the first merge are not the models of the second.
TEST_F(Shards, RetriedTrialsJoinTheChoice) {
  run_selecting_sweep();
  const auto go_on = [&] { return run({"run", "parts/experiment.json", "-o", "parts", "--fake-clock"}).code; };
  ASSERT_EQ(run({"merge", "parts"}).code, 0);
  ASSERT_EQ(go_on(), 0);
  const std::string network = fs::directory_iterator(work() / "parts/models")->path().stem().string();
  const std::string chosen = network.substr(network.rfind('-') + 1), ok = R"("status":"ok")";
  std::map<std::string, std::string> good;
  for (const char* part : {"parts/shard-1-of-3", "parts/shard-2-of-3", "parts/shard-3-of-3"}) {
    const std::string file = std::string(part) + "/records.jsonl";
    std::string text = good[file] = read(file);
    const std::size_t at = text.find(chosen);
    if (at != std::string::npos) text.replace(text.find(ok, at), ok.size(), R"("status":"out of memory")");
    write(file, text);
  }
  fs::remove_all(work() / "parts/records.jsonl");
  ASSERT_EQ(run({"merge", "parts"}).code, 4);
  go_on();
  for (const auto& [file, text] : good) write(file, text);

  ASSERT_EQ(run({"merge", "parts"}).code, 0);

  EXPECT_FALSE(exists("parts/model.h5")) << "it was chosen among other trials";
  EXPECT_EQ(go_on(), 0);
  EXPECT_EQ(results("parts"), results("whole"));
}

TEST_F(Shards, SlurmScriptFollowsThePlan) {
  const Outcome outcome = run({"slurm", "sweep.json", "--set", "model.ridge=[0.1, 1]", "--shards", "4", "--at-once",
                               "2", "--partition", "short", "--account", "me", "--threads", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part :
       {"\nshards=4\n", "\nat_once=2\n", " --cpus-per-task=1 ", " --partition=short\n", " --account=me\n",
        "/out/sweep  # results\n", "\nrun=(sweep.json --set 'model.ridge=[0.1, 1]' -o \"$folder\")",
        " --array=\"1-$shards%$at_once\"", " --requeue ", " --open-mode=append ", " --signal=B:TERM@120 ",
        " --dependency=afterok:\"$array\" "})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
  EXPECT_FALSE(exists("out"));

  refuses(2, {"slurm", "sweep.json", "--shards", "13"}, {"elmx: --shards: ", "12", "13"});
  refuses(2, {"slurm", "sweep.json", "-o", "a\\b"}, {"elmx: -o: ", "/a\\b"});
}

}  // namespace
}  // namespace elmx
