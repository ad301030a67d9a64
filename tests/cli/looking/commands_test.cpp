#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "experiment/config/spec.hpp"
#include "experiment/records/record.hpp"
#include "published/paper_options.hpp"
#include "support/schema.hpp"

namespace elmx {
namespace {

/// Commands that only print information.
class Commands : public ProgramTest {
 protected:
  std::string stdout_of(const Arguments& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
};

// In this process: a start of `elmx validate` for each config would take longer than the checks.
TEST_F(Commands, ShippedConfigsAreValid) {
  EXPECT_FALSE(shipped_configs().empty());
  for (const fs::path& config : shipped_configs()) {
    Json json = Json::parse(content_of(config), nullptr, true, true);
    EXPECT_NO_THROW(expand(json)) << config;
    merge(json, json.value("full", Json::object()));
    EXPECT_NO_THROW(expand(json)) << config << " at full scale";
    PaperOptions paper;
    EXPECT_NO_THROW(read_options(json.value("paper", Json::object()), "/paper", paper)) << config;
  }
  EXPECT_TRUE(run({"validate", (source_dir() / "configs/quickstart.json").string()}).out.starts_with("valid: "));
}

TEST_F(Commands, TheSchemaAcceptsWhatTheProgramAccepts) {
  const Json schema = Json::parse(stdout_of({"schema"}));

  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  for (const fs::path& config : shipped_configs()) {
    EXPECT_TRUE(schema_accepts(schema, Json::parse(content_of(config), nullptr, true, true))) << config;
  }
  EXPECT_TRUE(schema_accepts(schema, small_config()));
  Json wrong = small_config();
  wrong["model"]["nodes"]["stopp"] = 3;
  EXPECT_FALSE(schema_accepts(schema, wrong));
}

TEST_F(Commands, ValidateCountsCasesAndReadsNoData) {
  write("config.json", R"({"data": {"path": "nowhere.csv", "target": ["1"]}, "model": {"ridge": [0.1, 1]}})");

  EXPECT_EQ(stdout_of({"validate", "config.json"}), "valid: 2 cases and sweep points\n");
  EXPECT_EQ(stdout_of({"validate", "config.json", "--set", "model.ridge=1"}), "valid: 1 case\n");
}

TEST_F(Commands, ValidateLooksAtTheFullScaleToo) {
  Json config = smallest_config();
  config["full"]["model"]["nodes"]["stop"] = 900;
  write("config.json", config.dump());
  EXPECT_EQ(stdout_of({"validate", "config.json"}), "valid: 1 case\n");

  config["full"]["model"]["node"] = 900;
  refuses(2, {"validate", write("config.json", config.dump())}, {"elmx: config.json: model.node: ", "\"nodes\""});
}

TEST_F(Commands, ListKnowsEveryKind) {
  const std::map<std::string, std::string> member{{"algorithms", "alg3"},    {"activations", "sigmoid"},
                                                  {"datasets", "friedman1"}, {"formats", "arff"},
                                                  {"metrics", "rmse"},       {"experiments", "elm-table1"}};
  for (const auto& [what, name] : member) {
    const std::string list = stdout_of({"list", what});
    EXPECT_NE(list.find("| " + name), std::string::npos) << list;
    EXPECT_TRUE(list.starts_with("| ")) << "no heading without a title: " << list;
  }
}

TEST_F(Commands, HelpTellsWhatSomethingIs) {
  EXPECT_NE(stdout_of({"help", "alg1"}).find("flops (elm): "), std::string::npos);
  EXPECT_NE(stdout_of({"help", "iris"}).find("file: iris/iris.data"), std::string::npos);
  EXPECT_NE(stdout_of({"help", "mse"}).find("mean squared error"), std::string::npos);
  EXPECT_NE(stdout_of({"help", "tanh"}).find("activation: tanh"), std::string::npos);
}

TEST_F(Commands, InfoNamesBuildAndMachine) {
  const std::string info = stdout_of({"info"});
  for (const std::string line : {"elmx ", "cpu ", "blas ", "mpi ", "threads ", "memory "}) {
    EXPECT_TRUE(info.starts_with(line) || info.find("\n" + line) != std::string::npos) << line;
  }
}

TEST_F(Commands, VersionNamesTheProgram) { EXPECT_TRUE(stdout_of({"--version"}).starts_with("elmx ")); }

TEST_F(Commands, LongTablesAreNamedByTheirFile) {
  Record record;
  record.dataset = "d";
  record.algorithm = "a";
  for (const double mu : {1, 2}) {
    record.steps.emplace_back().metrics = {{"test_acc", mu / 4}};
    record.steps.back().parameters = {{"mu", mu}};
  }
  write("out/records.jsonl", to_json(record).dump() + "\n");
  EXPECT_NE(stdout_of({"table", "out"}).find("### Every point of the grids"), std::string::npos);

  for (const std::string table : {"classification", "grid", "time"}) write("out/tables/" + table + ".md", "");
  const Outcome outcome = run({"table", "out"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("best on the test part"), std::string::npos);
  EXPECT_EQ(outcome.out.find("### Every point of the grids"), std::string::npos);
  EXPECT_EQ(outcome.err, "Every point of the grids (means): out/tables/grid.md\n");
}

}  // namespace
}  // namespace elmx
