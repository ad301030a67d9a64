#include <sys/stat.h>

#include "cli/shell.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

/// A small run, its model, and new samples for it.
class Outputs : public ShellTest {
 protected:
  void SetUp() override {
    std::string table = "x,y\n";
    for (int i = 0; i < 40; ++i) table += std::to_string(i) + "," + std::to_string(i * i % 17) + "\n";
    write("d.csv", table);
    Json config = smallest_config();
    config["data"] = {{"path", "d.csv"}, {"target", {"y"}}};
    config["save_model"] = true;
    write("c.json", config.dump());
  }
  /// Returns the model of a run into `folder`.
  std::string model(const std::string& folder = "o") const {
    if (!exists(folder)) run_once({"run", "c.json", "-o", folder});
    for (const auto& file : fs::directory_iterator(work() / folder / "models"))
      return fs::relative(file.path(), work()).string();
    return "";
  }
  std::string pivot(const std::string& output) const { return "\"$E\" table o --metric test_rmse -o " + output; }
};

TEST_F(Outputs, NeverReplaceWhatTheyAreMadeOf) {
  const std::string M = model();
  for (const Arguments& arguments :
       std::vector<Arguments>{{"predict", M, "d.csv", "-o", "d.csv"},
                              {"predict", M, "d.csv", "-o", M},
                              {"predict", M, "d.csv", "-o", "o/records.jsonl"},
                              {"predict", M, "d.csv", "-o", "./o/tables/../log.txt"},
                              {"predict", M, "d.csv", "-o", "o/tables/regression.md"},
                              {"predict", M, "d.csv", "-o", "o/.elmx-files"},
                              {"predict", M, "--part", "test", "-o", "./d.csv"},
                              {"table", "o", "--metric", "test_rmse", "--rows", "algorithm", "-o", "o/experiment.json"},
                              {"table", "o", "--metric", "test_rmse", "--rows", "algorithm", "-o", "o/records.jsonl"},
                              {"report", "o", "-o", "o/records.jsonl"}}) {
    refuses(2, arguments, {"elmx: " + arguments.back() + ": "});
  }
}

TEST_F(Outputs, GoThroughDevicesPipesAndLinks) {
  const std::string M = model();
  const std::string predictions = shell("\"$E\" predict " + M + " d.csv -o p.csv && cat p.csv").out;
  ASSERT_NE(read("p.csv"), "");

  EXPECT_EQ(shell("mkfifo f; timeout 20 cat f > got & \"$E\" predict " + M +
                  " d.csv -o f && wait && cmp got p.csv && test -p f")
                .code,
            0);
  EXPECT_EQ(
      shell("echo old > target; ln -s target l; \"$E\" predict " + M + " d.csv -o l && test -L l && cmp target p.csv")
          .code,
      0);
  EXPECT_EQ(
      shell("ln -s none/new d; mkdir none; \"$E\" predict " + M + " d.csv -o d && test -L d && cmp none/new p.csv")
          .code,
      0);
  // The links are inside this folder, so that no error can damage a device of this machine.
  EXPECT_EQ(shell("ln -s /proc/self/fd/1 out; \"$E\" predict " + M +
                  " d.csv -o out > s && test -L out && head -c $(stat -c %s p.csv) s | cmp - p.csv")
                .code,
            0);
  EXPECT_EQ(shell("\"$E\" predict " + M + " d.csv -o >(cat > through) && sleep 0.1 && cmp through p.csv").code, 0);
  EXPECT_EQ(shell("ln -s l1 l2; ln -s l2 l1; " + pivot("l1")).code, 2);
  EXPECT_EQ(shell("ln -s /dev/full full; " + pivot("full")).code, 2);
  EXPECT_TRUE(fs::is_symlink(work() / "full"));
  for (const std::string& command :
       {pivot("n"), std::string("\"$E\" report o -o n"), "\"$E\" predict " + M + " d.csv -o n"}) {
    const Outcome through = shell("test -c n || mknod n c 1 3 || exit 77; " + command + " && test -c n");
    if (through.code == 77) GTEST_SKIP() << "no right to make a device";
    EXPECT_EQ(through.code, 0) << command << through.err;
  }
}

TEST_F(Outputs, KeepPermissionsAndNeighbours) {
  model();
  EXPECT_EQ(shell("umask 022; echo mine > t.md.part; echo old > t.md; chmod 640 t.md; " + pivot("t.md") +
                  "; stat -c %a t.md; " + pivot("u.md") + "; stat -c %a u.md")
                .out,
            "640\n644\n");
  EXPECT_EQ(read("t.md.part"), "mine\n");
  EXPECT_EQ(shell("ls -A | grep -c elmx-").out, "0\n");
}

TEST_F(Outputs, ClosedDescriptorsAreNotTakenByFiles) {
  for (const std::string closed : {"<&-", "2>&-", "<&- 2>&-", "<&- >&- 2>&-"}) {
    ASSERT_EQ(shell("\"$E\" run c.json -o o --force").code, 0);
    const std::string records = read("o/records.jsonl");
    EXPECT_EQ(shell("\"$E\" run c.json -o o --resume " + closed).code, 0) << closed;
    EXPECT_EQ(read("o/records.jsonl"), records) << closed;
    EXPECT_EQ(run({"table", "o"}).code, 0) << closed;
  }
}

TEST_F(Outputs, PredictionsDoNotDependOnTheWorkingFolder) {
  const std::string M = model();
  const std::string expected = run({"predict", M, "d.csv"}).out;
  ASSERT_NE(expected, "");
  for (const std::string made : {"mkdir model", "touch model", "mkfifo model", "cp d.csv model"}) {
    const Outcome outcome = shell("rm -rf model; " + made + "; timeout 20 \"$E\" predict " + M + " d.csv");
    EXPECT_EQ(outcome.code, 0) << made << outcome.err;
    EXPECT_EQ(outcome.out, expected) << made;
  }
}

TEST_F(Outputs, ConfigsComeFromPipes) {
  ASSERT_EQ(run({"run", "c.json", "-o", "file"}).code, 0);
  const auto steps = [&](const std::string& folder) {
    return Json::parse(read(folder + "/records.jsonl")).at("steps");
  };
  EXPECT_EQ(shell("cat c.json | \"$E\" run /dev/stdin -o stdin").code, 0);
  EXPECT_EQ(shell("\"$E\" run <(cat c.json) -o substituted").code, 0);
  EXPECT_EQ(shell("mkfifo f; timeout 20 cat c.json > f & timeout 20 \"$E\" run f -o fifo").code, 0);
  for (const std::string folder : {"stdin", "substituted", "fifo"}) EXPECT_EQ(steps(folder), steps("file")) << folder;
  EXPECT_EQ(shell("\"$E\" validate <(cat c.json)").code, 0);
  EXPECT_EQ(shell("cat c.json | \"$E\" plan /dev/stdin").code, 0);
  EXPECT_EQ(shell("cat file/experiment.json | \"$E\" run /dev/stdin -o again").code, 0);
  EXPECT_EQ(
      shell("(cat d.csv; echo 1,2) > e; mv e d.csv; cat file/experiment.json | \"$E\" run /dev/stdin -o other").code, 3)
      << "the data are others than those of the run that is described";
}

TEST_F(Outputs, NeverEndingInputIsRefused) {
  Json config = Json::parse(read("c.json"));
  config["data"]["path"] = "/dev/zero";
  write("zero.json", config.dump());
  refuses(3, {"run", "zero.json", "-o", "o"}, {"elmx: /dev/zero: ", "device"});
  refuses(2, {"run", "/dev/zero", "-o", "o"}, {"elmx: /dev/zero: ", "device"});
  const Outcome endless = shell("cat /dev/zero | \"$E\" validate /dev/stdin");
  EXPECT_EQ(endless.code, 2);
  EXPECT_TRUE(endless.err.starts_with("elmx: /dev/stdin: ")) << endless.err;
  EXPECT_NE(endless.err.find("64 MiB"), std::string::npos) << endless.err;
}

TEST_F(Outputs, ASignalThatIsIgnoredStaysIgnored) {
  Json config = smallest_config();
  config["data"] = {{"set", "friedman1"}, {"samples", 1000}};
  config["model"]["nodes"]["stop"] = 300;
  config["repeats"] = 20;
  write("long.json", config.dump());
  for (const std::string number : {"INT", "TERM"}) {
    const std::string wait = "while ! grep -qs trials o/log.txt; do sleep 0.01; done; kill -" + number + " $p; wait $p";
    EXPECT_EQ(shell("rm -rf o; trap '' " + number + "; \"$E\" run long.json -o o & p=$!; " + wait).code, 0) << number;
    EXPECT_EQ(lines_of(read("o/records.jsonl")).size(), 20u) << number;
  }
}

}  // namespace
}  // namespace elmx
