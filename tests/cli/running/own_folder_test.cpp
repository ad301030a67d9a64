#include <regex>

#include "cli/shell.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

/// Runs into folders that hold files of the user.
class OwnFolder : public ShellTest {
 protected:
  void SetUp() override {
    Json config = smallest_config();
    config["save_model"] = true;
    write("c.json", config.dump());
    write("traced.json", R"({"data": {"set": "sinc", "samples": 60}, "split": {"kind": "holdout"},
      "model": {"family": "dec", "algorithms": ["dec"], "nodes": [3], "dec": {"report": [2]}}})");
  }
  void expect_kept(const std::map<std::string, std::string>& before) const {
    const auto now = snapshot();
    for (const auto& [name, content] : before) {
      EXPECT_TRUE(now.contains(name) && now.at(name) == content) << name;
    }
  }
};

TEST_F(OwnFolder, ForeignFilesStayWhateverIsRun) {
  for (const std::string name : {"states/x", "tables/mine.md", "models/mine.h5", "plots/mine.svg", "notes.txt"})
    write("proj/" + name, "mine\n");
  fs::create_directories(work() / "proj" / "plots" / "folder");
  const auto before = snapshot();

  for (const Arguments& more : {Arguments{}, {"--resume"}, {"--force"}, {"--resume", "--force"}}) {
    Arguments arguments{"run", "c.json", "-o", "proj"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_kept(before);
  }
}

TEST_F(OwnFolder, ForeignFilesInTheWayAreNamedFirst) {
  ASSERT_EQ(run_once({"run", "c.json", "-o", "o"}).code, 0);
  std::string model;
  for (const auto& file : fs::directory_iterator(work() / "o" / "models"))
    model = "models/" + file.path().filename().string();
  fs::remove_all(work() / "o");

  for (const std::string& name : {std::string("experiment.json"), std::string("records.jsonl"), std::string("log.txt"),
                                  std::string("tables/time.csv"), std::string("predictions.csv"), model}) {
    write("o/" + name, "mine\n");
    for (const Arguments& more : {Arguments{}, {"--force"}, {"--resume"}}) {
      Arguments arguments{"run", "c.json", "-o", "o"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      refuses(2, arguments, {"elmx: o/" + name + ": "});
    }
    fs::remove_all(work() / "o");
  }
  write("o/tables", "mine\n");
  refuses(2, {"run", "c.json", "-o", "o"}, {"elmx: o/tables: "});
}

TEST_F(OwnFolder, ForceRemovesOnlyFilesOfTheOldRun) {
  ASSERT_EQ(run({"run", "traced.json", "-o", "o"}).code, 0);
  ASSERT_EQ(run({"plot", "o"}).code, 0);
  ASSERT_EQ(run({"report", "o"}).code, 0);
  ASSERT_TRUE(exists("o/plots") && exists("o/report.html"));
  write("o/plots/mine.gp", "mine\n");
  write("o/tables/mine.md", "mine\n");

  ASSERT_EQ(run({"run", "c.json", "-o", "o", "--force"}).code, 0);

  EXPECT_FALSE(exists("o/report.html"));
  EXPECT_EQ(std::distance(fs::directory_iterator(work() / "o" / "plots"), fs::directory_iterator()), 1);
  EXPECT_EQ(read("o/plots/mine.gp"), "mine\n");
  EXPECT_EQ(read("o/tables/mine.md"), "mine\n");
  fs::remove_all(work() / "o" / "plots");
  fs::remove(work() / "o" / "tables" / "mine.md");
  ASSERT_EQ(run({"run", "c.json", "-o", "new"}).code, 0);
  const auto files = [&](const std::string& folder) {
    std::set<std::string> names;
    for (const auto& file : fs::recursive_directory_iterator(work() / folder))
      names.insert(fs::relative(file.path(), work() / folder).string());
    return names;
  };
  EXPECT_EQ(files("o"), files("new"));
}

TEST_F(OwnFolder, RunsLockTheirFolderToTheEnd) {
  write("bin/gnuplot", "#!/bin/sh\ntouch \"$WORK/drawing\"\nwhile [ ! -e \"$WORK/refused\" ]; do sleep 0.01; done\n");
  fs::permissions(work() / "bin" / "gnuplot", fs::perms::owner_all);

  const Outcome second = shell(
      "export WORK=$PWD PATH=$PWD/bin:$PATH; \"$E\" run traced.json -o o & while [ ! -e drawing ]; do sleep 0.01; "
      "done; "
      "\"$E\" run c.json -o o --force; code=$?; touch refused; wait; exit $code");

  EXPECT_EQ(second.code, 6) << second.err;
  EXPECT_EQ(run({"run", "c.json", "-o", "o", "--force"}).code, 0);
}

TEST_F(OwnFolder, FoldersWithoutFileListStay) {
  ASSERT_EQ(run_once({"run", "c.json", "-o", "o"}).code, 0);
  const std::string list = read("o/.elmx-files");
  fs::remove(work() / "o" / ".elmx-files");
  const auto before = snapshot();

  refuses(2, {"run", "c.json", "-o", "o", "--force"}, {"elmx: o/experiment.json: ", ".elmx-files"});

  EXPECT_EQ(snapshot(), before);
  write("o/.elmx-files", list);
  EXPECT_EQ(run({"run", "c.json", "-o", "o", "--resume"}).code, 0);
}

TEST_F(OwnFolder, FilesDamagedDuringARunAreRewritten) {
  write("long.json", R"({"repeats": 40, "seed": 3, "data": {"set": "friedman1", "samples": 500}, "split": {"folds": 2},
    "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 200, "report": [200]}}})");
  const auto stripped = [&](const std::string& folder) {
    std::vector<Json> records;
    for (const std::string& line : lines_of(read(folder + "/records.jsonl"))) {
      records.push_back(Json::parse(line));
      records.back().erase("timing");
    }
    return records;
  };
  ASSERT_EQ(run({"run", "long.json", "-o", "whole"}).code, 0);
  for (const std::string harm :
       {"rm o/records.jsonl", "truncate -s 100 o/records.jsonl", "rm -r o", "rm o/experiment.json"}) {
    const Outcome outcome = shell(
        "rm -rf o; \"$E\" run long.json -o o & p=$!; while ! grep -qs key o/records.jsonl; do sleep 0.005; done; " +
        harm + "; wait $p");
    EXPECT_EQ(outcome.code, 0) << harm << outcome.err;
    EXPECT_EQ(stripped("o"), stripped("whole")) << harm;
    EXPECT_TRUE(Json::parse(read("o/experiment.json")).contains("ended")) << harm;
    EXPECT_EQ(harm.find("records") == std::string::npos || outcome.err.find("o/records.jsonl: ") != std::string::npos,
              true)
        << outcome.err;
    EXPECT_EQ(run({"run", "long.json", "-o", "o", "--resume"}).code, 0) << harm;
  }

  const std::string replace = "cp o/records.jsonl r; echo mine >> r; mv r o/records.jsonl";
  const Outcome taken =
      shell("rm -rf o; \"$E\" run long.json -o o & p=$!; while ! grep -qs key o/records.jsonl; do sleep 0.005; done; " +
            replace + "; wait $p");
  EXPECT_EQ(taken.code, 2);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(taken.err, found, std::regex(R"(\S+/elmx-\w+-records\.jsonl)"))) << taken.err;
  const fs::path kept = found.str();
  EXPECT_GE(lines_of(content_of(kept)).size(), 1u);
  fs::remove(kept);
}

}  // namespace
}  // namespace elmx
