#include <armadillo>

#include "base/config/json.hpp"
#include "cli/shell.hpp"

// From a data file, without a config, to predictions.

namespace elmx {
namespace {

class Beginning : public ShellTest {
 protected:
  /// Writes sixty boats (identifier, three numbers, category, target), and a file with classes as targets.
  void SetUp() override {
    std::string rows = "name,length,width,crew,kind,speed\n", classes = "length,width,kind,fast,rank,group\n";
    for (int i = 0; i < 60; ++i) {
      const double length = 1 + 0.1 * ((7 * i) % 31), width = 0.5 + 0.05 * ((11 * i) % 23);
      const double speed = std::sqrt(length) * (2 - width) + (i % 3 == 0 ? 0.3 : 0);
      const std::string size = std::to_string(length) + "," + std::to_string(width) + ",",
                        kind = i % 3 == 0 ? "sail," : "oar,";
      rows += "boat-" + std::to_string(i) + "," + size + std::to_string(1 + i % 4) + "," + kind +
              std::to_string(speed) + "\n";
      const std::string number = std::to_string(1 + i % 3);
      classes += size + kind + std::to_string(speed > 1.5) + "," + number + "," + number + "\n";
    }
    write("boats.csv", rows);
    write("classes.csv", classes);
  }

  /// Runs boats.csv without a config, into out/boats.
  Outcome run_boats() const {
    return prepared("boats", [&] { return run({"run", "boats.csv", "--target", "speed"}); });
  }

  Json table(const std::string& name, const std::string& folder = "out/boats") const {
    return Json::parse(read(folder + "/tables/" + name + ".json"));
  }

  /// The report of a column in data.json of a results folder.
  Json column(const std::string& folder, const std::string& name) const {
    const Json reports = parse_json(read(folder + "/data.json"), "data.json");
    for (const Json& set : reports) {
      for (const Json& one : set.at("report").at("columns"))
        if (one.at("name") == name) return one;
    }
    return nullptr;
  }
};

TEST_F(Beginning, FromAFileAndItsTargetToPredictions) {
  const Outcome first = run_boats();
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(column("out/boats", "name").at("role"), "dropped");
  EXPECT_NE(column("out/boats", "name").at("left_out"), "");
  EXPECT_EQ(column("out/boats", "kind").at("type"), "category");

  // All four methods are tested, with a choice each if there are several points.
  std::set<std::string> cases;
  const Json results = table("regression");
  for (const Json& row : results["rows"]) cases.insert(row["case"].get<std::string>());
  EXPECT_EQ(cases, (std::set<std::string>{"elm", "kernel", "linear", "mean", "stack"}));

  // The config is complete: running it finds all trials done.
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

TEST_F(Beginning, ChosenModelBeatsTheMean) {
  ASSERT_EQ(run_boats().code, 0);
  std::map<std::string, double> error;
  const Json results = table("regression");
  for (const Json& row : results["rows"]) {
    if (row["chosen"] != "best on the test part") error[row["case"]] = row["test_rmse"]["mean"];
  }
  ASSERT_EQ(error.size(), 5U);
  EXPECT_LT(error["elm"], error["linear"]);
  EXPECT_LT(error["kernel"], error["linear"]);
  EXPECT_LT(error["linear"], error["mean"]);
  std::vector<double> speeds;
  for (int i = 0; i < 60; ++i) {
    const double length = 1 + 0.1 * ((7 * i) % 31), width = 0.5 + 0.05 * ((11 * i) % 23);
    speeds.push_back(std::sqrt(length) * (2 - width) + (i % 3 == 0 ? 0.3 : 0));
  }
  EXPECT_NEAR(error["mean"], arma::stddev(arma::vec(speeds)), 0.15 * arma::stddev(arma::vec(speeds)));
}

TEST_F(Beginning, TwoValuesTextsOrANameMakeClasses) {
  for (const char* target : {"fast", "kind", "group"}) {
    const std::string file = std::string(target) + ".json";
    const Outcome written = run({"init", "classes.csv", "--target", target, "-o", file});
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(parse_json(read(file), file)["data"]["task"], "classification");
    EXPECT_TRUE(parse_json(read(file), file)["cases"].contains("majority"));
  }
  EXPECT_EQ(run({"validate", "kind.json"}).code, 0);
  ASSERT_EQ(run({"init", "classes.csv", "--target", "group", "--task", "regression", "-o", "told.json"}).code, 0);
  EXPECT_EQ(parse_json(read("told.json"), "told.json")["data"]["task"], "regression");
}

TEST_F(Beginning, WholeNumbersWithoutSuchANameAreNumbers) {
  ASSERT_EQ(run({"init", "classes.csv", "--target", "rank", "-o", "rank.json"}).code, 0);
  EXPECT_EQ(parse_json(read("rank.json"), "rank.json")["data"]["task"], "regression");
  ASSERT_EQ(run({"init", "classes.csv", "--target", "rank", "--task", "classification", "-o", "told.json"}).code, 0);
  EXPECT_EQ(parse_json(read("told.json"), "told.json")["data"]["task"], "classification");
}

TEST_F(Beginning, FractionsAreNoClasses) {
  std::string rows = "a,label\n";
  for (int i = 0; i < 10; ++i)
    for (const char* y : {"1", "2", "3", "2.5", "5"}) rows += std::to_string(i) + "," + y + "\n";
  write("halves.csv", rows);
  ASSERT_EQ(run({"init", "halves.csv", "--target", "label"}).code, 0);
  EXPECT_EQ(parse_json(read("halves.json"), "halves.json")["data"]["task"], "regression");
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
    EXPECT_NE(refused.err.find("boats.json: "), std::string::npos) << refused.err;
    EXPECT_EQ(read("boats.json"), "{\"seed\": 7}");
    EXPECT_FALSE(exists("out"));
  }
  ASSERT_EQ(run({"init", "boats.csv", "--target", "speed", "--force"}).code, 0);
  EXPECT_EQ(parse_json(read("boats.json"), "").at("data"), parse_json(written, "").at("data"));
}

TEST_F(Beginning, DataMayBeCalledLikeAConfig) {
  const std::string rows = read("boats.csv");
  write("craft.json", rows);
  EXPECT_EQ(run({"init", "craft.json", "--target", "speed"}).code, 0);
  EXPECT_EQ(run({"plan", "craft.json.json"}).code, 0);
  EXPECT_EQ(read("craft.json"), rows);

  write("boats.json", rows);
  const Outcome refused = run({"init", "boats.csv", "--target", "speed"});
  EXPECT_EQ(refused.code, 6);
  EXPECT_EQ(refused.err.find("--force"), std::string::npos) << "the file is no config";
}

TEST_F(Beginning, WithoutATargetTheColumnsAreNamed) {
  for (const char* command : {"run", "init"}) {
    const Outcome asked = run({command, "boats.csv"});
    EXPECT_EQ(asked.code, 2);
    EXPECT_TRUE(is_one_line(asked.err)) << asked.err;
    for (const char* part : {"boats.csv: ", "--target", "name", "length", "width", "crew", "kind", "speed"})
      EXPECT_NE(asked.err.find(part), std::string::npos) << part << asked.err;
  }
  const Outcome wrong = run({"run", "boats.csv", "--target", "sped"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("\"sped\""), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("\"speed\""), std::string::npos) << wrong.err;
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

// "2,500" is 2.5 or 2500: a column with decimal commas in the same file decides, otherwise the user.
TEST_F(Beginning, AmbiguousDecimalsNeedAnOption) {
  std::string rows = "length;speed\n", decided = "length;speed\n";
  for (int i = 0; i < 40; ++i) {
    const std::string speed = std::to_string(1 + i % 9) + ",500\n";
    rows += std::to_string(1 + i * 7 % 40) + ";" + speed;
    decided += std::to_string(1 + i * 7 % 40) + ",5;" + speed;
  }
  write("boats_eu.csv", rows);
  write("decided.csv", decided);
  ASSERT_EQ(run({"init", "decided.csv", "--target", "speed"}).code, 0);
  EXPECT_EQ(parse_json(read("decided.json"), "decided.json")["data"]["csv"]["decimal"], "comma");

  const Outcome refused = run({"run", "boats_eu.csv", "--target", "speed"});
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_TRUE(is_one_line(refused.err)) << refused.err;
  for (const char* part : {"boats_eu.csv: ", "\"speed\"", "2", "decimal"})
    EXPECT_NE(refused.err.find(part), std::string::npos) << part << refused.err;
  EXPECT_FALSE(exists("boats_eu.json"));

  const Outcome told = run({"run", "boats_eu.csv", "--target", "speed", "--set", "data.decimal=comma"});
  ASSERT_EQ(told.code, 0) << told.err;
  const auto decimal_of = [&](const std::string& file) {
    const Json data = parse_json(read(file), file).at("data");
    return data.contains("decimal") ? data.at("decimal") : data.at("csv").at("decimal");
  };
  EXPECT_EQ(decimal_of("boats_eu.json"), "comma");
  write("new.csv", "length\n7\n");
  const Outcome predicted = run({"predict", "out/boats_eu", "new.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_LT(std::stod(lines_of(predicted.out)[1].substr(2)), 20) << predicted.out;

  const Outcome written =
      run({"init", "boats_eu.csv", "--target", "speed", "--set", "data.decimal=point", "-o", "other.json"});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(decimal_of("other.json"), "point");
  const Outcome model =
      run({"init", "boats_eu.csv", "--target", "speed", "--set", "model.ridge=1", "-o", "third.json"});
  EXPECT_EQ(model.code, 2) << model.err;
  EXPECT_TRUE(is_one_line(model.err) && model.err.starts_with("elmx: --set: ")) << model.err;
}

TEST_F(Beginning, TextsAmongNumbersAreMissingAndReported) {
  std::string rows = "a,b,share,y\n";
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string(0.1 * ((7 * i) % 31));
    rows += (i == 20 ? "-" : number) + "," + (i % 25 == 6 ? "n.d." : std::to_string(0.05 * ((11 * i) % 47))) + "," +
            std::to_string(i * 7 % 60) + ".5%," + number + "\n";
  }
  write("odd.csv", rows);

  const Outcome first = run({"run", "odd.csv", "--target", "y"});

  ASSERT_EQ(first.code, 0) << first.err;
  const Json data = parse_json(read("odd.json"), "odd.json")["data"];
  EXPECT_EQ(data["missing"], "mean");
  EXPECT_FALSE(data.contains("drop"));
  EXPECT_FALSE(data.contains("nominal"));
  const auto replaced = [&](const char* name) { return column("out/odd", name).at("read_as_missing"); };
  EXPECT_EQ(replaced("a"), Json::parse(R"([{"text": "-", "count": 1}])"));
  EXPECT_EQ(replaced("b"), Json::parse(R"([{"text": "n.d.", "count": 3}])"));
  EXPECT_EQ(column("out/odd", "b").at("missing"), 3);
  EXPECT_EQ(column("out/odd", "share").at("type"), "number");
  for (const char* text : {"\"-\" 1", "\"n.d.\" 3"})
    EXPECT_NE(first.err.find(text), std::string::npos) << text << '\n' << first.err;
}

// "none" is a missing value among the numbers of a dose, but also a class of the target.
TEST_F(Beginning, ClassNamedNoneIsNoMissingValue) {
  std::string rows = "dose,x,status\n";
  const char* const classes[] = {"none", "mild", "severe"};
  for (int i = 0; i < 60; ++i)
    rows += (i % 10 == 3 ? "none" : std::to_string(0.1 * ((7 * i) % 31))) + "," + std::to_string(i * 17 % 60) + "," +
            classes[i % 3] + "\n";
  write("doses.csv", rows);

  const Outcome outcome = run({"run", "doses.csv", "--target", "status"});

  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(column("out/doses", "dose").at("missing"), 6);
  EXPECT_EQ(column("out/doses", "status").at("missing"), 0);
  const Outcome predicted = run({"predict", "out/doses", "doses.csv"});
  EXPECT_EQ(lines_of(predicted.out).size(), 61U);
  EXPECT_NE(lines_of(predicted.out).at(0).find("output_none"), std::string::npos) << predicted.out;
}

TEST_F(Beginning, FormatIsRecognisedWithoutExtension) {
  std::string rows;
  for (int i = 0; i < 40; ++i)
    rows +=
        std::to_string(i % 2) + " 1:" + std::to_string(0.1 * (i % 7)) + " 3:" + std::to_string(0.2 * (i % 5)) + "\n";
  write("a9a", rows);
  const Outcome info = run({"data", "info", "a9a"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_NE(info.out.find("\"libsvm\""), std::string::npos) << info.out;
  EXPECT_EQ(run({"run", "a9a", "--task", "classification"}).code, 0);
}

TEST_F(Beginning, MissingCategoriesInArffAreAccepted) {
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
