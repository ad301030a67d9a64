#include <fmt/core.h>

#include <cmath>

#include "cli/program.hpp"

namespace elmx {
namespace {

/// The case "nodes" has few inputs and samples, so its Gram matrix is distributed by nodes. The case
/// "samples" distributes its Gram matrix by samples. Every message of the ranks costs time where they share
/// cores, so only "nodes" has all algorithms and several ridge parameters.
Json over_ranks() {
  return Json::parse(R"({
    "name": "ranks", "seed": 3, "split": {"folds": 2},
    "preprocess": {"targets": {"scale": "zero_one", "units": "scaled"}},
    "model": {"algorithms": ["standard", "panel", "chol-1"], "reference": "none",
              "ridge": 0.01, "panel": 13, "nodes": {"start": 7, "stop": 64, "report": [33, 64]}},
    "cases": {
      "nodes": {"data": {"set": "sinc", "samples": 200},
                "model": {"algorithms": ["standard", "panel", "chol-1", "d-rdg", "auto"], "ridge": [0.01, 1]}},
      "samples": {"data": {"set": "friedman1", "samples": 2000}},
      "single": {"data": {"set": "friedman1", "samples": 300}, "model": {"precision": "single", "ridge": 10}},
      "mixed": {"data": {"set": "friedman1", "samples": 300}, "model": {"precision": "mixed"}},
      "mixed of double": {"data": {"set": "friedman1", "samples": 300},
                          "model": {"algorithms": ["panel"],
                                    "precision": {"features": "double", "gram": "single", "solve": "double"}}},
      "inverse LDL": {"data": {"set": "friedman1", "samples": 300},
                      "model": {"family": "bls", "algorithms": ["chol-1"], "chol1_factor": "inverse_ldl",
                                "ridge": [1, 10], "features": {"groups": 2, "nodes": 5}, "enhancement": {"nodes": 40},
                                "growth": {"updates": 2, "enhancement": 25}}}
    }
  })");
}

/// Trials of over_ranks() in one repeat: those of "nodes", of the three cases of three algorithms, of "mixed
/// of double", and of "inverse LDL".
constexpr std::size_t kTrials = 5 * 2 * 2 + 3 * 3 * 2 + 2 + 2 * 2;

class OverRanks : public ProgramTest {
 protected:
  void SetUp() override {
    write("config.json", over_ranks().dump());
    static const bool starts = finish(start_program("mpirun", {"-n", "4", "true"}, launcher())).code == 0;
    if (!starts) GTEST_SKIP() << "there is no mpirun that starts four processes";
    static const bool built = run({"info"}).out.find("not built in") == std::string::npos;
    if (!built) GTEST_SKIP() << "elmx was built without MPI";
  }

  /// Environment of mpirun in a container, as root, with more ranks than cores. Ranks that are to be killed
  /// are killed at once.
  static Environment launcher() {
    return {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
            {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
            {"OMPI_MCA_hwloc_base_binding_policy", "none"},
            {"OMPI_MCA_odls_base_sigkill_timeout", "0"},
            {"OMPI_MCA_mpi_yield_when_idle", "1"}};
  }

  /// Starts mpirun -n COUNT elmx ARGUMENTS : -n COUNT elmx ARGUMENTS ...
  pid_t start_over(const std::vector<std::string>& counts, const std::vector<Arguments>& each) const {
    Arguments all;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (i > 0) all.emplace_back(":");
      all.insert(all.end(), {"-n", counts[i], elmx_binary().string()});
      all.insert(all.end(), each[i].begin(), each[i].end());
    }
    return start_program("mpirun", all, launcher());
  }
  Outcome over(const std::vector<std::string>& counts, const Arguments& arguments) const {
    return finish(start_over(counts, std::vector<Arguments>(counts.size(), arguments)));
  }

  /// Starts ranks that work until they are ended, and returns their launcher after their first trials.
  pid_t start_long_run(const std::string& folder, const std::string& count, const std::string& timeout_s) {
    Json config = over_ranks();
    config["repeats"] = 100;
    write("long.json", config.dump());
    const pid_t launcher = start_over({count}, {{"run", "long.json", "-o", folder, "--rank-timeout", timeout_s}});
    const std::string file = folder + "/records.jsonl";
    while (!exists(file) || lines_of(read(file)).size() < 20)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return launcher;
  }

  /// Returns the processes of the ranks in order.
  static std::vector<pid_t> ranks_of(pid_t launcher) {
    const std::string id = std::to_string(launcher);
    std::istringstream children(content_of("/proc/" + id + "/task/" + id + "/children"));
    std::vector<pid_t> ranks;
    for (pid_t child = 0; children >> child;) ranks.push_back(child);
    return ranks;
  }

  std::vector<Json> records(const std::string& folder) const {
    std::vector<Json> all;
    for (const std::string& line : lines_of(read(folder + "/records.jsonl"))) all.push_back(Json::parse(line));
    return all;
  }

  /// Returns the lines that elmx itself printed.
  static std::vector<std::string> said(const std::string& err) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(err)) {
      if (line.starts_with("elmx: ")) lines.push_back(line);
    }
    return lines;
  }

  /// Expects one line that has `part`, the exit code, and no results.
  void refuses_over(int code, const std::vector<std::string>& counts, const std::vector<Arguments>& each,
                    const std::string& part) const {
    const auto before = snapshot();
    const Outcome outcome = finish(start_over(counts, each));
    EXPECT_EQ(outcome.code, code) << outcome.err;
    ASSERT_EQ(said(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(said(outcome.err).front().find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(snapshot(), before);
  }
};

/// Expects that the metrics of two runs agree; errors of solutions are rounding noise and only bounded. In
/// single precision, outputs of nodes are rounded differently in other blocks of samples, so the weights of
/// "mixed" belong to nodes that differ in their last bit.
void expect_agreement(const std::vector<Json>& expected, const std::vector<Json>& found, double in_double) {
  const std::map<std::string, double> of_singles{{"single", 1e-3}, {"mixed", 1e-6}};
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t r = 0; r < expected.size(); ++r) {
    ASSERT_EQ(expected[r]["key"], found[r]["key"]);
    const auto known = of_singles.find(expected[r]["case"]);
    const double tolerance = known == of_singles.end() ? in_double : known->second;
    for (std::size_t s = 0; s < expected[r]["steps"].size(); ++s) {
      for (const auto& [metric, value] : expected[r]["steps"][s]["metrics"].items()) {
        if (metric == "products") continue;  // iterations until the weights are right
        const double other = found[r]["steps"][s]["metrics"][metric];
        if (metric == "backward_error") {
          EXPECT_LT(other, expected[r]["case"] == "single" ? 1e-6 : 1e-14);
        } else {
          // A median is the error of one sample: the difference of an output and a target, both up to 1.
          const double size = metric.ends_with("median_ae") ? 1 : std::abs(value.get<double>());
          EXPECT_NEAR(other, value.get<double>(), tolerance * size) << metric << " of " << expected[r].dump();
        }
      }
    }
  }
}

TEST_F(OverRanks, AgreeForAnyNumberAndRepeatTheirBytes) {
  ASSERT_EQ(run({"run", "config.json", "-o", "alone"}).code, 0);
  const std::vector<Json> alone = records("alone");
  ASSERT_EQ(alone.size(), kTrials);
  std::vector<Json> of_one;
  for (const std::string count : {"1", "2", "3", "4"}) {
    const Outcome outcome = over({count}, {"--fake-clock", "run", "config.json", "-o", count});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<Json> found = records(count);
    if (of_one.empty()) of_one = found;
    expect_agreement(of_one, found, 1e-10);
    expect_agreement(alone, found, 1e-9);
  }
  ASSERT_EQ(over({"3"}, {"--fake-clock", "run", "config.json", "-o", "again"}).code, 0);
  EXPECT_EQ(read("3/records.jsonl"), read("again/records.jsonl"));
}

TEST_F(OverRanks, ChooseAndSaveANetworkThatPredicts) {
  Json config = over_ranks();
  config.erase("cases");
  std::string rows = "a,b,y\n";
  for (int i = 0; i < 150; ++i) {
    const double a = std::sin(i), b = std::cos(3 * i);
    rows += std::to_string(a) + ',' + std::to_string(b) + ',' + std::to_string(a * b + b) + '\n';
  }
  write("rows.csv", rows);
  config["data"] = {{"path", "rows.csv"}, {"target", "y"}};
  config["save_model"] = true;
  config["model"]["algorithms"] = {"d-rdg"};
  config["model"]["ridge"] = 0.01;
  write("saved.json", config.dump());
  ASSERT_EQ(run({"run", "saved.json", "-o", "alone"}).code, 0);
  const Outcome outcome = over({"2"}, {"run", "saved.json", "-o", "two"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  write("new.csv", "a,b\n0.1,0.2\n");
  const auto predicted = [&](const std::string& folder) {
    const Outcome prediction = run({"predict", folder, "new.csv"});
    EXPECT_EQ(prediction.code, 0) << prediction.err;
    const std::vector<std::string> lines = lines_of(prediction.out);
    return lines.empty() ? 0.0 : std::stod(lines.back().substr(lines.back().rfind(',') + 1));
  };
  EXPECT_NEAR(predicted("two"), predicted("alone"), 1e-8 * std::abs(predicted("alone")));
}

TEST_F(OverRanks, RefuseUnsharableWorkBeforeWriting) {
  const Arguments run_it{"run", "config.json", "-o", "out"};
  const auto with = [&](const std::string& assignment) {
    Arguments all = run_it;
    all.insert(all.end(), {"--set", assignment});
    return all;
  };
  Json one = over_ranks();
  one["data"] = one["cases"]["nodes"]["data"];
  one["model"]["algorithms"] = {"alg1"};
  one.erase("cases");
  write("one.json", one.dump());
  refuses_over(2, {"2"}, {{"run", "one.json", "-o", "out"}}, "algorithms: ");
  refuses_over(2, {"2"}, {with("model.reference=qr")}, "reference: ");
  refuses_over(2, {"4"}, {with("cases.nodes.data.samples=4")}, "4 ranks");
  refuses_over(2, {"1", "1"}, {run_it, with("seed=4")}, "elmx: rank 1: its config");
  refuses_over(2, {"1", "1"}, {run_it, {"run", "absent.json", "-o", "out"}}, "elmx: rank 1: absent.json: ");
  refuses_over(2, {"2"}, {{"plan", "config.json"}}, "elmx run");
}

// More than 2^31 entries of the Gram matrix per rank are refused before memory is allocated.
TEST_F(OverRanks, RefuseFactorsThatTheirIndicesCannotCount) {
  const auto with = [](const std::string& nodes, Arguments all) {
    all.insert(all.end(), {"--set", "cases.nodes.model.nodes.stop=" + nodes, "--set",
                           "cases.nodes.model.nodes.report=[" + nodes + "]"});
    return all;
  };
  refuses(2, with("100000", {"plan", "config.json", "--ranks", "4"}), {"nodes", "100000", "4 ranks", "5 ranks"});
  EXPECT_EQ(run(with("100000", {"plan", "config.json", "--ranks", "5"})).code, 0);
  refuses_over(2, {"1"}, {with("46341", {"run", "config.json", "-o", "out"})}, "2 ranks");
  refuses_over(2, {"2"}, {with("100000", {"run", "config.json", "-n"})}, "5 ranks");
}

// The number of nodes that would fit depends on the ranks, not on the planned nodes, and can itself be
// planned. In single precision, two ranks have memory for more (8.6 GB each) than their indices can count.
TEST_F(OverRanks, ThePlanSaysHowManyNodesWouldFit) {
  const auto plan = [&](const std::string& nodes) {
    write("one.json", R"({"data": {"set": "sinc", "samples": 200}, "model": {"algorithms": ["standard"],
      "precision": "mixed", "reference": "none", "ridge": 1, "nodes": )" +
                          nodes + "}}");
    return run({"plan", "one.json", "--ranks", "2"});
  };
  const auto would_fit = [](const Outcome& outcome) {
    const std::string text = outcome.out + outcome.err;
    const std::size_t end = text.find(" nodes fit if"), begin = text.rfind(' ', end - 1) + 1;
    return end == std::string::npos ? "" : text.substr(begin, end - begin);
  };
  const Outcome few = plan("1000");
  ASSERT_EQ(few.code, 0) << few.err;
  const std::string most = would_fit(few);
  ASSERT_NE(most, "") << few.out << few.err;
  EXPECT_LE(std::stod(most), 65536) << "2^31 numbers on each of the two";
  const Outcome as_many = plan(most);
  EXPECT_EQ(as_many.code, 0) << as_many.err;
  EXPECT_EQ(would_fit(as_many), most);
}

// A single rank is one process, which supports everything.
TEST_F(OverRanks, OneAloneRunsWhatCannotBeShared) {
  Json one = over_ranks();
  one["data"] = one["cases"]["nodes"]["data"];
  one.erase("cases");
  one["model"] = {{"algorithms", {"alg1", "panel", "r-inv"}},
                  {"reference", "qr"},
                  {"leave_one_out", true},
                  {"nodes", {{"start", 7}, {"stop", 40}, {"report", {20, 40}}}}};
  write("one.json", one.dump());
  ASSERT_EQ(run({"--fake-clock", "run", "one.json", "-o", "alone"}).code, 0);
  const Outcome outcome = over({"1"}, {"--fake-clock", "run", "one.json", "-o", "one"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("one/records.jsonl"), read("alone/records.jsonl"));
}

// Each rank runs in its own folder, as on machines without a shared file system.
TEST_F(OverRanks, NeedTheSameProgramAndData) {
  std::string rows = "a,b,y\n";
  for (int i = 0; i < 60; ++i) rows += fmt::format("{},{},{}\n", std::sin(i), std::cos(3 * i), std::sin(2 * i));
  const std::string config = R"({"data": {"path": "rows.csv", "target": "y"}, "split": {"folds": 2},
    "model": {"algorithms": ["panel"], "nodes": 20}})";
  for (const std::string folder : {"zero/", "one/"}) {
    write(folder + "rows.csv", rows);
    write(folder + "config.json", config);
  }
  const auto in_their_folders = [&](const std::string& program_of_one) {
    const std::string zero = (work() / "zero").string(), one = (work() / "one").string();
    return finish(start_program("mpirun",
                                {"-n", "1", "--wdir", zero, elmx_binary().string(), "run", "config.json", "-o", "out",
                                 ":", "-n", "1", "--wdir", one, program_of_one, "run", "config.json", "-o", "out"},
                                launcher()));
  };
  const Outcome outcome = in_their_folders(elmx_binary().string());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(records("zero/out").size(), 2u);
  EXPECT_FALSE(exists("one/out"));
  fs::remove_all(work() / "zero/out");

  const fs::path other = work() / "elmx";  // the same program with an additional unused byte
  fs::copy_file(elmx_binary(), other);
  std::ofstream(other, std::ios::binary | std::ios::app) << '\0';
  const std::string by_another = in_their_folders(other.string()).err;
  EXPECT_NE(by_another.find("elmx: rank 1: its program"), std::string::npos) << by_another;
  EXPECT_FALSE(exists("zero/out"));

  const std::string on_another_machine =
      finish(start_program("mpirun",
                           {"-n", "1", elmx_binary().string(), "run", "config.json", "-o", "out", ":", "-n", "1", "-x",
                            "OPENBLAS_CORETYPE=Sandybridge", elmx_binary().string(), "run", "config.json", "-o", "out"},
                           launcher()))
          .err;
  EXPECT_NE(on_another_machine.find("elmx: rank 1: its BLAS kernel"), std::string::npos) << on_another_machine;
  EXPECT_FALSE(exists("out"));

  write("one/rows.csv", rows + "1,2,3\n");
  const std::string by_other_data = in_their_folders(elmx_binary().string()).err;
  EXPECT_NE(by_other_data.find("elmx: rank 1: its data"), std::string::npos) << by_other_data;
  EXPECT_FALSE(exists("zero/out"));
}

TEST_F(OverRanks, StopTogetherAndResumeLater) {
  const pid_t launcher = start_long_run("out", "3", "60");
  ::kill(ranks_of(launcher).back(), SIGKILL);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(finish(launcher).code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));

  Json config = over_ranks();
  config["repeats"] = 2;  // fewer trials, with the same keys
  write("long.json", config.dump());
  ASSERT_EQ(run({"run", "long.json", "-o", "out", "--force", "--resume"}).code, 0);
  EXPECT_GE(records("out").size(), 2 * kTrials);
}

// Rank 1 reports it, although it usually prints nothing. There are no others, because ranks that wait poll.
TEST_F(OverRanks, EndIfOneOfThemIsStopped) {
  const pid_t launcher = start_long_run("out", "2", "2");
  ::kill(ranks_of(launcher).front(), SIGSTOP);
  const Outcome outcome = finish(launcher);
  EXPECT_EQ(outcome.code, 2);
  const auto names_it = [](const std::string& line) { return line.find("rank 0 ") != std::string::npos; };
  EXPECT_EQ(std::ranges::count_if(said(outcome.err), names_it), 1) << outcome.err;
}

// A thread that is stopped itself does not count the seconds in which it hears nothing.
TEST_F(OverRanks, GoOnAfterAllOfThemWereSuspended) {
  const pid_t launcher = start_long_run("out", "3", "3");
  const std::vector<pid_t> all = ranks_of(launcher);
  for (const pid_t rank : all) ::kill(rank, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  const auto finished = [&] { return lines_of(read("out/records.jsonl")).size(); };
  const std::size_t before = finished();
  for (const pid_t rank : all) ::kill(rank, SIGCONT);
  const auto runs = [&] {
    siginfo_t end{};
    return ::waitid(P_PID, static_cast<id_t>(launcher), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == 0;
  };
  while (runs() && finished() < before + 10) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(finished(), before + 10);
  ::kill(launcher, SIGTERM);
  finish(launcher);
}

}  // namespace
}  // namespace elmx
