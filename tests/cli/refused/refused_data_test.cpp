#include <gtest/gtest.h>

#include "base/files/fsio.hpp"
#include "cli/program.hpp"
#include "data/content/content.hpp"

namespace elmx {
namespace {

/// Data that is not what it should be: exit 3, before the results folder is made.
class RefusedData : public ProgramTest {
 protected:
  /// A run on "own.csv" with this content, its last column the target.
  void refuses_file(const std::string& content, const std::vector<std::string>& parts,
                    const Json& options = Json::object(), int code = 3) {
    Json config = smallest_config();
    config["data"] = {{"path", write("own.csv", content)}, {"target", {"-1"}}};
    merge(config["data"], options);
    refuses(code, {"run", write("config.json", config.dump()), "-o", "results"}, parts);
  }
  /// A shared folder whose catalogue has one set, "made", stored as made/made.csv with this checksum.
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
  refuses(3, {"run", write("config.json", config.dump()), "-o", "results"},
          {"elmx: nowhere.csv: cannot be read: No such file or directory"});
}

TEST_F(RefusedData, ASetThatHasNotBeenFetched) {
  const Environment home = home_with(sha256(kFourRows));

  refuses(3, {"run", config_of_made(), "-o", "results"},
          {"made/made.csv: not there; \"elmx data fetch made\" downloads", "--data or ELMX_DATA"}, home);
}

TEST_F(RefusedData, AWrongChecksum) {
  const Environment home = home_with(sha256("another content"));
  write("stored/made/made.csv", kFourRows);

  refuses(3, {"run", config_of_made(), "-o", "results"},
          {"made/made.csv: sha256 " + sha256(kFourRows).substr(0, 12),
           sha256("another content").substr(0, 12) + "... is expected", "elmx data fetch made"},
          home);
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
  EXPECT_NE(wrong.out.find("made: " + file + ": wrong: sha256 "), std::string::npos) << wrong.out;
}

TEST_F(RefusedData, InfoDescribesASet) {
  const Environment home = home_with(sha256(kFourRows));
  write("stored/made/made.csv", kFourRows);

  EXPECT_EQ(run({"data", "info", "made"}, home).out, "made: 4 samples, 2 inputs, 1 target\n");
  EXPECT_EQ(run({"data", "info", "friedman1"}).out, "friedman1: 1000 samples, 10 inputs, 1 target\n");
  EXPECT_NE(run({"data", "info", "two_moons"}).out.find("two_moons: 1000 samples, 2 inputs, 2 classes:"),
            std::string::npos);
}

TEST_F(RefusedData, ATruncatedGzipFile) {
  const std::string packed = gzip(kFourRows);
  refuses_file(packed.substr(0, packed.size() / 2),
               {"own.csv: gzip data end too early; a complete gzip file is allowed"});
  refuses_file("\x1f\x8b not gzip at all", {"own.csv: gzip data are damaged"});
}

TEST_F(RefusedData, FilesOfAnotherFormatThanIsSaid) {
  refuses_file(kFourRows, {"own.csv: 24 bytes; ", "3073"}, {{"format", "cifar"}, {"target", Json::array()}});
  refuses_file(kFourRows, {"own.csv: no header of a MAT-file; "}, {{"format", "mat"}, {"target", Json::array()}});
  refuses_file(kFourRows, {"own.csv: magic number 0x", "allowed for NORB: 0x1e3d4c55"},
               {{"format", "norb"}, {"labels_path", "own.csv"}, {"target", Json::array()}});
  refuses_file(kFourRows, {"/data/target: not with format \"mat\"; it belongs to delimited"}, {{"format", "mat"}}, 2);
}

TEST_F(RefusedData, RaggedRows) {
  refuses_file("1,2,3\n4,5,6\n7,8\n", {"own.csv: line 3: 2 columns; 3 expected"});
  refuses_file("1,2,3\n4,5,6,7\n", {"own.csv: line 2: 4 columns; 3 expected"});
}

TEST_F(RefusedData, TextWhereANumberIsExpected) {
  refuses_file("a,b,y\n1,2,3\n4,five,6\n",
               {"own.csv: column \"b\": 1 of 2 values is no number, the first \"five\" in line 3; a finite number is "
                "expected",
                "\"nominal\": [\"b\"]"});
  refuses_file("1,2,3\n4,5,six\n", {"own.csv: target \"column3\": 1 of 2 values is no number, the first \"six\" in "
                                    "line 2; a finite number is expected"});
}

TEST_F(RefusedData, NumbersThatAreNotFinite) {
  refuses_file("1,2,3\n4,-inf,6\n", {"own.csv: column \"column2\": 1 of 2 values is no number, the first \"-inf\" in "
                                     "line 2; a finite number is expected"});
  refuses_file("1,2,3\n4,5,1e999\n", {"own.csv: target \"column3\": 1 of 2 values is no number, the first \"1e999\""});
}

TEST_F(RefusedData, MissingValuesAreNotGuessed) {
  refuses_file("1,2,3\n4,,6\n",
               {"own.csv: column \"column2\": 1 missing value (an empty field in line 2); a value is expected",
                "\"drop_rows\" or \"mean\""});
  for (const std::string spelling : {"?", "NA", "nan", "NaN", "null", "N/A", "None"}) {
    refuses_file("1,2,3\n4," + spelling + ",6\n", {"own.csv: column \"column2\": 1 missing value (\"" + spelling +
                                                   "\" in line 2); a value is expected"});
  }
}

TEST_F(RefusedData, AnEmptyFileOrOnlyAHeader) {
  refuses_file("", {"own.csv: no data; at least one row is expected"});
  refuses_file("a,b,y\n", {"own.csv: no data; at least one row is expected"}, {{"header", "yes"}});
}

TEST_F(RefusedData, ColumnsThatDoNotExist) {
  refuses_file("alpha,beta,y\n1,2,3\n", {"/data/target: no column \"yy\"; did you mean \"y\"?"}, {{"target", {"yy"}}},
               2);
  refuses_file(kFourRows, {"/data/drop: no column 9; allowed: 1 to 3, or -1 to -3 from the end"}, {{"drop", {"9"}}}, 2);
  refuses_file(kFourRows, {"/data/target: missing; name the target column(s)"}, {{"target", Json::array()}}, 2);
}

TEST_F(RefusedData, ColumnsOfTheSameName) {
  refuses_file("a,y,y\n1,2,2\n3,4,4\n", {"own.csv: columns 2 and 3 are both called \"y\"; "});
  refuses_file("a,y,y\n1,2,2\n3,4,4\n", {"/data/target: 2 columns are called \"y\"; "}, {{"target", {"y"}}}, 2);
}

TEST_F(RefusedData, ANumberOfAColumnBeyondAllNumbers) {
  refuses_file(kFourRows, {"/data/target: no column -9223372036854775808; allowed: 1 to 3"},
               {{"target", {"-9223372036854775808"}}}, 2);
}

TEST_F(RefusedData, QuotesWithoutEnd) {
  refuses_file("a,b,y\n1,2,3\n4,\"5,6\n", {"own.csv: line 3: a quote without end"});
}

TEST_F(RefusedData, ValuesWhoseSquaresOverflow) {
  refuses_file("1,2,3\n4,5,1e200\n",
               {"own.csv: row 2, column \"column3\": 1e+200; a number from -1e150 to 1e150 is expected"});
  refuses_file("1,2,3\n1e200,5,6\n", {"own.csv: row 2, column \"column1\": 1e+200; "});
}

TEST_F(RefusedData, ASingleClass) {
  refuses_file("1,2,yes\n2,3,yes\n", {"own.csv: every sample is of class \"yes\"; at least two classes are expected"},
               {{"task", "classification"}});
}

TEST_F(RefusedData, AFoldWithoutAValueOfAColumn) {
  Json config = smallest_config();
  config["data"] = {{"path", write("own.csv", "?,2,3\n?,5,6\n")},
                    {"test_path", write("test.csv", "1,2,3\n")},
                    {"target", {"-1"}},
                    {"missing", "mean"}};
  config["split"] = {{"kind", "fixed"}};

  refuses(3, {"run", write("config.json", config.dump()), "-o", "results"},
          {"own.csv: fold 1: column \"column1\": every value is missing in the training part; a mean needs at least "
           "one (\"drop\""});
}

TEST_F(RefusedData, AClassThatAFoldDoesNotHave) {
  Json config = smallest_config();
  config["data"] = {
      {"path", write("own.csv", "1,2,a\n2,3,a\n4,5,a\n3,1,b\n")}, {"target", {"-1"}}, {"task", "classification"}};
  config["split"] = {{"kind", "k_fold"}, {"folds", 4}};

  refuses(3, {"run", write("config.json", config.dump()), "-o", "results"},
          {"elmx: own.csv: fold ", "no sample of class \"b\" in the training part; one of each class is expected"});
}

TEST_F(RefusedData, AClassThatDoesNotExist) {
  refuses_file("1,2,yes\n2,3,no\n", {"/data/positive: no class \"ja\"", "no, yes"},
               {{"task", "classification"}, {"positive", "ja"}}, 2);
}

TEST_F(RefusedData, ATestFileOfAnotherShape) {
  write("test.csv", "1,2\n");
  refuses_file(kFourRows, {"test.csv: "}, {{"test_path", "test.csv"}});
}

TEST_F(RefusedData, TextThatBeginsAsUtf16) {
  refuses_file(std::string("\xFF\xFEx\0,\0y", 7), {"own.csv: begins as UTF-16, but is not text in it", "UTF-8"});
}

TEST_F(RefusedData, NamesInNoEncodingBeforeAnythingIsTrainedWhereAModelIsSaved) {
  std::string rows = "a,stadt,y\n";
  for (int i = 0; i < 20; ++i)
    rows += std::to_string(i % 7) + (i % 2 ? ",K\xF6\x81ln," : ",Ulm,") + std::to_string(i % 5) + "\n";
  write("odd.csv", rows);
  refuses(3, {"run", "odd.csv", "--target", "y"},
          {"odd.csv: \"K\\xf6\\x81ln\" is not UTF-8", "iconv -f ENCODING -t UTF-8 odd.csv"});
  EXPECT_FALSE(exists("odd.json"));
  EXPECT_FALSE(exists("out"));
}

TEST_F(RefusedData, AClassOfOneRowBeforeAConfigIsWritten) {
  std::string rows = "a,b,y\n";
  for (int i = 0; i < 30; ++i)
    rows += std::to_string(i * 7 % 11) + "," + std::to_string(i % 3) +
            (i == 4  ? ",dead\n"
             : i % 2 ? ",ill\n"
                     : ",healthy\n");
  write("clinic.csv", rows);
  for (const char* command : {"run", "init"}) {
    refuses(3, {command, "clinic.csv", "--target", "y"}, {"clinic.csv: class \"dead\" has 1 row", "leave the row out"});
    EXPECT_FALSE(exists("clinic.json"));
  }
  EXPECT_NE(run({"data", "info", "clinic.csv"}).out.find("class \"dead\" has 1 row"), std::string::npos);
}

TEST_F(RefusedData, NamesWithoutRows) {
  write("names.csv", "a,b,y\n");
  refuses(3, {"run", "names.csv", "--target", "y"}, {"names.csv: names of columns and no row below them"});
}
}  // namespace
}  // namespace elmx
