#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>

#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// From a data file to the model in use: the chosen model is the saved one.
class ChosenModel : public ProgramTest {
 protected:
  /// Writes 90 rows of y = x^2 + a little of z, which few nodes fit.
  void write_data() {
    std::string rows = "x,z,y\n";
    for (int i = 0; i < 90; ++i) {
      const double x = (i * 37 % 90) / 45.0 - 1, z = (i * 17 % 90) / 45.0 - 1;
      rows += std::to_string(x) + "," + std::to_string(z) + "," +
              std::to_string(x * x + 0.1 * z + 0.2 * std::sin(97.0 * i)) + "\n";
    }
    write("own.csv", rows);
  }

  static Json config() {
    return Json::parse(R"({"save_model": true, "data": {"path": "own.csv", "target": ["y"]},
      "split": {"kind": "k_fold", "folds": 3}, "select": {"by": "loo_mse"},
      "model": {"algorithms": ["panel"], "ridge": [1e-8, 1e-3, 10], "reference": "none",
                "nodes": {"start": 5, "stop": 50, "report": [5, 15, 50]}}})");
  }

  Outcome run_config(const Json& what, const Arguments& more = {}) {
    write("c.json", what.dump());
    Arguments arguments{"run", "c.json", "-o", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_once(arguments);
  }

  std::set<std::string> models() const {
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(work() / "out" / "models"))
      files.insert("out/models/" + entry.path().filename().string());
    return files;
  }

  /// Returns a metric from the table that predict prints.
  static std::optional<double> metric_in(const std::string& text, const std::string& wanted) {
    for (const std::string& line : lines_of(text)) {
      char name[40], value[40];
      if (std::sscanf(line.c_str(), "| %39s | %39s |", name, value) == 2 && name == wanted) return std::stod(value);
    }
    return std::nullopt;
  }

  Json record_of(const std::string& model) const {
    for (const std::string& line : lines_of(read("out/records.jsonl"))) {
      const Json one = Json::parse(line);
      if (model.find(one.at("key").get<std::string>()) != std::string::npos) return one;
    }
    return nullptr;
  }
  /// Returns the line that says why a run has no final model; "" if there is none.
  static std::string reason_of(const std::string& err) {
    const std::size_t begin = err.find("no final model: ");
    return begin == std::string::npos ? "" : err.substr(begin, err.find('\n', begin) - begin);
  }
};

TEST_F(ChosenModel, FoldModelsMatchTheTables) {
  write_data();
  const Outcome outcome = run_config(config());
  ASSERT_EQ(outcome.code, 0) << outcome.err;

  const std::set<std::string> files = models();
  ASSERT_EQ(files.size(), 3u) << "one a fold";
  std::set<double> found;
  for (const std::string& file : files) {
    const Outcome predicted = run({"predict", file, "--part", "test", "--metrics-only"});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    const auto mse = metric_in(predicted.out, "test_mse");
    ASSERT_TRUE(mse) << predicted.out;
    found.insert(*mse);
    // By definition, the model has the least loo_mse of all points and sizes of this fold.
    const Json own = record_of(file);
    double least = INFINITY, of_least = NAN;
    for (const std::string& line : lines_of(read("out/records.jsonl"))) {
      const Json record = Json::parse(line);
      if (record.at("fold") != own.at("fold")) continue;
      for (const Json& step : record.at("steps")) {
        const Json& metrics = step.at("metrics");
        if (!metrics.contains("loo_mse") || metrics["loo_mse"].get<double>() >= least) continue;
        least = metrics["loo_mse"];
        of_least = metrics.at("test_mse");
      }
    }
    EXPECT_EQ(*mse, of_least) << file;
  }
  EXPECT_EQ(found.size(), 3u);
}

TEST_F(ChosenModel, FinalModelUsesAllRowsAndPredicts) {
  write_data();
  const Outcome outcome = run_config(config());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_TRUE(exists("out/model.h5"));
  const std::string said = "out/model.h5 (elmx predict out DATA): ";
  const std::size_t begin = outcome.err.find(said);
  ASSERT_NE(begin, std::string::npos) << outcome.err;
  const std::string method = outcome.err.substr(begin, outcome.err.find('\n', begin) - begin);
  EXPECT_NE(method.find(", ridge "), std::string::npos) << method;
  EXPECT_NE(method.find(" node"), std::string::npos) << method;

  write("new.csv", "z,day,x\n0,monday,0.5\n0,friday,-0.5\n");
  const Outcome predicted = run({"predict", "out", "new.csv"});

  ASSERT_EQ(predicted.code, 0) << predicted.err;
  const auto lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "row,predicted_y");
  // The noise is up to 0.2.
  for (std::size_t i : {1u, 2u}) EXPECT_NEAR(std::stod(lines[i].substr(2)), 0.25, 0.15);
  EXPECT_NE(predicted.err.find("day"), std::string::npos);

  const Outcome trained = run({"predict", "out", "--part", "train", "--metrics-only"});
  EXPECT_NE(trained.out.find("90 samples with targets"), std::string::npos) << trained.out;
  refuses(2, {"predict", "out", "--part", "test"}, {"elmx: --part: ", "\"test\"", "train"});
}

// By definition, a row has the prediction of the network that the fold has chosen, and the RMSE is that
// fold's.
TEST_F(ChosenModel, PredictionsComeFromTheTestingFold) {
  write_data();
  Json what = config();
  what["cases"] = Json::parse(R"({"poor": {"model": {"ridge": 1e5}}, "good": {"repeats": 2}})");
  const Outcome outcome = run_config(what);
  ASSERT_EQ(outcome.code, 0) << outcome.err;

  std::map<std::string, std::string> expected;  // "row,repeat,fold" -> "actual,predicted"
  for (const std::string& file : models()) {
    const Json own = record_of(file);
    if (own.at("case") != "good") continue;
    const std::string fold = fmt::format(",{},{}", own.at("repeat").get<int>(), own.at("fold").get<int>());
    for (const std::string& line : lines_of(run({"predict", file, "--part", "test"}).out)) {
      const std::size_t first = line.find(','), second = line.find(',', first + 1);
      if (first + 1 < second && line != "row,predicted_y,target_y")
        expected[line.substr(0, first) + fold] =
            line.substr(second + 1) + "," + line.substr(first + 1, second - first - 1);
    }
  }
  ASSERT_EQ(expected.size(), 180u) << "two repeats of 90 rows";
  const auto lines = lines_of(read("out/predictions.csv"));
  ASSERT_EQ(lines.size(), 181u);
  EXPECT_EQ(lines[0], "dataset,method,row,repeat,fold,actual_y,predicted_y");
  for (const auto& [place, numbers] : expected) {
    const std::string line = "own.csv,good: panel," + place + "," + numbers;
    EXPECT_EQ(std::ranges::count(lines, line), 1) << line;
  }
}

TEST_F(ChosenModel, PredictionsGoWithTheRunThatMadeThem) {
  write_data();
  write("out/predictions.csv", "mine\n");
  write("c.json", config().dump());
  refuses(2, {"run", "c.json", "-o", "out"}, {"out/predictions.csv"});
  EXPECT_FALSE(exists("out/records.jsonl"));
  fs::remove(work() / "out/predictions.csv");
  ASSERT_EQ(run_config(config()).code, 0);
  const std::string of_three = read("out/predictions.csv");

  Json more = config();
  more["repeats"] = 2;
  ASSERT_EQ(run_config(more, {"--resume", "--force"}).code, 0);
  EXPECT_EQ(lines_of(read("out/predictions.csv")).size(), 2 * lines_of(of_three).size() - 1);

  Json none = config();
  none["save_model"] = false;
  ASSERT_EQ(run_config(none, {"--force"}).code, 0);
  EXPECT_FALSE(exists("out/predictions.csv"));
}

TEST_F(ChosenModel, OfSeveralDataSetsEachHasItsPredictions) {
  write_data();
  write("other.csv", read("own.csv"));
  Json what = config();
  what["cases"] = Json::parse(R"({"a": {}, "b": {"data": {"path": "other.csv"}}})");
  ASSERT_EQ(run_config(what).code, 0);

  EXPECT_FALSE(exists("out/predictions.csv"));
  std::size_t files = 0;
  for (const std::string& file : models()) {
    if (!file.ends_with(".csv")) continue;
    ++files;
    EXPECT_EQ(lines_of(read(file)).size(), 91u) << file;
    EXPECT_TRUE(exists(file.substr(0, file.size() - 4) + ".h5")) << file;
  }
  EXPECT_EQ(files, 2u);
  refuses(2, {"predict", "out", "own.csv"}, {"out/models/final-"});
  EXPECT_EQ(run({"predict", "out", "own.csv"}).err.find(".csv.csv"), std::string::npos);
}

TEST_F(ChosenModel, IsTheSameAfterAnInterruption) {
  write_data();
  ASSERT_EQ(run_config(config()).code, 0);
  std::map<std::string, std::string> before;
  for (const std::string& file : models()) before[file] = read(file);
  before["out/model.h5"] = read("out/model.h5");
  for (const auto& [file, bytes] : before) fs::remove(work() / file);

  const Outcome resumed = run_config(config(), {"--resume"});

  ASSERT_EQ(resumed.code, 0) << resumed.err;
  for (const auto& [file, bytes] : before) EXPECT_TRUE(read(file) == bytes) << file;
}

TEST_F(ChosenModel, IsTrainedAgainAfterARetriedTrial) {
  write_data();
  ASSERT_EQ(run_config(config()).code, 0);
  std::string failed = read("out/records.jsonl");
  const std::string ok = R"("status":"ok")";
  ASSERT_NE(failed.find(ok), std::string::npos);
  write("out/records.jsonl", failed.replace(failed.find(ok), ok.size(), R"("status":"out of memory")"));
  const auto made = fs::last_write_time(work() / "out/model.h5");

  run_config(config(), {"--resume"});
  EXPECT_EQ(fs::last_write_time(work() / "out/model.h5"), made);
  ASSERT_EQ(run_config(config(), {"--retry-failed"}).code, 0);
  EXPECT_GT(fs::last_write_time(work() / "out/model.h5"), made);
}

TEST_F(ChosenModel, IsTheBestOfAllCases) {
  write_data();
  Json both = config();
  both["cases"] = Json::parse(R"({"poor": {"model": {"ridge": 1e5}}, "good": {"model": {"ridge": 1e-3}}})");
  ASSERT_EQ(run_config(both).code, 0);
  const Outcome of_both = run({"predict", "out", "own.csv"});
  ASSERT_EQ(of_both.code, 0) << of_both.err;

  Json good = config();
  good["model"]["ridge"] = 1e-3;
  ASSERT_EQ(run_config(good, {"--force"}).code, 0);

  EXPECT_EQ(run({"predict", "out", "own.csv"}).out, of_both.out);
}

// The selection is over ridge only, so a fold has a choice for each size. Its file has the best choice, in
// any order of training.
TEST_F(ChosenModel, OfSeveralSizesAFoldKeepsTheBest) {
  write_data();
  Json by_ridge = config();
  by_ridge["select"]["over"] = {"ridge"};
  const Outcome outcome = run_config(by_ridge);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::set<std::string> files = models();
  EXPECT_NE(outcome.err.find(std::to_string(files.size()) + " chosen networks in"), std::string::npos) << outcome.err;

  // By definition: among the sizes at which this ridge has the least loo_mse of all, the one where it is
  // least.
  for (const std::string& file : files) {
    const Json own = record_of(file);
    std::map<int, double> least;  // by nodes
    for (const std::string& line : lines_of(read("out/records.jsonl"))) {
      const Json record = Json::parse(line);
      if (record.at("fold") != own.at("fold")) continue;
      for (const Json& step : record.at("steps")) {
        const auto found = least.try_emplace(step.at("nodes"), INFINITY).first;
        found->second = std::min(found->second, step.at("metrics").value("loo_mse", HUGE_VAL));
      }
    }
    double best = INFINITY, of_best = NAN;
    for (const Json& step : own.at("steps")) {
      const double loo = step.at("metrics").value("loo_mse", HUGE_VAL);
      if (loo != least.at(step.at("nodes")) || loo >= best) continue;
      best = loo;
      of_best = step.at("metrics").at("test_mse");
    }
    const Outcome predicted = run({"predict", file, "--part", "test", "--metrics-only"});
    EXPECT_EQ(metric_in(predicted.out, "test_mse"), of_best) << file;
  }
}

TEST_F(ChosenModel, NeedsCasesWithComparableMetrics) {
  write_data();
  std::string rows = "x,z,y,far,w\n";
  for (int i = 0; i < 60; ++i)
    rows +=
        fmt::format("{},{},{},{},{}\n", i % 7, i * i % 11, i % 7 + 0.1 * (i % 5), i % 3 * 1e-4, i % 4 == 0 ? "" : "1");
  write("own.csv", rows);
  const auto reason = [&](const char* cases) {
    Json what = config();
    what["data"]["drop"] = {"w"};
    what["model"]["nodes"] = {{"start", 5}, {"stop", 15}};
    what["cases"] = Json::parse(cases);
    const Outcome outcome = run_config(what, {"--force"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(exists("out/model.h5")) << cases;
    return reason_of(outcome.err);
  };
  for (const char* cases :
       {R"({"y": {"data": {"drop": ["w", "far"]}}, "far": {"data": {"drop": ["w", "y"], "target": ["far"]}}})",
        R"({"all": {}, "whole": {"data": {"drop": [], "missing": "drop_rows"}}})",
        R"({"whole": {"data": {"drop": [], "missing": "drop_rows"}}, "all": {}})"})
    EXPECT_NE(reason(cases).find(" rows "), std::string::npos) << cases;
  const char* scaled = R"({"a": {}, "b": {"preprocess": {"targets": {"scale": "standard", "units": "scaled"}}}})";
  EXPECT_NE(reason(scaled).find("preprocess"), std::string::npos);
}

TEST_F(ChosenModel, NeedsPointsWithTheCriterion) {
  write_data();
  Json generalised = config();  // orig solves another problem, without leave-one-out errors
  generalised["model"]["algorithms"] = {"orig"};
  const Outcome outcome = run_config(generalised);

  EXPECT_FALSE(exists("out/model.h5"));
  EXPECT_NE(reason_of(outcome.err).find("loo_mse"), std::string::npos) << outcome.err;
}

TEST_F(ChosenModel, NeedsACriterion) {
  write_data();
  Json swept = config();
  swept.erase("select");
  const Outcome outcome = run_config(swept);

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(reason_of(outcome.err).find("select"), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("out/model.h5"));
  refuses(3, {"predict", "out", "own.csv"}, {"out: ", "select"});

  swept["model"]["ridge"] = 1e-3;
  ASSERT_EQ(run_config(swept, {"--force"}).code, 0);
  EXPECT_TRUE(exists("out/model.h5"));
  EXPECT_EQ(models().size(), 3u);
}

/// Classes of x in [-1, 1] with known probabilities: P(yes | x) = 1 / (1 + exp(-4 x)).
class ChosenClasses : public ChosenModel {
 protected:
  static double truth(double x) { return 1 / (1 + std::exp(-4 * x)); }

  void run_classification(const char* coding) {
    std::string rows = "x,z,class\n";
    for (int i = 0; i < 600; ++i) {
      const double x = (i * 389 % 600) / 300.0 - 1, luck = (i * 491 % 997) / 997.0;
      rows += std::to_string(x) + "," + std::to_string(i * 17 % 90) + "," + (luck < truth(x) ? "yes" : "no") + "\n";
    }
    write("own.csv", rows);
    Json what = config();
    what["data"] = {{"path", "own.csv"}, {"target", {"class"}}, {"task", "classification"}, {"positive", "yes"}};
    what["preprocess"]["targets"]["coding"] = coding;
    what["model"]["nodes"] = Json::parse(R"({"start": 5, "stop": 15, "report": [5, 15]})");
    const Outcome outcome = run_config(what);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::string points = "x,z\n";
    for (int i = 0; i < 21; ++i) points += std::to_string(i / 10.0 - 1) + ",45\n";
    write("new.csv", points);
  }
};

TEST_F(ChosenClasses, HaveProbabilitiesThatAreTheirs) {
  for (const char* coding : {"zero_one", "single_minus"}) {
    run_classification(coding);

    const Outcome predicted = run({"predict", "out", "new.csv", "--probabilities", "--format", "json"});

    ASSERT_EQ(predicted.code, 0) << predicted.err;
    const Json rows = Json::parse(predicted.out);
    ASSERT_EQ(rows.size(), 21u);
    double furthest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double yes = rows[i].at("probability_yes"), no = rows[i].at("probability_no");
      EXPECT_NEAR(yes + no, 1, 1e-14);
      furthest = std::max(furthest, std::abs(yes - truth(static_cast<double>(i) / 10 - 1)));
    }
    // With 600 samples, the standard error of a share among 30 neighbours is 0.09.
    EXPECT_LT(furthest, 0.15) << coding << predicted.out;
    const Outcome plain = run({"predict", "out", "new.csv"});
    EXPECT_EQ(lines_of(plain.out)[0].find("probability"), std::string::npos);
    EXPECT_EQ(run({"predict", "out", "new.csv", "--format", "npy", "-o", "p.npy"}).code, 0);
    EXPECT_TRUE(read("p.npy").starts_with("\x93NUMPY"));
    fs::remove_all(work() / "out");
  }
}

TEST_F(ChosenClasses, AreNamedInThePredictionsOfTheFolds) {
  run_classification("single");
  std::map<std::string, std::pair<int, int>> right;  // fold -> number of correct predictions, number of all
  const auto lines = lines_of(read("out/predictions.csv"));
  ASSERT_EQ(lines.size(), 601u);
  EXPECT_EQ(lines[0], "dataset,method,row,repeat,fold,actual,predicted");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<std::string> fields;
    std::istringstream line(lines[i]);
    for (std::string field; std::getline(line, field, ',');) fields.push_back(field);
    ASSERT_EQ(fields.size(), 7u) << lines[i];
    auto& [count, all] = right[fields[4]];
    count += fields[5] == fields[6];
    ++all;
  }
  for (const std::string& file : models()) {
    const Outcome predicted = run({"predict", file, "--part", "test", "--metrics-only"});
    const auto [count, all] = right[std::to_string(record_of(file).at("fold").get<int>())];
    EXPECT_EQ(metric_in(predicted.out, "test_acc"), static_cast<double>(count) / all) << file;
  }
}

// A case leaves out a column: the networks of the folds use the columns on which they were trained.
TEST_F(ChosenClasses, ProbabilitiesIgnoreCasesWithOtherColumns) {
  std::string rows = "z,x,w,class\n";
  for (int i = 0; i < 300; ++i) {
    const double x = (i * 389 % 300) / 150.0 - 1, luck = (i * 491 % 997) / 997.0;
    rows += fmt::format("{},{},{},{}\n", i * 17 % 90, x, i * 29 % 31, luck < truth(x) ? "yes" : "no");
  }
  write("own.csv", rows);
  Json alone = config();
  alone["data"] = {{"path", "own.csv"}, {"target", {"class"}}, {"task", "classification"}, {"drop", {"z"}}};
  alone["model"]["nodes"] = {{"start", 2}, {"stop", 10}};
  Json both = alone;
  both["cases"] = {{"all", {{"data", {{"drop", Json::array()}}}, {"model", {{"ridge", {1e6, 1e7}}}}}},
                   {"no z", Json::object()}};
  for (const char* coding : {"zero_one", "minus_one_one"}) {
    alone["preprocess"]["targets"]["coding"] = both["preprocess"]["targets"]["coding"] = coding;
    ASSERT_EQ(run_config(both, {"--force"}).code, 0);
    const Outcome beside = run({"predict", "out", "own.csv", "--probabilities"});
    ASSERT_EQ(run_config(alone, {"--force"}).code, 0);
    EXPECT_EQ(run({"predict", "out", "own.csv", "--probabilities"}).out, beside.out) << beside.err;
  }
}

// Squared errors of targets 1 and -1 are four times the squared errors of targets 1 and 0, but the share of
// correct predictions is comparable.
TEST_F(ChosenClasses, AreComparedAcrossCodingsByTheirAccuracyAlone) {
  run_classification("zero_one");
  Json what = config();
  what["data"] = {{"path", "own.csv"}, {"target", {"class"}}, {"task", "classification"}};
  what["model"]["nodes"] = {{"start", 5}, {"stop", 15}};
  what["cases"] = Json::parse(R"({"a": {}, "b": {"preprocess": {"targets": {"coding": "minus_one_one"}}}})");
  EXPECT_NE(reason_of(run_config(what, {"--force"}).err).find("preprocess"), std::string::npos);
  EXPECT_FALSE(exists("out/model.h5"));
  what["select"]["by"] = "loo_acc";
  EXPECT_EQ(run_config(what, {"--force"}).code, 0);
  EXPECT_TRUE(exists("out/model.h5"));

  // Cases with different rules are not compared, whatever their codings are: the first one has the model.
  what["cases"]["b"]["select"]["by"] = "loo_mse";
  const Outcome two_rules = run_config(what, {"--force"});
  EXPECT_EQ(two_rules.code, 0) << two_rules.err;
  EXPECT_NE(two_rules.err.find("(elmx predict out DATA): a"), std::string::npos) << two_rules.err;
}

TEST_F(ChosenClasses, ProbabilitiesAreRefusedWhereThereAreNone) {
  run_classification("zero_one");
  const std::string of_fold = *models().begin();
  refuses(2, {"predict", of_fold, "new.csv", "--probabilities"}, {"elmx: --probabilities: ", "model.h5"});
  refuses(2, {"predict", "out", "new.csv", "--format", "nyp"}, {"--format", "nyp", "\"npy\""});

  write_data();
  fs::remove_all(work() / "out");
  ASSERT_EQ(run_config(config()).code, 0);
  refuses(2, {"predict", "out", "own.csv", "--probabilities"}, {"elmx: --probabilities: ", "regression"});
}

}  // namespace
}  // namespace elmx
