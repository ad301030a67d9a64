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
  refuses(2, {"rum", "config.json"}, {"elmx: \"rum\": unknown command; did you mean \"run\"?"});
  refuses(2, {"frobnicate"}, {"elmx: \"frobnicate\": unknown command; allowed: run, init, plan, validate, ", "info"});
  refuses(2, {"data", "verifi"}, {"elmx: data: \"verifi\": unknown command; did you mean \"verify\"?"});
}

TEST_F(RefusedCommand, NoVerb) {
  refuses(2, {"data"}, {"elmx: data: no command; allowed: info, fetch, convert, verify, list (elmx data --help)"});
}

TEST_F(RefusedCommand, AnUnknownOptionComesWithTheNearest) {
  refuses(2, {"run", "config.json", "--job", "2"},
          {"elmx: run: --job: unknown option; did you mean \"--jobs\"? (elmx run --help)"});
  refuses(2, {"run", "config.json", "--outputt=x"},
          {"elmx: run: --outputt: unknown option; did you mean \"--output\"?"});
  refuses(2, {"validate", "config.json", "--whatever-this-is"},
          {"validate: --whatever-this-is: unknown option; allowed: ", "--set", "--threads"});
}

TEST_F(RefusedCommand, AMissingArgument) {
  refuses(2, {"run"}, {"elmx: run: CONFIG is required (elmx run --help)"});
  refuses(2, {"show"}, {"elmx: show: NAME is required"});
  refuses(2, {"data", "info"}, {"elmx: data info: NAME is required"});
  refuses(2, {"compare"}, {"DIR"});
  refuses(2, {"run", "config.json", "--set"}, {"elmx: run: --set: "});
  refuses(2, {"--threads"}, {"elmx: --threads: "});
}

TEST_F(RefusedCommand, AnArgumentTooMany) {
  refuses(2, {"schema", "more"}, {"elmx: schema: \"more\": one argument too many"});
}

TEST_F(RefusedCommand, CountsThatAreNone) {
  for (const std::string option : {"--jobs", "--threads"}) {
    for (const std::string value : {"-1", "two", "1.5", "1000000"}) {
      refuses(2, {"run", "config.json", option, value},
              {option + ": " + value + "; allowed: an integer from 0 to 1024"});
    }
  }
  refuses(2, {"run", "config.json", "--seed", "one"}, {"/seed: \"one\"; allowed: an integer >= 0"});
}

TEST_F(RefusedCommand, AnAssignmentWithoutAValue) {
  refuses(2, {"run", "config.json", "--set", "model.ridge"},
          {"elmx: --set model.ridge: no value; allowed: path=value"});
  refuses(2, {"run", "config.json", "--set", "=1"}, {"elmx: --set =1: no value; allowed: path=value"});
  refuses(2, {"run", "config.json", "--set", "seed.x=1"},
          {"--set seed.x=1: /seed/x leads through a value that is not an object"});
  refuses(2, {"run", "config.json", "--set", "model.rigde=1"}, {"/model/rigde: unknown key; did you mean \"ridge\"?"});
}

TEST_F(RefusedCommand, UnknownNames) {
  refuses(2, {"show", "rmsee"}, {"elmx: \"rmsee\": unknown word; did you mean \"rmse\"?"});
  refuses(2, {"list", "algorithm"}, {"elmx: list \"algorithm\": unknown; did you mean \"algorithms\"?"});
  refuses(2, {"data", "info", "iriss"}, {"no set \"iriss\"; did you mean \"iris\"?"});
  refuses(2, {"reproduce", "elm-table99x"}, {"elmx: reproduce \"elm-table99x\": unknown; "});
}

TEST_F(RefusedCommand, AResultsFolderThatCannotBe) {
  write("file", "in the way");

  refuses(2, {"run", "config.json", "-o", "file"}, {"elmx: file: cannot be created: Not a directory"});
  refuses(2, {"run", "config.json", "-o", "file/below"}, {"elmx: file/below: cannot be created: Not a directory"});
}

TEST_F(RefusedCommand, TablesOfNoResults) {
  write("empty/records.jsonl", "");
  write("damaged/records.jsonl", "{}\n");

  refuses(3, {"table", "nowhere"}, {"elmx: nowhere/records.jsonl: cannot be read: No such file or directory"});
  refuses(3, {"table", "empty"}, {"elmx: empty/records.jsonl: no records; allowed: "});
  refuses(3, {"table", "damaged"}, {"elmx: damaged/records.jsonl: line 1: not a record: "});
  refuses(3, {"compare", "empty", "empty"}, {"elmx: empty/records.jsonl: no records; allowed: "});
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
  refuses(6, {"run", "config.json", "-o", "results", "--set", "model.ridge=0.2"},
          {"elmx: results: holds the results of another experiment", "--force to begin anew", "-o for another folder"});
}

TEST_F(RefusedResume, ResultsOfAnotherConfigAreNotResumed) {
  refuses(6, {"run", "config.json", "-o", "results", "--resume", "--set", "model.ridge=0.2"},
          {"elmx: results: holds the results of another experiment (config: /model/ridge: 0.1 there, 0.2 here)",
           "--force"});
  refuses(6, {"run", "config.json", "-o", "results", "--resume", "--seed", "9"}, {"(config: /seed: 1 there, 9 here)"});
  refuses(6, {"run", "config.json", "-o", "results", "--resume", "--set", "model.ridge=[0.2,1]"},
          {"(config: /model/ridge: 0.1 there, 0.2 here)"});
}

TEST_F(RefusedResume, TheCaseThatDiffersIsNamed) {
  write("small.json", small_config().dump());
  ASSERT_EQ(run({"run", "small.json", "-o", "two_cases"}).code, 0);

  refuses(6, {"run", "small.json", "-o", "two_cases", "--resume", "--set", "cases.classification.data.noise=0.5"},
          {"(config: case \"classification\": /data/noise: 0.1 there, 0.5 here)"});
}

TEST_F(RefusedResume, AFolderWhoseDescriptionIsGoneIsNotResumed) {
  write("results/experiment.json", "{");
  refuses(6, {"run", "config.json", "-o", "results", "--resume"},
          {"elmx: results: ", "its experiment.json is not there or damaged"});

  fs::remove(work() / "results/experiment.json");
  refuses(6, {"run", "config.json", "-o", "results", "--resume"},
          {"elmx: results: ", "its experiment.json is not there or damaged"});
}

TEST_F(RefusedResume, ARunThatGoesOnKeepsItsFolder) {
  const int folder = ::open((work() / "results").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);

  refuses(6, {"run", "config.json", "-o", "results", "--force"},
          {"elmx: results: another run is writing to it; allowed: -o "});

  ::close(folder);
  EXPECT_EQ(run({"run", "config.json", "-o", "results", "--force"}).code, 0);
}

TEST_F(RefusedResume, ADamagedRecordIsNamedAndKept) {
  const std::string records = read("results/records.jsonl");
  write("results/records.jsonl", "x" + records + records);

  refuses(3, {"run", "config.json", "-o", "results", "--resume"},
          {"elmx: results/records.jsonl: line 1: not a record: "});
}

}  // namespace
}  // namespace elmx
