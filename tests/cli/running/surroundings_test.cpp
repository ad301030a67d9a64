#include "cli/shell.hpp"
#include "data/test_mat.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

/// Names, folders and limits in the environment of the program.
class Surroundings : public ShellTest {
 protected:
  void SetUp() override {
    write("c.json", smallest_config().dump());
    std::vector<double> inputs(80), targets(40);
    for (std::size_t i = 0; i < 40; ++i)
      inputs[i] = static_cast<double>(i), inputs[40 + i] = static_cast<double>(i * i % 17),
      targets[i] = static_cast<double>(i % 2);
    TestMat(work() / "d.mat").add("fea", {40, 2}, inputs).add("gnd", {40, 1}, targets);
    Json mat = smallest_config();
    mat["data"] = {{"path", "d.mat"}, {"format", "mat"}, {"task", "classification"}};
    write("mat.json", mat.dump());
  }
  static void expect_refused(int code, const Outcome& outcome, const std::string& part) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
};

TEST_F(Surroundings, NamesMayBeAnyBytes) {
  const std::string run_there = "\"$E\" run c.json -o $'o\\xff' --data $'d\\xfe'";
  const Outcome outcome = shell(run_there +
                                " && \"$E\" table $'o\\xff' && \"$E\" report $'o\\xff' && \"$E\" table $'o\\xff' "
                                "--metric test_rmse -o $'t\\xff.json'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json command = Json::parse(content_of(work() / "o\xff" / "experiment.json")).at("command");
  EXPECT_NE(command.at("line").get<std::string>().find("-o $'o\\xff' --data $'d\\xfe'"), std::string::npos) << command;
  EXPECT_TRUE(command.at("data").get<std::string>().ends_with("/d\\xfe")) << command;

  EXPECT_EQ(shell("mkdir $'here\\xff' && cp c.json $'here\\xff/c\\xff.json' && cd $'here\\xff' && \"$E\" run "
                  "$'c\\xff.json' && \"$E\" validate $'c\\xff.json'")
                .code,
            0);
  expect_refused(2, shell("\"$E\" run $'none\\xff.json'"), "elmx: none\\xff.json: ");
  expect_refused(2, shell("\"$E\" $'command\\xff'"), "command\\xff");
  expect_refused(3, shell("\"$E\" predict $'m\\xff.h5' x.csv"), "elmx: m\\xff.h5: ");
  expect_refused(3, shell("\"$E\" table $'none\\xff'"), "elmx: none\\xff/records.jsonl: ");
}

TEST_F(Surroundings, RemovedWorkingFolderIsOneLine) {
  expect_refused(2, shell("W=$PWD; mkdir gone && cd gone && rmdir ../gone && \"$E\" run \"$W/c.json\" -o o"),
                 "elmx: the working folder: ");
}

TEST_F(Surroundings, NoTemporaryFolderIsNeeded) {
  for (const std::string place : {"/none", ""}) {
    EXPECT_EQ(shell("export TMPDIR=" + place + "; \"$E\" run c.json -o o && \"$E\" report o && \"$E\" plot o").code, 0);
    EXPECT_EQ(shell("TMPDIR=" + place + " \"$E\" run mat.json -n").code, 0) << "MATLAB files";
  }
}

TEST_F(Surroundings, KilledWhileDrawingItLeavesNoTemporaryFile) {
  ASSERT_EQ(run({"run", "c.json", "-o", "o"}).code, 0);
  write("bin/gnuplot", "#!/bin/sh\necho > \"$MARK\"\nexec sleep 1000\n");
  fs::permissions(work() / "bin/gnuplot", fs::perms::owner_all);
  fs::create_directories(work() / "tmp");
  for (const char* signal : {"INT", "TERM", "KILL"}) {
    for (const char* command : {"report", "plot"}) {
      const Outcome outcome = shell(fmt::format(
          "export TMPDIR=$PWD/tmp MARK=$PWD/mark PATH=$PWD/bin:$PATH; set -m; \"$E\" {} o & while [ ! -e mark ]; do "
          "sleep 0.01; done; rm mark; kill -{} $!; wait $!; kill -KILL -- -$! 2> /dev/null; true",
          command, signal));
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_TRUE(fs::is_empty(work() / "tmp")) << command << ' ' << signal;
    }
  }
}

TEST_F(Surroundings, ALittleStackIsEnough) {
  if (!fs::exists(fault_library())) GTEST_SKIP() << "not with sanitizers, whose frames and whose OpenMP need more";
  ASSERT_EQ(run({"run", "c.json", "-o", "o"}).code, 0);
  for (const std::string size : {"256", "128", "64"}) {
    const Outcome outcome = shell("ulimit -s " + size + "; \"$E\" run c.json -o s" + size + " --threads 2");
    EXPECT_EQ(outcome.code, 0) << size << outcome.err;
    EXPECT_EQ(Json::parse(read("s" + size + "/records.jsonl")).at("steps"),
              Json::parse(read("o/records.jsonl")).at("steps"));
  }
}

}  // namespace
}  // namespace elmx
