#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// From a data file to a stack of three methods in use.
class StackJourney : public ProgramTest {
 protected:
  /// 120 rows of a smooth function of two inputs and some noise.
  void write_data() {
    std::string rows = "x,z,y\n";
    for (int i = 0; i < 120; ++i) {
      const double x = (i * 37 % 120) / 60.0 - 1, z = (i * 17 % 120) / 60.0 - 1;
      rows += std::to_string(x) + "," + std::to_string(z) + "," +
              std::to_string(std::sin(4 * x) + z + 0.2 * std::sin(97.0 * i)) + "\n";
    }
    write("own.csv", rows);
  }

  Outcome run_stack(const std::string& folder) {
    write("c.json", R"({"save_model": true, "data": {"path": "own.csv", "target": ["y"]}, "select": {"by": "loo_mse"},
      "split": {"kind": "k_fold", "folds": 3}, "preprocess": {"targets": {"scale": "standard"}},
      "cases": {"elm": {"model": {"algorithms": ["panel"], "ridge": [1e-6, 1e-2], "nodes": {"start": 10, "stop": 40}}},
                "kernel": {"model": {"family": "kernel"}, "preprocess": {"inputs": "standard"}},
                "linear": {"model": {"family": "linear"}},
                "stack": {"model": {"family": "stack", "of": ["elm", "kernel", "linear"]}}}})");
    return run({"run", "c.json", "-o", folder});
  }

  /// Returns the records sorted by key, because workers finish in any order.
  std::vector<Json> records_in(const std::string& folder) const {
    std::vector<Json> records;
    for (const std::string& line : lines_of(read(folder + "/records.jsonl"))) {
      records.push_back(Json::parse(line));
      records.back().erase("timing");
    }
    std::ranges::sort(records, {}, [](const Json& record) { return record.at("key").get<std::string>(); });
    return records;
  }

  void expect_intervals_hold(const std::string& member);
};

TEST_F(StackJourney, RunsResumesPredictsAndIsShown) {
  write_data();
  const Outcome outcome = run_stack("out");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<Json> whole = records_in("out");
  ASSERT_EQ(whole.size(), 3u * (2 + 1 + 1 + 1));

  // The run is interrupted among the members, and before the first stack.
  for (const std::size_t finished : {4u, 12u}) {
    fs::remove_all(work() / "again");
    fs::copy(work() / "out", work() / "again", fs::copy_options::recursive);
    for (const auto& entry : fs::directory_iterator(work() / "out" / "models")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("stack") || name.starts_with("final")) fs::remove(work() / "again" / "models" / name);
    }
    fs::remove(work() / "again" / "model.h5");
    std::string lines;
    for (std::size_t i = 0; i < finished; ++i) lines += lines_of(read("out/records.jsonl")).at(i) + "\n";
    write("again/records.jsonl", lines);
    const Outcome resumed = run_stack("again");
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(records_in("again"), whole);
    EXPECT_EQ(read("again/model.h5"), read("out/model.h5"));
  }

  std::size_t stacks = 0;
  for (const auto& entry : fs::directory_iterator(work() / "out" / "models")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("stack")) continue;
    ++stacks;
    const Outcome predicted = run({"predict", "out/models/" + name, "--part", "test", "--metrics-only"});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    for (const Json& record : whole) {
      if (name.find(record.at("key").get<std::string>()) == std::string::npos) continue;
      double mse = NAN;
      for (const std::string& line : lines_of(predicted.out)) {
        char metric[40], value[40];
        if (std::sscanf(line.c_str(), "| %39s | %39s |", metric, value) == 2 && std::string(metric) == "test_mse")
          mse = std::stod(value);
      }
      EXPECT_EQ(mse, record.at("steps").back().at("metrics").at("test_mse").get<double>());
    }
  }
  EXPECT_EQ(stacks, 3u);

  const Outcome table = run({"table", "out"}), compared = run({"compare", "out"});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("| stack"), std::string::npos) << table.out;
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.out.find("stack"), std::string::npos) << compared.out;
  write("new.csv", "x,z\n0.5,0\n-0.5,0.25\n");
  const Outcome predicted = run({"predict", "out", "new.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  const auto lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NEAR(std::stod(lines[1].substr(2)), std::sin(2), 0.3);
  EXPECT_NEAR(std::stod(lines[2].substr(2)), std::sin(-2) + 0.25, 0.3);
}

/// Trains a stack of a linear model and another member, and predicts intervals of 90 % for new rows.
void StackJourney::expect_intervals_hold(const std::string& member) {
  write_data();
  write("c.json", R"({"data": {"path": "own.csv", "target": ["y"]}, "select": {"by": "loo_mse"},
    "split": {"kind": "k_fold", "folds": 3}, "preprocess": {"targets": {"scale": "standard"}},
    "cases": {"member": )" +
                      member + R"(,
              "linear": {"model": {"family": "linear"}},
              "stack": {"save_model": true, "model": {"family": "stack", "of": ["member", "linear"]}}}})");
  const Outcome outcome = run({"run", "c.json", "-o", "out"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;

  std::string rows = "x,z\n";
  std::vector<double> targets;
  for (int i = 0; i < 400; ++i) {
    const double x = std::sin(11.0 * i), z = std::sin(29.0 * i + 1);
    rows += std::to_string(x) + "," + std::to_string(z) + "\n";
    targets.push_back(std::sin(4 * x) + z + 0.2 * std::sin(97.0 * i + 0.5));
  }
  write("new.csv", rows);
  const Outcome predicted = run({"predict", "out", "new.csv", "--interval", "0.9"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  const auto lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), targets.size() + 1);
  double held = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    double row = 0, value = 0, lower = 0, upper = 0;
    ASSERT_EQ(std::sscanf(lines[i + 1].c_str(), "%lf,%lf,%lf,%lf", &row, &value, &lower, &upper), 4) << lines[i + 1];
    EXPECT_LT(lower, value);
    EXPECT_LT(value, upper);
    held += lower <= targets[i] && targets[i] <= upper;
  }
  EXPECT_GT(held / 400, 0.8) << "of 90 %";
  EXPECT_LT(held / 400, 0.98) << "bounds that hold everything say nothing";
}

TEST_F(StackJourney, IntervalsOfASavedStackHoldNewTargets) {
  expect_intervals_hold(R"({"model": {"algorithms": ["panel"], "ridge": [1e-2], "nodes": {"start": 10, "stop": 40}}})");
}

TEST_F(StackJourney, IntervalsNeedNotAllLeaveOneOutErrors) {
  expect_intervals_hold(R"({"preprocess": {"inputs": "standard"},
                            "model": {"family": "kernel", "kernel": "gaussian", "leave_one_out_rows": 60}})");
}

}  // namespace
}  // namespace elmx
