#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

class PredictProgram : public ProgramTest {
 protected:
  /// Runs a config that keeps its models, in out/; returns the name of one of the files.
  std::string trained(const std::string& config) {
    write("c.json", config);
    const Outcome outcome = run_once({"run", "c.json", "-o", "out"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(work() / "out" / "models"))
      files.insert("out/models/" + entry.path().filename().string());
    EXPECT_FALSE(files.empty());
    return files.empty() ? "" : *files.begin();
  }
};

const char* const kIris =
    "length,width,species\n5.1,3.5,setosa\n7,3.2,versicolor\n6.3,3.3,virginica\n4.9,3,setosa\n6.4,3.2,versicolor\n5.8,"
    "2.7,virginica\n"
    "4.7,3.2,setosa\n6.9,3.1,versicolor\n7.1,3,virginica\n4.6,3.1,setosa\n5.5,2.3,versicolor\n6.3,2.9,virginica\n";
const char* const kConfig =
    R"({"save_model": true, "data": {"path": "iris.csv", "target": ["species"], "task": "classification"},
    "split": {"kind": "k_fold", "folds": 2}, "model": {"algorithms": ["standard"], "ridge": 0.01, "nodes": {"start": 2, "stop": 6}}})";

TEST_F(PredictProgram, WritesOneLineASampleAndTheMetrics) {
  write("iris.csv", kIris);
  const std::string model = trained(kConfig);
  write("new.csv", "width,length\n3.5,5.0\n2.9,6.6\n");

  const Outcome outcome = run({"predict", model, "new.csv"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "row,class,output_setosa,output_versicolor,output_virginica");
  EXPECT_EQ(lines[1].substr(0, 2), "1,");
  EXPECT_EQ(lines[2].substr(0, 2), "2,");
  EXPECT_EQ(outcome.err, "") << "no targets, no metrics";
}

TEST_F(PredictProgram, LargeValuesAreRefusedWithTheirPlace) {
  write("iris.csv", kIris);
  const std::string model = trained(kConfig);
  write("new.csv", "width,length\n3.5,5.0\n2.9,1e151\n");
  for (const Arguments& more : {Arguments{}, {"--no-targets"}}) {
    Arguments arguments{"predict", model, "new.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    refuses(3, arguments, {"elmx: new.csv:", "2", "\"length\"", "1e+151"});
  }
}

TEST_F(PredictProgram, TestMetricsMatchTheRecord) {
  write("iris.csv", kIris);
  const std::string model = trained(kConfig);
  Json record;
  for (const std::string& line : lines_of(read("out/records.jsonl"))) {
    const Json one = Json::parse(line);
    if (model.find(one.at("key").get<std::string>()) != std::string::npos) record = one;
  }
  ASSERT_TRUE(record.is_object());

  const Outcome outcome = run({"predict", model, "--part", "test", "--metrics-only"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json metrics = record.at("steps").back().at("metrics");
  std::size_t compared = 0;
  for (const std::string& line : lines_of(outcome.out)) {
    char name[40], value[40];
    if (std::sscanf(line.c_str(), "| %39s | %39s |", name, value) != 2 || !metrics.contains(name)) continue;
    EXPECT_EQ(std::stod(value), metrics.at(name).get<double>()) << name;
    ++compared;
  }
  EXPECT_GE(compared, 3u) << outcome.out;
}

TEST_F(PredictProgram, PredictionsToFileLeaveMetricsOnStdout) {
  write("iris.csv", kIris);
  const std::string model = trained(kConfig);

  const Outcome outcome = run({"predict", model, "iris.csv", "-o", "p.csv"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(read("p.csv")).size(), 13u);
  EXPECT_EQ(lines_of(read("p.csv"))[0], "row,class,output_setosa,output_versicolor,output_virginica,target");
  EXPECT_NE(outcome.out.find("| acc "), std::string::npos) << outcome.out;
  EXPECT_EQ(run({"predict", model, "iris.csv"}).out, read("p.csv"));
}

TEST_F(PredictProgram, ARegressionIsInOriginalUnits) {
  std::string table = "a,strength\n";
  for (int i = 0; i < 20; ++i) table += std::to_string(i) + "," + std::to_string(1000 + 3 * i) + "\n";
  write("data.csv", table);
  const std::string model = trained(
      R"({"save_model": true, "data": {"path": "data.csv", "target": ["strength"]}, "preprocess": {"targets": {"scale": "standard"}},
      "split": {"kind": "holdout"}, "model": {"algorithms": ["standard"], "activation": "linear", "ridge": 1e-9, "nodes": {"start": 2, "stop": 6}}})");
  write("new.csv", "a\n10.5\n");

  const auto lines = lines_of(run({"predict", model, "new.csv"}).out);

  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "row,predicted_strength");
  EXPECT_NEAR(std::stod(lines[1].substr(2)), 1031.5, 1e-3);
}

/// Returns 30 rows of 3 a + noise, times `scale`, plus `shift`; kLinear scales the target to deviation 1.
std::string noisy_line(double scale, double shift) {
  std::string table = "a,strength\n";
  for (int i = 0; i < 30; ++i) table += fmt::format("{},{}\n", i, scale * (3 * i + 5 * std::sin(1000.0 * i)) + shift);
  return table;
}
const char* const kLinear =
    R"({"save_model": true, "data": {"path": "data.csv", "target": ["strength"]}, "preprocess": {"targets": {"scale": "standard"}},
    "split": {"kind": "k_fold"}, "model": {"family": "linear"}})";

TEST_F(PredictProgram, IntervalsAreInTheUnitsOfTheTarget) {
  write("new.csv", "a\n10.5\n20\n");
  const auto bounds = [&](double scale, double shift) {
    write("data.csv", noisy_line(scale, shift));
    fs::remove_all(work() / "out");
    trained(kLinear);
    const Outcome outcome = run({"predict", "out", "new.csv", "--interval", "0.8"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto lines = lines_of(outcome.out);
    EXPECT_EQ(lines.at(0), "row,predicted_strength,strength_lower,strength_upper");
    double row = 0, predicted = 0, lower = 0, upper = 0;
    EXPECT_EQ(std::sscanf(lines.at(2).c_str(), "%lf,%lf,%lf,%lf", &row, &predicted, &lower, &upper), 4);
    EXPECT_LT(lower, predicted);
    EXPECT_LT(predicted, upper);
    return std::pair(lower, upper);
  };
  const auto [lower, upper] = bounds(1, 0);
  const auto [other_lower, other_upper] = bounds(1000, 7);
  EXPECT_GT(upper - lower, 5) << "noise of amplitude 5, of which 80 % lie within";
  EXPECT_LT(upper - lower, 15);
  EXPECT_NEAR(other_lower, 1000 * lower + 7, 1e-4);
  EXPECT_NEAR(other_upper, 1000 * upper + 7, 1e-4);
}

TEST_F(PredictProgram, IntervalsThatTheModelCannotGiveAreRefused) {
  write("data.csv", noisy_line(1, 0));
  const std::string of_fold = trained(kLinear);
  for (const char* share : {"0", "1", "1.5", "nan"})
    refuses(2, {"predict", "out", "data.csv", "--interval", share}, {"--interval"});
  refuses(2, {"predict", "out", "data.csv", "--interval", "0.99"}, {"elmx: --interval", "99", "30"});
  refuses(2, {"predict", of_fold, "data.csv", "--interval", "0.8"}, {"--interval", "leave-one-out"});
  refuses(2, {"predict", "out", "data.csv", "--interval", "0.8", "--metrics-only"}, {"--interval"});

  write("iris.csv", kIris);
  fs::remove_all(work() / "out");
  trained(kConfig);
  refuses(2, {"predict", "out", "iris.csv", "--interval", "0.8"}, {"--interval", "classification"});
}

// From a file to a page, with networks that share everything except their options.
TEST_F(PredictProgram, ElmAndLayerEnsembleWorkThroughout) {
  std::string rows = "a,b,y\n";
  for (int i = 0; i < 60; ++i) {
    rows += std::to_string(i % 7) + "," + std::to_string(i % 11) + "," + std::to_string((i % 7) * (i % 11)) + "\n";
  }
  write("own.csv", rows);
  write(
      "c.json",
      R"({"data": {"path": "own.csv", "target": ["y"]}, "split": {"kind": "k_fold", "folds": 3}, "save_model": true, "cases": {
    "elm": {"model": {"algorithms": ["auto"], "nodes": {"start": 10, "stop": 30, "report": [10, 20, 30]}, "reference": "none"}},
    "layers": {"model": {"family": "rvfl", "algorithms": ["auto"], "nodes": 10, "layers": 3, "ensemble": true}}}})");
  ASSERT_EQ(run({"run", "c.json", "-o", "out", "--check"}).code, 0);

  EXPECT_NE(run({"table", "out", "--rows", "case,nodes", "--metric", "test_rmse"}).out.find("| layers |"),
            std::string::npos);
  const Outcome compared = run({"compare", "out", "--by", "case=elm,layers", "--metric", "test_rmse"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.out.find("9 pairs of steps; without a partner: 0 of elm, 0 of layers"), std::string::npos)
      << compared.out;
  std::size_t models = 0;
  write("new.csv", "b,a\n3,2\n5,6\n");
  for (const auto& entry : fs::directory_iterator(work() / "out" / "models")) {
    const std::string model = "out/models/" + entry.path().filename().string();
    const Outcome predicted = run({"predict", model, "new.csv"});
    EXPECT_EQ(predicted.code, 0) << model << predicted.err;
    EXPECT_EQ(lines_of(predicted.out).size(), 3u);
    EXPECT_EQ(run({"predict", model, "--part", "test", "--metrics-only"}).code, 0) << model;
    ++models;
  }
  EXPECT_EQ(models, 6u);
  EXPECT_EQ(run({"report", "out"}).code, 0);
  EXPECT_TRUE(exists("out/report.html"));
}

TEST_F(PredictProgram, PredictsASetByItsName) {
  const std::string model =
      trained(R"({"save_model": true, "data": {"set": "two_moons", "samples": 40}, "split": {"kind": "holdout"},
      "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 6}}})");
  const Outcome outcome = run({"predict", model, "two_moons"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 41u);
  EXPECT_NE(outcome.err.find("acc"), std::string::npos);
}

TEST_F(PredictProgram, RefusesInOneLine) {
  write("iris.csv", kIris);
  const std::string model = trained(kConfig);
  write("short.csv", "length\n1\n");
  write("cut.h5", std::string_view(read(model)).substr(0, 2000));

  refuses(3, {"predict", model, "short.csv"}, {"elmx: short.csv:", "\"width\""});
  refuses(3, {"predict", model, "no.csv"}, {"elmx: no.csv: "});
  refuses(3, {"predict", "cut.h5", "iris.csv"}, {"elmx: cut.h5: "});
  refuses(3, {"predict", "iris.csv", "iris.csv"}, {"elmx: iris.csv: "});
  refuses(3, {"predict", "none.h5", "iris.csv"}, {"elmx: none.h5: "});
  refuses(2, {"predict", model}, {"DATA", "--part"});
  refuses(2, {"predict", model, "iris.csv", "--part", "test"}, {"DATA", "--part"});
  refuses(2, {"predict", model, "--part", "other"}, {"--part"});
  refuses(2, {"predict", model, "--part", "unlabelled"}, {"elmx: --part: ", "\"unlabelled\""});
  refuses(2, {"predict", model, "iris.csv", "-o", "no/such/folder/p.csv"}, {"no/such/folder/p.csv"});
  refuses(2, {"predict", model, "iris.csv", "--labels", "iris.csv"}, {"elmx: --labels: "});
}

TEST_F(PredictProgram, ClosedPipeIsNoFailure) {
  write("iris.csv", kIris);
  const std::string model = trained(kConfig);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = start({"predict", model, "iris.csv"}, {}, ends[1]);
  ::close(ends[1]);
  ::close(ends[0]);
  EXPECT_EQ(finish(child).code, 0);
}

const char* const kWithCommas = "a;y\n1,5;1,6\n2,5;2,4\n3,5;3,7\n4,5;4,4\n5,5;5,6\n6,5;6,4\n";
const char* const kOfOneColumn = R"({"save_model": true, "data": {"path": "own.csv", "target": ["y"]},
    "split": {"kind": "k_fold", "folds": 2}, "model": {"family": "linear", "ridge": 0.01}})";

TEST_F(PredictProgram, OneColumnFilesUseTheModelsDecimalMark) {
  write("own.csv", kWithCommas);
  const std::string model = trained(kOfOneColumn);

  const Outcome predicted = run({"predict", model, write("new.csv", "a\n15,5\n3,5\n")});

  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(predicted.out, run({"predict", model, write("same.csv", "a;b\n15,5;\n3,5;\n")}).out);
}

TEST_F(PredictProgram, ATextAmongNumbersIsImputedOrRefused) {
  write("own.csv", "a;b;y\n1,5;1;1,6\n2,5;3;2,4\n3,5;2;3,7\n4,5;5;4,4\n5,5;4;5,6\n6,5;1;6,4\n");
  const std::string model = trained(kOfOneColumn);
  write("new.csv", "a;b\n15,5;1\nk.A.;2\n");

  const Outcome predicted = run({"predict", model, "new.csv", "--mark-imputed"});

  ASSERT_EQ(predicted.code, 0) << predicted.err;
  const auto lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("row,imputed,")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("1,0,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("2,1,")) << lines[2];
  refuses(3, {"predict", model, "new.csv", "--strict"}, {"elmx: new.csv:", "\"a\"", "\"k.A.\"", "3"});
}

// The training file has whole numbers beside decimal commas: 1.234 in a new file has a thousands separator,
// as in its other columns.
TEST_F(PredictProgram, WholeNumbersUseTheModelsDecimalMark) {
  write("own.csv", "a;b;y\n1,5;950;1,6\n2,5;1200;2,4\n3,5;800;3,7\n4,5;1100;4,4\n5,5;700;5,6\n6,5;990;6,4\n");
  const std::string model = trained(kOfOneColumn);

  const Outcome point = run({"predict", model, write("point.csv", "a;b\n2,5;1.234\n")});

  EXPECT_EQ(point.code, 0) << point.err;
  EXPECT_EQ(point.out, run({"predict", model, write("plain.csv", "a;b\n2,5;1234\n")}).out);
  EXPECT_NE(point.out, run({"predict", model, write("other.csv", "a;b\n2,5;1,234\n")}).out);
}

TEST_F(PredictProgram, TargetsAreFoundByName) {
  write("own.csv", "a,y1,y2\n1,1.6,-10\n2,2.4,-20\n3,3.7,-30\n4,4.4,-40\n5,5.6,-50\n6,6.4,-60\n");
  Json config = Json::parse(kOfOneColumn);
  config["data"]["target"] = {"y1", "y2"};
  const std::string model = trained(config.dump());

  const Outcome outcome = run({"predict", model, write("new.csv", "y2,a,y1\n-25,2.5,3.2\n")});

  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).at(0), "row,predicted_y1,predicted_y2,target_y1,target_y2");
  EXPECT_TRUE(lines_of(outcome.out).at(1).ends_with(",3.2,-25")) << outcome.out;
}

TEST_F(PredictProgram, TargetsMayBePartlyKnown) {
  write("own.csv", "a,y\n1,1.6\n2,2.4\n3,3.7\n4,4.4\n5,5.6\n6,6.4\n");
  const std::string model = trained(kOfOneColumn);
  write("new.csv", "a,y\n2.5,\n3.5,3.2\n");

  const Outcome outcome = run({"predict", model, "new.csv"});

  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[1].ends_with(",")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(",3.2")) << lines[2];
}

TEST_F(PredictProgram, BlanksAreImputedWithTrainingMeans) {
  write("own.csv", "a,y\n1,1.6\n2,2.4\n3,3.7\n4,4.4\n5,5.6\n6,6.4\n");
  trained(kOfOneColumn);
  write("lacks.csv", "a,y\n,1\n2,2\n");

  const Outcome outcome = run({"predict", "out", "lacks.csv"});  // the model of all rows, whose mean is 3.5

  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, run({"predict", "out", write("filled.csv", "a,y\n3.5,1\n2,2\n")}).out);
  EXPECT_TRUE(outcome.err.starts_with("lacks.csv: ")) << outcome.err;
  refuses(3, {"predict", "out", "lacks.csv", "--strict"}, {"elmx: lacks.csv:", "\"a\"", "2"});
}

TEST_F(PredictProgram, NamesOfColumnsAloneAreNoRows) {
  write("own.csv", kWithCommas);
  const std::string model = trained(kOfOneColumn);
  refuses(3, {"predict", model, write("names.csv", "a;y\n")}, {"elmx: names.csv:"});
}
}  // namespace
}  // namespace elmx
