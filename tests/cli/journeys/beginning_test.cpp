#include <armadillo>

#include "base/config/json.hpp"
#include "cli/shell.hpp"

// From a data file, without a config, to predictions.

namespace elmx {
namespace {

class Beginning : public ShellTest {
 protected:
  /// Sixty boats: an identifier, three numbers, a category, the target; and a file with targets that are classes.
  void SetUp() override {
    std::string rows = "name,length,width,crew,kind,speed\n", classes = "length,width,kind,fast,rank\n";
    for (int i = 0; i < 60; ++i) {
      const double length = 1 + 0.1 * ((7 * i) % 31), width = 0.5 + 0.05 * ((11 * i) % 23);
      const double speed = std::sqrt(length) * (2 - width) + (i % 3 == 0 ? 0.3 : 0);
      const std::string size = std::to_string(length) + "," + std::to_string(width) + ",",
                        kind = i % 3 == 0 ? "sail," : "oar,";
      rows += "boat-" + std::to_string(i) + "," + size + std::to_string(1 + i % 4) + "," + kind +
              std::to_string(speed) + "\n";
      classes += size + kind + std::to_string(speed > 1.5) + "," + std::to_string(1 + i % 3) + "\n";
    }
    write("boats.csv", rows);
    write("classes.csv", classes);
  }

  Json table(const std::string& name, const std::string& folder = "out/boats") const {
    return Json::parse(read(folder + "/tables/" + name + ".json"));
  }
};

TEST_F(Beginning, FromAFileAndItsTargetToPredictions) {
  const Outcome first = run({"run", "boats.csv", "--target", "speed"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("boats.csv: speed is taken for a regression (--task classification says otherwise)"),
            std::string::npos)
      << first.err;
  EXPECT_NE(first.err.find("left out: name"), std::string::npos) << first.err;

  // All four methods, on the test parts, with a choice each where there is one.
  std::set<std::string> cases;
  const Json results = table("regression");
  for (const Json& row : results["rows"]) cases.insert(row["case"].get<std::string>());
  EXPECT_EQ(cases, (std::set<std::string>{"elm", "linear", "mean", "rvfl"}));

  // The config says all of it; it runs, and finds everything done.
  const Json config = parse_json(read("boats.json"), "boats.json");
  EXPECT_EQ(config["data"]["path"], "boats.csv");
  EXPECT_EQ(config["data"]["task"], "regression");
  const std::string records = read("out/boats/records.jsonl");
  const Outcome again = run({"run", "boats.json"});
  EXPECT_EQ(again.code, 0) << again.err;
  const Outcome same = run({"run", "boats.csv", "--target", "speed"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(read("out/boats/records.jsonl"), records);

  // The model is the best of the choices.
  write("new.csv", "kind,width,length,crew\nsail,0.9,3.1,2\noar,0.7,1.4,1\n");
  const Outcome predicted = run({"predict", "out/boats", "new.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_NEAR(std::stod(lines_of(predicted.out)[1].substr(2)), std::sqrt(3.1) * 1.1 + 0.3, 0.3) << predicted.out;
}

TEST_F(Beginning, TheChoiceBeatsTheMeanAndTheMeanIsTheMean) {
  ASSERT_EQ(run({"run", "boats.csv", "--target", "speed"}).code, 0);
  std::map<std::string, double> error;
  const Json results = table("regression");
  for (const Json& row : results["rows"]) {
    if (row["chosen"] != "best on the test part") error[row["case"]] = row["test_rmse"]["mean"];
  }
  ASSERT_EQ(error.size(), 4U);
  EXPECT_LT(error["elm"], error["linear"]);
  EXPECT_LT(error["rvfl"], error["linear"]);
  EXPECT_LT(error["linear"], error["mean"]);
  std::vector<double> speeds;
  for (int i = 0; i < 60; ++i) {
    const double length = 1 + 0.1 * ((7 * i) % 31), width = 0.5 + 0.05 * ((11 * i) % 23);
    speeds.push_back(std::sqrt(length) * (2 - width) + (i % 3 == 0 ? 0.3 : 0));
  }
  EXPECT_NEAR(error["mean"], arma::stddev(arma::vec(speeds)), 0.15 * arma::stddev(arma::vec(speeds)));
}

TEST_F(Beginning, TwoValuesOrFewWholeNumbersFromOneAreClasses) {
  for (const char* target : {"fast", "rank", "kind"}) {
    const std::string file = std::string(target) + ".json";
    const Outcome written = run({"init", "classes.csv", "--target", target, "-o", file});
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_NE(written.err.find(std::string(target) + " is taken for a classification"), std::string::npos);
    EXPECT_TRUE(parse_json(read(file), file)["cases"].contains("majority"));
    EXPECT_EQ(run({"validate", file}).code, 0);
  }
  ASSERT_EQ(run({"init", "classes.csv", "--target", "rank", "--task", "regression", "-o", "told.json"}).code, 0);
  EXPECT_EQ(parse_json(read("told.json"), "told.json")["data"]["task"], "regression");
}

TEST_F(Beginning, NumbersOfWhichOneIsNotWholeAreNoClasses) {
  std::string rows = "a,y\n";
  for (int i = 0; i < 10; ++i)
    for (const char* y : {"1", "2", "3", "2.5", "5"}) rows += std::to_string(i) + "," + y + "\n";
  write("halves.csv", rows);
  const Outcome written = run({"init", "halves.csv", "--target", "y"});
  EXPECT_NE(written.err.find("y is taken for a regression"), std::string::npos) << written.err;
}

TEST_F(Beginning, AConfigThatIsThereIsNotLost) {
  ASSERT_EQ(run({"init", "boats.csv", "--target", "speed"}).code, 0);
  const std::string written = read("boats.json");
  ASSERT_EQ(run({"init", "boats.csv", "--target", "speed"}).code, 0) << "the same text";
  write("boats.json", "{\"seed\": 7}");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"init", "boats.csv", "--target", "speed"},
                                                  {"run", "boats.csv", "--target", "speed"}}) {
    const Outcome refused = run(command);
    EXPECT_EQ(refused.code, 6);
    EXPECT_NE(refused.err.find("boats.json: is there and says something else"), std::string::npos) << refused.err;
    EXPECT_EQ(read("boats.json"), "{\"seed\": 7}");
    EXPECT_FALSE(exists("out"));
  }
  ASSERT_EQ(run({"init", "boats.csv", "--target", "speed", "--force"}).code, 0);
  EXPECT_EQ(read("boats.json"), written);
}

TEST_F(Beginning, WithoutATargetTheColumnsAreNamed) {
  for (const char* command : {"run", "init"}) {
    const Outcome asked = run({command, "boats.csv"});
    EXPECT_EQ(asked.code, 2);
    EXPECT_EQ(
        asked.err,
        "elmx: boats.csv: which column is the target? --target COLUMN says it; allowed: name, length, width, crew, "
        "kind, speed\n");
  }
  const Outcome wrong = run({"run", "boats.csv", "--target", "sped"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("no column \"sped\"; did you mean \"speed\"?"), std::string::npos) << wrong.err;
  EXPECT_FALSE(exists("boats.json"));
}

TEST_F(Beginning, ThePlanAloneWritesNothing) {
  const Outcome plan = run({"run", "boats.csv", "--target", "speed", "--dry-run"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_FALSE(exists("boats.json"));
  EXPECT_FALSE(exists("out"));
}

TEST_F(Beginning, AConfigElsewhereFindsItsData) {
  fs::create_directory(work() / "configs");
  ASSERT_EQ(run({"init", "boats.csv", "--target", "speed", "-o", "configs/boats.json"}).code, 0);
  EXPECT_EQ(run({"plan", "configs/boats.json"}).code, 0);
}

TEST_F(Beginning, ASetOfTheCatalogueNeedsNoTarget) {
  const Outcome written = run({"init", "sinc"});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(parse_json(read("sinc.json"), "sinc.json")["data"]["set"], "sinc");
  EXPECT_EQ(run({"run", "sinc", "--dry-run"}).code, 0);
}

// Of "2,500" nobody knows whether it is 2.5 or 2500 until it is said; then the config says it too, and new rows are read so.
TEST_F(Beginning, NumbersThatReadTwoWaysAreSettledOnTheCommandLine) {
  std::string rows = "length;speed\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(1 + i) + ",5;" + std::to_string(1 + i % 9) + ",500\n";
  write("boats_eu.csv", rows);
  const Outcome refused = run({"run", "boats_eu.csv", "--target", "speed"});
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_EQ(lines_of(refused.err).size(), 1U) << refused.err;
  EXPECT_NE(refused.err.find("--set data.decimal=comma"), std::string::npos) << refused.err;
  EXPECT_FALSE(exists("boats_eu.json"));

  const Outcome told = run({"run", "boats_eu.csv", "--target", "speed", "--set", "data.decimal=comma"});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(parse_json(read("boats_eu.json"), "boats_eu.json")["data"]["decimal"], "comma");
  write("new.csv", "length\n7,5\n");
  const Outcome predicted = run({"predict", "out/boats_eu", "new.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_LT(std::stod(lines_of(predicted.out)[1].substr(2)), 10) << predicted.out;

  const Outcome written =
      run({"init", "boats_eu.csv", "--target", "speed", "--set", "data.decimal=point", "-o", "other.json"});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(parse_json(read("other.json"), "other.json")["data"]["decimal"], "point");
  const Outcome model =
      run({"init", "boats_eu.csv", "--target", "speed", "--set", "model.ridge=1", "-o", "third.json"});
  EXPECT_EQ(model.code, 2) << model.err;
  EXPECT_EQ(lines_of(model.err).size(), 1U) << model.err;
}

TEST_F(Beginning, FewTextsAmongNumbersAreMissingValuesAndSaidToBe) {
  std::string rows = "a,b,share,y\n";
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string(0.1 * ((7 * i) % 31));
    rows += (i == 20 ? "-" : number) + "," + (i % 25 == 6 ? "n.d." : std::to_string(0.05 * ((11 * i) % 47))) + "," +
            std::to_string(i) + ".5%," + number + "\n";
  }
  write("odd.csv", rows);

  const Outcome first = run({"run", "odd.csv", "--target", "y"});

  ASSERT_EQ(first.code, 0) << first.err;
  const Json data = parse_json(read("odd.json"), "odd.json")["data"];
  EXPECT_EQ(data["missing_values"], Json({"-", "n.d."}));
  EXPECT_EQ(data["missing"], "mean");
  EXPECT_EQ(data["drop"], Json({"share"}));
  EXPECT_FALSE(data.contains("nominal"));
  for (const char* said :
       {"odd.csv: \"-\", \"n.d.\" among the numbers of a, b: taken for missing values",
        "odd.csv: column share has numbers with a sign or a unit (\"0.5%\" in line 2) and is left out",
        "60 rows, 2 inputs,", "texts taken for missing values: \"-\", \"n.d.\""})
    EXPECT_NE(first.err.find(said), std::string::npos) << said << '\n' << first.err;
  const Outcome info = run({"data", "info", "odd.csv"});
  EXPECT_NE(info.out.find("\"missing_values\": [\"-\",\"n.d.\"]"), std::string::npos) << info.out;
}

// "none" among the numbers of a dose is a class of the target too: nothing of it may be left out without a word.
TEST_F(Beginning, AClassOfTheTargetIsNoMissingValue) {
  std::string rows = "dose,x,status\n";
  const char* const classes[] = {"none", "mild", "severe"};
  for (int i = 0; i < 60; ++i)
    rows += (i % 10 == 3 ? "none" : std::to_string(0.1 * ((7 * i) % 31))) + "," + std::to_string(i * 17 % 60) + "," +
            classes[i % 3] + "\n";
  write("doses.csv", rows);

  const Outcome outcome = run({"run", "doses.csv", "--target", "status"});

  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("column \"dose\": 6 of 60 values are no numbers, the first \"none\""), std::string::npos)
      << outcome.err;
}

TEST_F(Beginning, APublishedFileWithoutAnEndingIsKnownByItsFirstLine) {
  std::string rows;
  for (int i = 0; i < 40; ++i)
    rows +=
        std::to_string(i % 2) + " 1:" + std::to_string(0.1 * (i % 7)) + " 3:" + std::to_string(0.2 * (i % 5)) + "\n";
  write("a9a", rows);
  const Outcome info = run({"data", "info", "a9a"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_NE(info.out.find("40 rows, 3 inputs"), std::string::npos) << info.out;
}

TEST_F(Beginning, MissingCategoriesOfADescribedFileAreNoRefusal) {
  std::string rows = "@relation vote\n@attribute a {y,n}\n@attribute b {y,n}\n@attribute Class {dem,rep}\n@data\n";
  for (int i = 0; i < 40; ++i)
    rows += std::string(i % 3 ? "y" : "?") + "," + (i % 2 ? "n" : "y") + "," + (i % 2 ? "dem" : "rep") + "\n";
  write("vote.arff", rows);
  const Outcome outcome = run({"run", "vote.arff", "--target", "Class"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(parse_json(read("vote.json"), "vote.json")["data"]["missing"], "mean");
}

}  // namespace
}  // namespace elmx
