#include "cli/program.hpp"

// All views of results show the trials of the current config and data, and no others.

namespace elmx {
namespace {

class OneView : public ProgramTest {
 protected:
  /// Writes y = slope x + a little, in 40 rows.
  std::string file(const std::string& name, double slope) const {
    std::string rows = "x,y\n";
    for (int i = 0; i < 40; ++i) rows += std::to_string(i) + "," + std::to_string(slope * i + i * i % 7) + "\n";
    return write(name, rows);
  }
  static Json small() {
    Json config = smallest_config();
    config["split"] = {{"kind", "k_fold"}, {"folds", 3}};
    return config;
  }
  static Json of_files(const std::vector<std::string>& paths) {
    Json config = small();
    config["data"] = Json::array();
    for (const std::string& path : paths) config["data"].push_back({{"path", path}, {"target", {"y"}}});
    return config;
  }
  /// Returns the tables without the table of times.
  static std::string without_times(const std::string& out) { return out.substr(0, out.find("Time")); }
  Outcome run_into(const std::string& folder, const Arguments& more = {}) const {
    Arguments arguments{"run", "config.json", "-o", folder};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(OneView, TablesFollowAChangedConfig) {
  write("config.json", small().dump());
  ASSERT_EQ(run_into("fresh", {"--set", "model.ridge=100"}).code, 0);
  ASSERT_EQ(run_into("a").code, 0);

  const Outcome changed = run_into("a", {"--resume", "--force", "--set", "model.ridge=100"});

  ASSERT_EQ(changed.code, 0) << changed.err;
  EXPECT_NE(changed.err.find("3 trials, 0 finished before"), std::string::npos) << changed.err;
  EXPECT_EQ(lines_of(read("a/records.jsonl")).size(), 6u);
  EXPECT_EQ(without_times(run({"table", "a"}).out), without_times(changed.out));
  EXPECT_NE(run({"table", "a", "--metric", "test_rmse", "--stat", "count", "--rows", "dataset,nodes"}).out.find(" 3 |"),
            std::string::npos);
  EXPECT_EQ(run({"table", "a", "--metric", "test_rmse", "--digits", "17"}).out,
            run({"table", "fresh", "--metric", "test_rmse", "--digits", "17"}).out);
  const std::string compared = run({"compare", "a", "fresh"}).out;
  EXPECT_NE(compared.find("6 pairs of steps; without a partner: 0 of A, 0 of B"), std::string::npos) << compared;
  ASSERT_EQ(run({"report", "a"}).code, 0);
  EXPECT_EQ(read("a/report.html").find("The run is not finished"), std::string::npos);
}

TEST_F(OneView, FilesOfOneNameAreKeptApart) {
  file("A/d.csv", 1);
  file("B/d.csv", 2);
  write("config.json", of_files({"A/d.csv", "B/d.csv"}).dump());
  const Outcome first = run_into("a");
  ASSERT_EQ(first.code, 0) << first.err;
  for (const char* name : {"A/d.csv", "B/d.csv"}) EXPECT_NE(first.out.find(name), std::string::npos) << first.out;
  const Json data = Json::parse(read("a/experiment.json"))["data"];
  EXPECT_NE(data["A/d.csv"]["sha256"], data["B/d.csv"]["sha256"]);

  for (const char* changed : {"A/d.csv", "B/d.csv"}) {
    const std::string before = read(changed);
    file(changed, 3);
    refuses(6, {"run", "config.json", "-o", "a", "--resume"}, {"elmx: a: ", changed, "SHA-256"});
    refuses(3, {"run", "a/experiment.json", "-o", "b"}, {"elmx: a/experiment.json: ", changed, "SHA-256"});
    write(changed, before);
  }
  EXPECT_EQ(run_into("a", {"--resume"}).out, first.out);
}

TEST_F(OneView, FilesOfOneNameHaveTheirOwnChecksums) {
  file("A/d.csv", 1);
  file("B/d.csv", 2);
  Json config = small();
  config.erase("data");
  for (const char* part : {"A", "B"})
    config["cases"][part]["data"] = {{"path", std::string(part) + "/d.csv"}, {"target", {"y"}}};
  write("config.json", config.dump());
  const Outcome first = run_into("a");
  ASSERT_EQ(first.code, 0) << first.err;
  file("A/d.csv", 3);

  refuses(6, {"run", "config.json", "-o", "a", "--resume"}, {"elmx: a: ", "A/d.csv", "SHA-256"});
  refuses(3, {"run", "a/experiment.json", "-o", "b"}, {"elmx: a/experiment.json: ", "A/d.csv", "SHA-256"});
  ASSERT_EQ(run_into("a", {"--resume", "--force"}).code, 0);
  EXPECT_EQ(lines_of(read("a/records.jsonl")).size(), 9u) << "three of A as it was";
  EXPECT_NE(run({"table", "a", "--metric", "test_rmse", "--stat", "count", "--rows", "dataset,nodes"}).out.find(" 3 |"),
            std::string::npos);
}

TEST_F(OneView, DifferentFilesOfOneNameAreNotCompared) {
  file("A/d.csv", 1);
  file("B/d.csv", 2);
  file("same.csv", 3);
  for (const std::string part : {"A", "B"}) {
    write("config.json", of_files({part + "/d.csv"}).dump());
    ASSERT_EQ(run_into(part + "-run").code, 0);
    write("config.json", of_files({part + "/d.csv", "same.csv"}).dump());
    ASSERT_EQ(run_into(part + "-both").code, 0);
  }
  refuses(2, {"compare", "A-run", "B-run"}, {"d.csv: ", "A and B"});
  const Outcome both = run({"compare", "A-both", "B-both"});
  EXPECT_EQ(both.code, 0) << both.err;
  for (const char* part : {"d.csv", "SHA-256 ", "6 pairs of steps"})
    EXPECT_NE(both.out.find(part), std::string::npos) << part << " in " << both.out;
  EXPECT_EQ(run({"compare", "A-run", "A-run"}).out.find("SHA-256"), std::string::npos);
}

TEST_F(OneView, SpellingsOfAPathAreOneDataSet) {
  file("d.csv", 1);
  write("config.json", of_files({"d.csv", "./d.csv"}).dump());
  refuses(2, {"run", "config.json", "-o", "a"}, {"elmx: config.json: data[1]: ", "0"});
}

TEST_F(OneView, CasesThatShareTrialsKeepTheirModels) {
  Json config = small();
  config["save_model"] = true;
  config["cases"] = {{"one", {{"baseline", ""}}}, {"other", {{"baseline", "standard"}}}};
  write("config.json", config.dump());
  ASSERT_EQ(run_into("a").code, 0);

  const Outcome resumed = run_into("a", {"--resume"});

  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(without_times(run({"table", "a"}).out), without_times(resumed.out));
}

}  // namespace
}  // namespace elmx
