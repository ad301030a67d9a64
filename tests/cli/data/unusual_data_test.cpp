#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// Data that can be read, but with a warning.
class UnusualData : public ProgramTest {
 protected:
  Outcome run_on(const Json& data, const Json& more = Json::object()) const {
    Json config = smallest_config();
    config["data"] = data;
    config.merge_patch(more);
    return run({"run", write("config.json", config.dump()), "-o", "results"});
  }
};

TEST_F(UnusualData, IdentifiersAreReportedOnStderr) {
  std::string rows = "id,a,y\n";
  for (int i = 0; i < 30; ++i)
    rows += "n" + std::to_string(i) + "," + std::to_string(i % 7) + "," + std::to_string(i % 5) + "\n";

  const Outcome outcome = run_on({{"path", write("own.csv", rows)}, {"target", {"y"}}, {"nominal", {"id"}}});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json reports = parse_json(read("results/data.json"), "data.json");
  const Json& warnings = reports.at("own.csv").at("report").at("warnings");
  ASSERT_EQ(warnings.size(), 1u) << warnings;
  const std::string warning = warnings.at(0);
  EXPECT_TRUE(warning.starts_with("id: ")) << warning;
  EXPECT_NE(outcome.err.find("  " + warning + "\n"), std::string::npos) << outcome.err;
  EXPECT_NE(read("results/experiment.json").find(warning), std::string::npos);
}

TEST_F(UnusualData, ErrorsThatOverflowAreFailures) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 20; ++i) rows += std::to_string(i) + "," + std::to_string(i) + "e10\n";

  const Outcome outcome = run_on(
      {{"path", write("train.csv", rows)}, {"test_path", write("test.csv", "x,y\n1e150,0\n")}, {"target", {"y"}}},
      {{"split", {{"kind", "fixed"}}},
       {"preprocess", {{"inputs", "none"}}},
       {"model", {{"activation", "relu"}, {"ridge", 0.1}}}});

  EXPECT_EQ(outcome.code, 4) << outcome.err;
  const Json record = Json::parse(lines_of(read("results/records.jsonl")).at(0));
  EXPECT_TRUE(record.at("status").get<std::string>().starts_with("test_mse: larger than any number"))
      << record.at("status");
  EXPECT_NE(outcome.out.find("test MSE: 1 of 1 trial"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace elmx
