#include <gtest/gtest.h>

#include "base/files/sha256.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// Invalid data: exit 3, before the results folder is made.
class RefusedData : public ProgramTest {
 protected:
  /// Runs on "own.csv" with this content; its last column is the target.
  void refuses_file(const std::string& content, const std::vector<std::string>& parts,
                    const Json& options = Json::object(), int code = 3) {
    Json config = smallest_config();
    config["data"] = {{"path", write("own.csv", content)}, {"target", {"-1"}}};
    merge(config["data"], options);
    refuses(code, {"run", write("config.json", config.dump()), "-o", "results"}, parts);
  }
  /// Creates a shared folder whose catalogue has one set, "made", stored as made/made.csv with this checksum.
  Environment home_with(const std::string& checksum) {
    const Json set = {{"name", "made"},   {"title", "Made up"},
                      {"target", {"-1"}}, {"rows", 4},
                      {"features", 2},    {"files", Json::array({{{"path", "made/made.csv"}, {"sha256", checksum}}})}};
    write("home/data/catalogue.json", Json{{"sets", Json::array({set})}}.dump());
    return {{"ELMX_HOME", (work() / "home").string()}, {"ELMX_DATA", (work() / "stored").string()}};
  }
  std::string config_of_made() {
    Json config = smallest_config();
    config["data"] = {{"set", "made"}};
    return write("config.json", config.dump());
  }
};

const std::string kFourRows = "1,2,3\n4,5,6\n7,8,9\n2,3,4\n";

TEST_F(RefusedData, AFileThatIsNotThere) {
  Json config = smallest_config();
  config["data"] = {{"path", "nowhere.csv"}, {"target", {"1"}}};
  refuses(3, {"run", write("config.json", config.dump()), "-o", "results"}, {"elmx: nowhere.csv: "});
}

TEST_F(RefusedData, ASetThatHasNotBeenFetched) {
  const Environment home = home_with(sha256(kFourRows));

  refuses(3, {"run", config_of_made(), "-o", "results"},
          {"made/made.csv: ", "elmx data fetch made", "--data", "ELMX_DATA"}, home);
}

TEST_F(RefusedData, VerifyTellsTheStateOfEveryFile) {
  const Environment home = home_with(sha256(kFourRows));
  const std::string file = (work() / "stored/made/made.csv").string();
  EXPECT_EQ(run({"data", "verify", "made"}, home).code, 3);
  EXPECT_EQ(run({"data", "verify", "made"}, home).out, "made: " + file + ": missing\n");

  write("stored/made/made.csv", kFourRows);
  EXPECT_EQ(run({"data", "verify", "made"}, home).code, 0);
  EXPECT_EQ(run({"data", "verify"}, home).out, "made: " + file + ": ok\n");

  write("stored/made/made.csv", "damaged");
  const Outcome wrong = run({"data", "verify", "made"}, home);
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.out.find("made: " + file + ": wrong: "), std::string::npos) << wrong.out;
}

TEST_F(RefusedData, InfoDescribesASet) {
  const Environment home = home_with(sha256(kFourRows));
  write("stored/made/made.csv", kFourRows);

  EXPECT_EQ(lines_of(run({"data", "info", "made"}, home).out).at(0), "made: 4 samples, 2 inputs, 1 target");
  EXPECT_EQ(run({"data", "info", "friedman1"}).out, "friedman1: 1000 samples, 10 inputs, 1 target\n");
  EXPECT_NE(run({"data", "info", "two_moons"}).out.find("two_moons: 1000 samples, 2 inputs, 2 classes:"),
            std::string::npos);
}

// A text among numbers is a missing value, which a hand-written config refuses.
TEST_F(RefusedData, TextsAmongNumbers) {
  refuses_file("a,b,y\n1,2,3\n4,five,6\n7,8,9\n2,5,1\n", {"own.csv: ", "\"b\"", "\"five\" in line 3", "missing"});
  refuses_file("1,2,3\n4,5,six\n1,3,4\n", {"own.csv: ", "\"column3\"", "\"six\" in line 2"});
}

TEST_F(RefusedData, TextsInATargetOfNumbers) {
  refuses_file("1,2,low\n4,5,high\n1,3,low\n", {"own.csv: ", "\"column3\"", "\"low\" in line 1", "classification"},
               {{"missing", "mean"}});
}

TEST_F(RefusedData, MissingValuesAreNotGuessed) {
  refuses_file("1,2,3\n4,,6\n7,8,9\n", {"own.csv: ", "\"column2\"", "line 2", "\"drop_rows\"", "\"mean\""});
}

TEST_F(RefusedData, ColumnsThatDoNotExist) {
  refuses_file("alpha,beta,y\n1,2,3\n", {"elmx: config.json: data.target: ", "\"yy\"", "\"y\""}, {{"target", {"yy"}}},
               2);
  refuses_file(kFourRows, {"elmx: config.json: data.drop: ", "9"}, {{"drop", {"9"}}}, 2);
  refuses_file(kFourRows, {"elmx: config.json: data.target: "}, {{"target", Json::array()}}, 2);
}

TEST_F(RefusedData, AFoldWithoutAValueOfAColumn) {
  Json config = smallest_config();
  config["data"] = {
      {"path", write("own.csv", "?,2,3\n?,5,6\n1,4,5\n?,3,2\n")}, {"target", {"-1"}}, {"missing", "mean"}};
  config["split"] = {{"kind", "k_fold"}, {"folds", 4}};

  refuses(3, {"run", write("config.json", config.dump()), "-o", "results"},
          {"own.csv: ", "fold ", "\"column1\"", "drop"});
}

TEST_F(RefusedData, EmptyTrainingColumnsAreLeftOut) {
  Json config = smallest_config();
  config["data"] = {{"path", write("own.csv", "?,2,3\n?,5,6\n")},
                    {"test_path", write("test.csv", "1,2,3\n")},
                    {"target", {"-1"}},
                    {"missing", "mean"}};
  config["split"] = {{"kind", "fixed"}};

  EXPECT_EQ(run({"run", write("config.json", config.dump()), "-o", "results"}).code, 0);

  const Json report = parse_json(read("results/data.json"), "data.json").at("own.csv").at("report");
  EXPECT_NE(report.at("columns").at(0).at("left_out"), "");
}

TEST_F(RefusedData, AClassThatAFoldDoesNotHave) {
  Json config = smallest_config();
  config["data"] = {
      {"path", write("own.csv", "1,2,a\n2,3,a\n4,5,a\n3,1,b\n")}, {"target", {"-1"}}, {"task", "classification"}};
  config["split"] = {{"kind", "k_fold"}, {"folds", 4}};

  refuses(3, {"run", write("config.json", config.dump()), "-o", "results"}, {"elmx: own.csv: ", "fold ", "\"b\""});
}

TEST_F(RefusedData, ATestFileOfAnotherShape) {
  write("test.csv", "1,2\n");
  refuses_file(kFourRows, {"test.csv: "}, {{"test_path", "test.csv"}});
}

TEST_F(RefusedData, TextThatBeginsAsUtf16) { refuses_file(std::string("\xFF\xFEx\0,\0y", 7), {"own.csv: "}); }

TEST_F(RefusedData, BrokenNamesAreRefusedBeforeTraining) {
  std::string rows = "a,stadt,y\n";
  for (int i = 0; i < 20; ++i)
    rows += std::to_string(i % 7) + (i % 2 ? ",K\xF6\x81ln," : ",Ulm,") + std::to_string(i % 5) + "\n";
  write("odd.csv", rows);
  refuses(3, {"run", "odd.csv", "--target", "y"}, {"odd.csv: ", "K\\xf6\\x81ln", "UTF-8"});
  EXPECT_FALSE(exists("odd.json"));
  EXPECT_FALSE(exists("out"));
}

TEST_F(RefusedData, ClassesOfOneRowAreRefusedFirst) {
  std::string rows = "a,b,y\n";
  for (int i = 0; i < 30; ++i)
    rows += std::to_string(i * 7 % 11) + "," + std::to_string(i % 3) +
            (i == 4  ? ",dead\n"
             : i % 2 ? ",ill\n"
                     : ",healthy\n");
  write("clinic.csv", rows);
  for (const char* command : {"run", "init"}) {
    refuses(3, {command, "clinic.csv", "--target", "y"}, {"clinic.csv: ", "\"dead\""});
    EXPECT_FALSE(exists("clinic.json"));
  }
  EXPECT_NE(run({"data", "info", "clinic.csv"}).out.find("\"dead\""), std::string::npos);
}

TEST_F(RefusedData, NamesWithoutRows) {
  write("names.csv", "a,b,y\n");
  refuses(3, {"run", "names.csv", "--target", "y"}, {"names.csv: "});
}
}  // namespace
}  // namespace elmx
