#include <gtest/gtest.h>
#include <sys/file.h>

#include "cli/program.hpp"

namespace elmx {
namespace {

class RefusedCommand : public ProgramTest {
 protected:
  void SetUp() override {
    Json config = smallest_config();
    config["seed"] = 1;
    write("config.json", config.dump());
  }
};

TEST_F(RefusedCommand, AnUnknownVerbComesWithTheNearest) {
  refuses(2, {"rum", "config.json"}, {"\"rum\"", "\"run\""});
  refuses(2, {"frobnicate"}, {"\"frobnicate\"", "elmx help"});
  refuses(2, {"data", "verifi"}, {"elmx: data: ", "\"verifi\"", "\"verify\""});
}

TEST_F(RefusedCommand, NoVerb) {
  refuses(2, {"data"}, {"elmx: data: ", "info, fetch, convert, verify", "elmx data --help"});
}

TEST_F(RefusedCommand, AnUnknownOptionComesWithTheNearest) {
  refuses(2, {"run", "config.json", "--job", "2"}, {"elmx: run: --job: ", "\"--jobs\"", "elmx run --help"});
  refuses(2, {"run", "config.json", "--outputt=x"}, {"elmx: run: --outputt: ", "\"--output\""});
  refuses(2, {"validate", "config.json", "--whatever-this-is"},
          {"elmx: validate: --whatever-this-is: ", "elmx validate --help"});
}

TEST_F(RefusedCommand, AMissingArgument) {
  refuses(2, {"run"}, {"elmx: run: CONFIG ", "elmx run --help"});
  refuses(2, {"data", "info"}, {"elmx: data info: NAME "});
  refuses(2, {"compare"}, {"DIR"});
  refuses(2, {"run", "config.json", "--set"}, {"elmx: run: --set: "});
  refuses(2, {"--threads"}, {"elmx: --threads: "});
}

TEST_F(RefusedCommand, OptionsThatDoNotGoTogether) {
  refuses(2, {"predict", "model.h5", "x.csv", "--metrics-only", "-o", "y.csv"}, {"--metrics-only", "--output"});
  refuses(2, {"predict", "model.h5", "--part", "test", "--no-targets"}, {"--no-targets", "--part"});
}

TEST_F(RefusedCommand, AnArgumentTooMany) { refuses(2, {"schema", "more"}, {"elmx: schema: ", "\"more\""}); }

TEST_F(RefusedCommand, CountsThatAreNone) {
  for (const std::string option : {"--jobs", "--threads"}) {
    for (const std::string value : {"-1", "two", "1.5", "1000000"}) {
      refuses(2, {"run", "config.json", option, value}, {option + ": ", "from 0 to 1024", value});
    }
  }
  refuses(2, {"run", "config.json", "--seed", "one"}, {"elmx: --seed: seed: ", "\"one\""});
}

TEST_F(RefusedCommand, AnAssignmentWithoutAValue) {
  for (const char* assignment : {"model.ridge", "=1", "seed.x=1"})
    refuses(2, {"run", "config.json", "--set", assignment}, {"elmx: --set: ", assignment});
  refuses(2, {"run", "config.json", "--set", "model.rigde=1"}, {"elmx: --set: model.rigde: ", "\"ridge\""});
}

TEST_F(RefusedCommand, UnknownNames) {
  refuses(2, {"help", "rmsee"}, {"\"rmsee\"", "\"rmse\""});
  refuses(2, {"list", "algorithm"}, {"\"algorithm\"", "\"algorithms\""});
  refuses(2, {"data", "info", "iriss"}, {"\"iriss\"", "\"iris\""});
  refuses(2, {"reproduce", "elm-table99x"}, {"reproduce", "\"elm-table99x\""});
}

TEST_F(RefusedCommand, AResultsFolderThatCannotBe) {
  write("file", "in the way");

  refuses(2, {"run", "config.json", "-o", "file"}, {"elmx: file: "});
  refuses(2, {"run", "config.json", "-o", "file/below"}, {"elmx: file/below: "});
}

TEST_F(RefusedCommand, TablesOfNoResults) {
  write("empty/records.jsonl", "");
  write("damaged/records.jsonl", "{}\n");

  refuses(3, {"table", "nowhere"}, {"elmx: nowhere/records.jsonl: "});
  refuses(3, {"table", "empty"}, {"elmx: empty/records.jsonl: "});
  refuses(3, {"table", "damaged"}, {"elmx: damaged/records.jsonl:", "1: "});
  refuses(3, {"compare", "empty", "empty"}, {"elmx: empty/records.jsonl: "});
}

TEST_F(RefusedCommand, FilesInPlaceOfOthers) {
  const std::string rows = "x,y\n1,2\n2,3\n3,5\n4,4\n";
  write("d.csv", rows);
  write("d\xff.csv", rows);
  write("one.csv", "x,y\n1,2\n");
  fs::create_directories(work() / "folder");
  struct Case {
    int code;
    Arguments arguments;
    std::vector<std::string> parts;
  };
  for (const Case& one :
       std::vector<Case>{{2, {"run", "config.json", "--target", "y"}, {"elmx: config.json: ", "--target"}},
                         {2, {"run", "config.json", "--budget", "5"}, {"elmx: config.json: ", "--budget"}},
                         {2, {"run", "d.csv", "config.json", "--target", "y"}, {"elmx: config.json: ", "--target"}},
                         {2, {"run", "d.csv", "config.json"}, {"elmx: d.csv: ", "elmx init d.csv"}},
                         {2, {"plan", "d.csv"}, {"elmx: d.csv: ", "elmx init d.csv"}},
                         {2, {"validate", "iris"}, {"elmx: iris: ", "elmx init iris"}},
                         {2, {"run", "folder"}, {"elmx: folder: "}},
                         {3, {"merge", "nowhere"}, {"elmx: nowhere: "}},
                         {3, {"table", "folder"}, {"elmx: folder/records.jsonl: ", "out/NAME"}},
                         {2, {"init", "d.csv", "--target", "y", "-o", "folder"}, {"elmx: folder: ", "-o"}},
                         {2, {"init", "d\xff.csv", "--target", "y"}, {"UTF-8"}},
                         {3, {"init", "one.csv", "--target", "y"}, {"elmx: one.csv: "}}}) {
    refuses(one.code, one.arguments, one.parts);
  }
}

/// A results folder "results" of the smallest config, and forbidden operations on it.
class RefusedResume : public RefusedCommand {
 protected:
  void SetUp() override {
    RefusedCommand::SetUp();
    ASSERT_EQ(run({"run", "config.json", "-o", "results"}).code, 0);
  }
};

TEST_F(RefusedResume, ResultsOfAnotherConfigAreNotOverwritten) {
  refuses(6, {"run", "config.json", "-o", "results", "--set", "model.ridge=0.2"}, {"elmx: results: ", "--force", "-o"});
}

TEST_F(RefusedResume, ResultsOfAnotherConfigAreNotResumed) {
  refuses(6, {"run", "config.json", "-o", "results", "--resume", "--set", "model.ridge=0.2"},
          {"elmx: results: ", "ridge", "0.1", "0.2", "--force"});
  refuses(6, {"run", "config.json", "-o", "results", "--resume", "--seed", "9"}, {"elmx: results: ", "seed", "1", "9"});
  refuses(6, {"run", "config.json", "-o", "results", "--resume", "--set", "model.ridge=[0.2,1]"},
          {"elmx: results: ", "ridge", "0.1", "0.2"});
}

TEST_F(RefusedResume, TheCaseThatDiffersIsNamed) {
  write("small.json", small_config().dump());
  ASSERT_EQ(run({"run", "small.json", "-o", "two_cases"}).code, 0);

  refuses(6, {"run", "small.json", "-o", "two_cases", "--resume", "--set", "cases.classification.data.noise=0.5"},
          {"elmx: two_cases: ", "\"classification\"", "noise", "0.1", "0.5"});
}

TEST_F(RefusedResume, FoldersWithoutDescriptionAreNotResumed) {
  write("results/experiment.json", "{");
  refuses(6, {"run", "config.json", "-o", "results", "--resume"}, {"elmx: results: ", "experiment.json"});

  fs::remove(work() / "results/experiment.json");
  refuses(6, {"run", "config.json", "-o", "results", "--resume"}, {"elmx: results: ", "experiment.json"});
}

TEST_F(RefusedResume, ARunThatGoesOnKeepsItsFolder) {
  const int folder = ::open((work() / "results").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);

  refuses(6, {"run", "config.json", "-o", "results", "--force"}, {"elmx: results: ", "-o"});

  ::close(folder);
  EXPECT_EQ(run({"run", "config.json", "-o", "results", "--force"}).code, 0);
}

TEST_F(RefusedResume, TheFolderInPlaceOfItsConfig) {
  refuses(2, {"run", "results"}, {"elmx: results: ", "results/experiment.json"});

  Json experiment = Json::parse(read("results/experiment.json"));
  experiment["command"] = {{"folder", Json::parse("[[]]")}, {"line", 1}};
  write("results/experiment.json", experiment.dump());
  EXPECT_EQ(run({"run", "results/experiment.json", "-o", "results"}).code, 0) << "it says only where the run began";
}

TEST_F(RefusedResume, AModelOfAnUnfinishedRun) {
  ASSERT_EQ(run({"run", "config.json", "-o", "saved", "--set", "save_model=true"}).code, 0);
  ASSERT_TRUE(fs::remove(work() / "saved/model.h5"));

  refuses(3, {"predict", "saved", "config.json"}, {"elmx: saved: ", "elmx run saved/experiment.json -o saved"});
}

TEST_F(RefusedResume, ADamagedRecordIsNamedAndKept) {
  const std::string records = read("results/records.jsonl");
  write("results/records.jsonl", "x" + records + records);

  refuses(3, {"run", "config.json", "-o", "results", "--resume"}, {"elmx: results/records.jsonl:", "1: "});
}

}  // namespace
}  // namespace elmx
