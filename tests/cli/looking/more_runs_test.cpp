#include "cli/program.hpp"
#include "data/content/content.hpp"
#include "support/xml.hpp"

namespace elmx {
namespace {

/// A published table in an ELMX_HOME of its own, with as many runs as a test requests.
class MoreRunsOfATable : public ProgramTest {
 protected:
  void SetUp() override {
    write("data/catalogue.json", content_of(source_dir() / "data/catalogue.json"));
    table("right", 1);
    table("wrong", 1);
  }

  /// Writes a table with a published mean of test_mse; the measured one may differ from it by half.
  void table(const std::string& id, double published) const {
    Json config = small_config();
    config["name"] = id;
    config["cases"].erase("classification");
    config["split"] = {{"kind", "holdout"}};
    config["model"]["algorithms"] = {"standard"};
    config["paper"] = {{"published", id + ".csv"},
                       {"case", "regression"},
                       {"metric", "test_mse"},
                       {"rules", {{{"rule", "relative"}, {"tolerance", 0.5}}}}};
    write("configs/paper/" + id + ".json", config.dump());
    write("data/paper/" + id + ".csv", "algorithm,value\nstandard," + std::to_string(published) + "\n");
  }

  Outcome reproduce(const std::string& id, std::size_t repeats, const std::string& folder = "out") const {
    return run({"reproduce", id, "-o", folder, "--set", "repeats=" + std::to_string(repeats), "--resume", "--force"},
               {{"ELMX_HOME", work().string()}});
  }

  Json cell(const std::string& id, const std::string& folder = "out") const {
    return Json::parse(read(folder + "/" + id + "/tables/" + id + ".json"))["rows"][0];
  }

  /// Adds the runs that the table asks for until it is decided; returns the last outcome. Until then all
  /// cells are open, which is not a failure.
  Outcome decide(const std::string& id, std::size_t& repeats) const {
    for (repeats = 1; repeats < 1000;) {
      const Outcome outcome = reproduce(id, repeats);
      const std::string verdict = cell(id)["verdict"];
      if (!verdict.starts_with("consistent") && !verdict.starts_with("contrary")) return outcome;
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(cell(id)["runs"], repeats);
      const std::size_t more = cell(id)["more_runs"];
      const std::string runs = std::to_string(more) + (more == 1 ? " more run" : " more runs");
      EXPECT_EQ(verdict.substr(verdict.find(", ")),
                repeats == 1 ? ", needs at least " + runs : ", about " + runs + " would decide");
      repeats += more;
    }
    return {};
  }
};

TEST_F(MoreRunsOfATable, DecideWhatIsOpen) {
  ASSERT_EQ(reproduce("right", 300, "truth").code, 5) << "1 is far from it";
  const double truth = cell("right", "truth")["measured"];
  table("right", truth);
  table("wrong", 3 * truth);

  std::size_t of_right = 0, of_wrong = 0;
  EXPECT_EQ(decide("right", of_right).code, 0);
  EXPECT_EQ(cell("right")["verdict"], "agrees");
  EXPECT_LE(cell("right")["high"], 1.5 * truth);
  EXPECT_GT(of_right, 2u);
  EXPECT_EQ(decide("wrong", of_wrong).code, 5);
  EXPECT_EQ(cell("wrong")["verdict"], "disagrees");
}

TEST_F(MoreRunsOfATable, AreOfCellsThatTheSummaryCountsApart) {
  ASSERT_EQ(reproduce("right", 1).code, 0);

  const Outcome outcome = run({"reproduce", "--summary", "right", "wrong"}, {{"ELMX_HOME", work().string()}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(run({"reproduce", "--summary", "-o", "out", "right"}, {{"ELMX_HOME", work().string()}}).code, 0);
  const Json row = Json::parse(read("out/tables/summary.json"))["rows"][0];
  EXPECT_EQ(row["consistent"].get<int>() + row["contrary"].get<int>(), 1);
  EXPECT_EQ(row["agreeing"], 0);
  EXPECT_EQ(row["disagreeing"], 0);
}

TEST_F(MoreRunsOfATable, AreJudgedAgainFromPackedRecords) {
  ASSERT_EQ(reproduce("wrong", 300).code, 5);
  const Json table = Json::parse(read("out/wrong/tables/wrong.json"));
  write("out/wrong/records.jsonl.gz", gzip(read("out/wrong/records.jsonl")));
  std::filesystem::remove(work() / "out/wrong/records.jsonl");
  std::filesystem::remove_all(work() / "out/wrong/tables");
  const Environment home{{"ELMX_HOME", work().string()}};

  EXPECT_EQ(run({"reproduce", "wrong", "-o", "out", "--judge", "--set", "repeats=300"}, home).code, 5);
  EXPECT_EQ(Json::parse(read("out/wrong/tables/wrong.json")), table);
  EXPECT_EQ(run({"reproduce", "wrong", "-o", "out", "--judge", "--set", "repeats=400"}, home).code, 5);
  const std::string remark = Json::parse(read("out/wrong/tables/wrong.json"))["remarks"].back();
  for (const char* part : {"repeats", "300", "400"}) EXPECT_NE(remark.find(part), std::string::npos) << remark;
  EXPECT_EQ(run({"table", "out/wrong"}).code, 0);

  ASSERT_EQ(run({"report", "out/wrong", "-o", "page.html"}, home).code, 0);
  const std::string page = read("page.html");
  EXPECT_EQ(XmlReader(page).error(), "");
  EXPECT_NE(page.find("agree: 0 of 1 cells; 1 disagree"), std::string::npos);
  for (const char* part : {"published", "answer", "tables", "run"})
    EXPECT_NE(page.find("<section id=\"" + std::string(part) + "\">"), std::string::npos) << part;

  const Outcome again = run({"reproduce", "wrong", "-o", "out"}, home);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("records.jsonl.gz: "), std::string::npos) << again.err;
  EXPECT_FALSE(exists("out/wrong/records.jsonl"));

  const Outcome none = run({"reproduce", "right", "-o", "out", "--judge"}, home);
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(none.err.find("elmx: right: no results in out/right"), std::string::npos);
}

}  // namespace
}  // namespace elmx
