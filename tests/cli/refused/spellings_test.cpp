#include "cli/program.hpp"

namespace elmx {
namespace {

/// Alternative spellings in configs, and calls from other folders.
class Spellings : public ProgramTest {
 protected:
  void SetUp() override {
    std::string rows = "x,y\n";
    for (int i = 0; i < 40; ++i) rows += std::to_string(i) + "," + std::to_string(i * i % 13) + "\n";
    write("study/own.csv", rows);
  }

  /// Returns records without their times, of `elmx run` into a folder of its own.
  std::string records_of(const std::string& config, const std::string& folder) {
    write("study/c.json", config);
    const Outcome outcome = run({"run", "study/c.json", "-o", folder, "--fake-clock"});
    EXPECT_EQ(outcome.code, 0) << config << outcome.err;
    return outcome.code == 0 ? read(folder + "/records.jsonl") : "";
  }
};

TEST_F(Spellings, ShortFormsAreTheLongOnes) {
  const std::string written_out = records_of(R"({"data": {"path": "own.csv", "target": ["y"]},
    "model": {"algorithms": ["panel"], "nodes": {"start": 2, "stop": 9, "report": [9]}}})",
                                             "long");
  EXPECT_EQ(records_of(R"({"$schema": "elmx.schema.json", "data": {"path": "own.csv", "target": "y"},
    "model": {"algorithms": "panel", "nodes": 9}})",
                       "short"),
            written_out);
  EXPECT_EQ(records_of(R"({"data": {"path": "own.csv", "target": "y"},
    "model": {"algorithms": "panel", "nodes": {"report": 9}}})",
                       "report"),
            written_out);

  const std::string two = records_of(R"({"data": {"path": "own.csv", "target": ["y"]},
    "model": {"algorithms": ["panel"], "nodes": {"start": 1, "stop": 9, "report": [1, 9]}}})",
                                     "two");
  EXPECT_EQ(records_of(R"({"data": {"path": "own.csv", "target": "y"}, "model": {"algorithms": "panel",
    "nodes": [1, 9]}})",
                       "list"),
            two);
  EXPECT_NE(two, written_out) << "the judge";
}

TEST_F(Spellings, WrongShortFormsAreRefused) {
  write("study/c.json", R"({"data": {"path": "own.csv", "target": "y"}, "model": {"algorithms": "panel"}})");
  const auto refused_at = [&](const std::string& nodes, const std::string& place) {
    refuses(2, {"run", "study/c.json", "--set", "model.nodes=" + nodes}, {"elmx: --set: " + place + ": "});
  };
  refused_at("0", "model.nodes");
  refused_at("[5, 2.5]", "model.nodes[1]");
  refused_at("many", "model.nodes");
}

TEST_F(Spellings, PathsAreRelativeToTheConfig) {
  write("study/first.json", R"({"data": {"path": "own.csv", "target": "y"}, "model": {"nodes": 5}})");
  ASSERT_EQ(run({"validate", "study/first.json"}).code, 0);

  const Outcome outcome = run({"run", "study/first.json"});

  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(exists("out/first/records.jsonl"));
  EXPECT_EQ(run({"run", "out/first/experiment.json", "-o", "again"}).code, 0);

  // This file is merged into the config; its path is relative to its own folder.
  write("other.json", R"({"data": {"path": "own.csv"}})");
  const Outcome beside = run({"run", "study/first.json", "other.json"});
  EXPECT_EQ(beside.code, 3);
  EXPECT_NE(beside.err.find("elmx: own.csv: "), std::string::npos) << beside.err;
  EXPECT_EQ(run({"run", "study/first.json", "--set", "data.path=study/own.csv", "-o", "set"}).code, 0)
      << "a path of the command line begins where it is typed";
}

TEST_F(Spellings, SecondRunResumesOrNamesTheChange) {
  write("study/first.json", R"({"data": {"path": "own.csv", "target": "y"}, "model": {"nodes": 5}})");
  const Outcome first = run({"run", "study/first.json"});
  const auto files = snapshot();

  const Outcome second = run({"run", "study/first.json"});

  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(snapshot().at("out/first/records.jsonl"), files.at("out/first/records.jsonl")) << "nothing ran again";
  refuses(6, {"run", "study/first.json", "--set", "model.nodes=6"},
          {"elmx: out/first: ", "stop", "5", "6", "--force", "-o"});
}

}  // namespace
}  // namespace elmx
