#include <array>
#include <cmath>

#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

using Fields = std::vector<std::string>;

Fields fields_of(const std::string& line) {
  Fields fields(1);
  for (const char c : line) {
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// A method outside elmx: it predicts the mean, or the most frequent class, of the training part. It only
/// uses own.csv for the data and folds.csv for the folds.
class OwnMethod : public ProgramTest {
 protected:
  /// Returns row number -> last column of a CSV file without quotes.
  std::map<int, std::string> targets_of(const std::string& file) const {
    std::map<int, std::string> targets;
    const auto lines = lines_of(read(file));
    for (std::size_t i = 1; i < lines.size(); ++i) targets[static_cast<int>(i)] = fields_of(lines[i]).back();
    return targets;
  }

  /// (repeat, fold) -> part -> rows
  using Folds = std::map<std::pair<int, int>, std::map<std::string, std::vector<int>>>;

  Folds folds_in(const std::string& file) const {
    Folds folds;
    const auto lines = lines_of(read(file));
    EXPECT_EQ(lines.at(0), "row,repeat,fold,part");
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const Fields line = fields_of(lines[i]);
      folds[{std::stoi(line.at(1)), std::stoi(line.at(2))}][line.at(3)].push_back(std::stoi(line.at(0)));
    }
    return folds;
  }

  static double mean_of(const std::vector<int>& rows, const std::map<int, std::string>& targets) {
    double sum = 0;
    for (const int row : rows) sum += std::stod(targets.at(row));
    return sum / static_cast<double>(rows.size());
  }

  /// Writes 60 rows; two of them lack a value and are dropped.
  void write_regression() {
    std::string rows = "temperature,pressure,y\n";
    for (int i = 0; i < 60; ++i) {
      const double x = (i * 37 % 60) / 30.0 - 1, z = (i * 17 % 60) / 30.0 - 1;
      rows += std::to_string(x) + "," + (i == 3 || i == 40 ? "?" : std::to_string(z)) + "," +
              std::to_string(10 * x * x + z + 0.3 * std::sin(97.0 * i)) + "\n";
    }
    write("own.csv", rows);
    write("c.json", regression().dump());
  }

  static Json regression() {
    return Json::parse(R"({"data": {"path": "own.csv", "target": ["y"], "missing": "drop_rows"}, "repeats": 2,
      "split": {"kind": "k_fold", "folds": 4}, "select": {"by": "loo_mse"},
      "model": {"algorithms": ["standard", "panel"], "ridge": [1e-6, 1e-4, 1e-3], "reference": "none",
                "nodes": {"start": 5, "stop": 20, "report": [5, 20]}}})");
  }

  /// Returns the lines of predictions, "row,repeat,fold,prediction" and the time 0.5 s.
  std::vector<std::string> predictions() const {
    const auto targets = targets_of("own.csv");
    std::vector<std::string> lines = {"row,repeat,fold,prediction,seconds"};
    for (const auto& [fold, parts] : folds_in("folds.csv")) {
      char mean[40];
      std::snprintf(mean, sizeof mean, "%.17g", mean_of(parts.at("train"), targets));
      for (const int row : parts.at("test"))
        lines.push_back(std::to_string(row) + "," + std::to_string(fold.first) + "," + std::to_string(fold.second) +
                        "," + mean + ",0.5");
    }
    return lines;
  }

  void write_lines(const std::string& name, const std::vector<std::string>& lines) const {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write(name, text);
  }

  void run_and_write_folds() {
    write_regression();
    ASSERT_EQ(run_once({"run", "c.json", "-o", "out"}).code, 0);
    const Outcome folds = run_once({"folds", "c.json", "-o", "folds.csv"});
    ASSERT_EQ(folds.code, 0) << folds.err;
    write_lines("mean.csv", predictions());
  }

  void import_mean() {
    run_and_write_folds();
    const Outcome imported = run({"import", "out", "mean.csv", "--as", "mean"});
    ASSERT_EQ(imported.code, 0) << imported.err;
  }

  Json table(const Arguments& more) const {
    Arguments arguments{"table", "out", "--format", "json", "--metric", "test_rmse"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }
};

// The column "row" of a predictions file is the row number, even if the target has this name.
TEST_F(OwnMethod, TargetNamedRowNeedsTheColumnPrediction) {
  write_regression();
  std::string data = read("own.csv");
  write("own.csv", data.replace(data.find(",y\n"), 3, ",row\n"));
  Json config = regression();
  config["data"]["target"] = {"row"};
  write("c.json", config.dump());
  ASSERT_EQ(run({"run", "c.json", "-o", "out"}).code, 0);
  ASSERT_EQ(run({"folds", "c.json", "-o", "folds.csv"}).code, 0);
  std::vector<std::string> lines = predictions();
  write_lines("mean.csv", lines);
  EXPECT_EQ(run({"import", "out", "mean.csv", "--as", "mean"}).code, 0);
  for (std::string& line : lines) line.erase(line.rfind(',', line.rfind(',') - 1));
  write_lines("without.csv", lines);
  refuses(3, {"import", "out", "without.csv", "--as", "without"}, {"elmx: without.csv:", "\"row\"", "prediction"});
}

TEST_F(OwnMethod, FoldsAreThoseOfTheRun) {
  write_regression();
  const Outcome outcome = run({"folds", "c.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  write("folds.csv", outcome.out);

  const Folds folds = folds_in("folds.csv");
  ASSERT_EQ(folds.size(), 8u);
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::multiset<int> tested;
    for (int fold = 0; fold < 4; ++fold) {
      const auto& parts = folds.at({repeat, fold});
      std::set<int> both(parts.at("train").begin(), parts.at("train").end());
      both.insert(parts.at("test").begin(), parts.at("test").end());
      EXPECT_EQ(both.size(), 58u);
      EXPECT_FALSE(both.contains(4) || both.contains(41)) << "rows that were dropped";
      EXPECT_TRUE(both.contains(1) && both.contains(60));
      tested.insert(parts.at("test").begin(), parts.at("test").end());
    }
    EXPECT_EQ(tested.size(), 58u);
    EXPECT_EQ(std::set<int>(tested.begin(), tested.end()).size(), 58u) << "each row is tested once";
  }
}

// In units of the standard deviation, the mean of the training part has an RMSE of about 1, in units of the
// range a fraction of 1.
TEST_F(OwnMethod, IsMeasuredInTheUnitsOfEachPoint) {
  write_regression();
  Json config = regression();
  config["preprocess"]["targets"] = {{"units", "scaled"}, {"scale", {"zero_one", "standard"}}};
  write("c.json", config.dump());
  ASSERT_EQ(run({"run", "c.json", "-o", "out"}).code, 0);
  ASSERT_EQ(run({"folds", "c.json", "-o", "folds.csv"}).code, 0);
  write_lines("mean.csv", predictions());
  ASSERT_EQ(run({"import", "out", "mean.csv", "--as", "mean"}).code, 0);

  std::map<std::string, std::vector<double>> found;
  for (const std::string& line : lines_of(read("out/imported/mean.jsonl"))) {
    const Json record = Json::parse(line);
    found[record.at("point").at("/preprocess/targets/scale")].push_back(
        record.at("steps").at(0).at("metrics").at("test_rmse"));
  }
  ASSERT_EQ(found.size(), 2u);
  for (const double rmse : found["standard"]) EXPECT_TRUE(rmse > 0.6 && rmse < 1.6) << rmse;
  for (const double rmse : found["zero_one"]) EXPECT_LT(rmse, 0.5);
}

TEST_F(OwnMethod, AppearsInEveryViewWithItsError) {
  import_mean();

  const auto targets = targets_of("own.csv");
  double sum = 0;
  for (const auto& [fold, parts] : folds_in("folds.csv")) {
    double squares = 0;
    for (const int row : parts.at("test"))
      squares += std::pow(std::stod(targets.at(row)) - mean_of(parts.at("train"), targets), 2);
    sum += std::sqrt(squares / static_cast<double>(parts.at("test").size()));
  }
  const Outcome csv = run({"table", "out", "--metric", "test_rmse,total_seconds", "--rows", "algorithm", "--where",
                           "algorithm=mean", "--stat", "mean", "--format", "csv"});
  ASSERT_EQ(csv.code, 0) << csv.err;
  const Fields line = fields_of(lines_of(csv.out).at(1));
  EXPECT_EQ(line.at(0), "mean");
  EXPECT_NEAR(std::stod(line.at(1)), sum / 8, 1e-12 * sum);
  EXPECT_EQ(line.at(2), "0.5");

  const Outcome tables = run({"table", "out"});
  EXPECT_NE(tables.out.find("| mean "), std::string::npos) << tables.out;
  EXPECT_NE(read("out/tables/regression.csv").find(",mean,"), std::string::npos);
  const Outcome compared = run({"compare", "out", "--by", "algorithm=panel,mean", "--where", "chosen=by loo_mse,-",
                                "--test", "corrected_t", "--metric", "test_rmse", "--format", "csv"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.out.find(",mean,"), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find(",test_rmse,8,"), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find(",higher"), std::string::npos) << compared.out;
  const Outcome plotted = run({"plot", "out", "nodes"});
  EXPECT_EQ(plotted.code, 0) << plotted.err;
  EXPECT_NE(read("out/plots/own.csv_test_rmse_by_nodes.gp").find("\"mean\""), std::string::npos)
      << read("out/plots/own.csv_test_rmse_by_nodes.gp");
  EXPECT_EQ(run({"report", "out"}).code, 0);
  EXPECT_NE(read("out/report.html").find("<td>mean</td>"), std::string::npos);
}

TEST_F(OwnMethod, SelectionsAreRowsOfEveryView) {
  import_mean();
  const auto value_of = [&](const std::string& chosen) {
    const Json json = table(
        {"--rows", "algorithm,chosen", "--where", "algorithm=panel", "--where", "chosen=" + chosen, "--stat", "mean"});
    return json.at("rows").at(0).dump();
  };
  // By definition: for each trial the step of least loo_mse, for all trials the point of least mean.
  std::map<std::pair<int, int>, std::array<double, 3>> least;  // trial -> loo_mse, test_rmse, ridge
  std::map<std::string, double> sums;
  for (const std::string& line : lines_of(read("out/records.jsonl"))) {
    const Json record = Json::parse(line);
    if (record.at("algorithm") != "panel") continue;
    for (const Json& step : record.at("steps")) {
      const double loo = step.at("metrics").at("loo_mse"), rmse = step.at("metrics").at("test_rmse");
      const std::array<double, 3> here = {loo, rmse, record.at("point").at("/model/ridge")};
      const auto [found, first] = least.try_emplace({record.at("repeat"), record.at("fold")}, here);
      if (!first && loo < found->second[0]) found->second = here;
      sums[record.at("point").dump() + step.at("nodes").dump()] += rmse / 8;
    }
  }
  double by_loo = 0, best = INFINITY;
  std::map<double, int> ridges_chosen;
  for (const auto& [trial, step] : least) {
    by_loo += step[1] / 8;
    ++ridges_chosen[step[2]];
  }
  for (const auto& [point, mean] : sums) best = std::min(best, mean);
  const auto mean_in = [&](const std::string& chosen) {
    const Outcome csv = run({"table", "out", "--metric", "test_rmse", "--rows", "chosen", "--stat", "mean", "--format",
                             "csv", "--where", "algorithm=panel", "--where", "chosen=" + chosen});
    EXPECT_EQ(csv.code, 0) << csv.err;
    return std::stod(fields_of(lines_of(csv.out).at(1)).back());
  };
  EXPECT_NEAR(mean_in("by loo_mse"), by_loo, 1e-12 * by_loo);
  EXPECT_NEAR(mean_in("best on the test part"), best, 1e-12 * best);
  EXPECT_NEAR(mean_in("best on test"), best, 1e-12 * best) << "the same in short";
  EXPECT_NE(value_of("grid point").find("grid point"), std::string::npos);

  for (const Arguments& arguments :
       {Arguments{"compare", "out", "--by", "algorithm=panel,standard", "--where", "chosen=by loo_mse"},
        Arguments{"compare", "out", "--by", "chosen=by loo_mse,best on the test part", "--where", "algorithm=panel"},
        Arguments{"compare", "out", "out", "--where", "chosen=by loo_mse", "--where", "algorithm=panel"},
        Arguments{"plot", "out", "nodes", "--where", "algorithm=panel"},
        Arguments{"report", "out", "--where", "chosen=by loo_mse"},
        Arguments{"table", "out", "--where", "chosen=by loo_mse"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments.at(0) << ": " << outcome.err;
    if (arguments[0] == "compare") {
      EXPECT_NE(outcome.out.find("8 pairs of steps"), std::string::npos) << outcome.out;
    }
  }
  EXPECT_NE(read("out/report.html").find("Only the records with chosen=by loo_mse are shown."), std::string::npos);
  EXPECT_NE(read("out/plots/own.csv_test_rmse_by_nodes_where_algorithm_panel.gp").find("by loo"), std::string::npos);
  const Outcome choice_alone = run({"plot", "out", "ridge", "--where", "chosen=by loo_mse", "-o", "alone"});
  EXPECT_EQ(choice_alone.code, 0) << choice_alone.err;
  EXPECT_NE(read("alone/plots/own.csv_test_rmse_by_ridge_where_chosen_by_loo_mse.gp").find("title \"standard, panel\""),
            std::string::npos)
      << read("alone/plots/own.csv_test_rmse_by_ridge_where_chosen_by_loo_mse.gp");
  const Outcome selected = run({"table", "out", "--where", "chosen=by loo_mse"});
  EXPECT_EQ(selected.out.find("| best on the test part"), std::string::npos) << selected.out;
  const Outcome ridges = run({"table", "out", "--metric", "test_rmse", "--rows", "ridge", "--where",
                              "chosen=by loo_mse", "--where", "algorithm=panel", "--stat", "count", "--format", "csv"});
  std::map<double, int> found;
  for (const std::string& line : lines_of(ridges.out)) {
    if (!line.starts_with("ridge")) found[std::stod(fields_of(line).at(0))] = std::stoi(fields_of(line).at(1));
  }
  EXPECT_EQ(found, ridges_chosen) << "how often each was chosen: " << ridges.out;
}

TEST_F(OwnMethod, StaysUntilReplacedByName) {
  import_mean();
  const std::string imported = read("out/imported/mean.jsonl");
  const auto shown = [&] { return run({"table", "out"}).out.find("| mean ") != std::string::npos; };

  EXPECT_EQ(run({"run", "c.json", "-o", "out", "--resume"}).code, 0);
  EXPECT_TRUE(shown());
  EXPECT_NE(read("out/tables/regression.csv").find(",mean,"), std::string::npos);
  const Outcome anew = run({"run", "c.json", "-o", "out", "--force"});
  EXPECT_EQ(anew.code, 0);
  EXPECT_NE(anew.err.find("imported"), std::string::npos) << anew.err;
  EXPECT_TRUE(shown());
  EXPECT_EQ(read("out/imported/mean.jsonl"), imported);

  const Outcome again = run({"import", "out", "mean.csv", "--as", "mean"});
  EXPECT_NE(again.err.find("replacing the earlier import"), std::string::npos) << again.err;
  EXPECT_EQ(read("out/imported/mean.jsonl"), imported);

  // The folds are different, so the imported predictions belong to none of them.
  Json other = regression();
  other["seed"] = 2;
  write("c.json", other.dump());
  EXPECT_EQ(run({"run", "c.json", "-o", "out", "--force"}).code, 0);
  EXPECT_FALSE(shown());
  EXPECT_NE(run({"table", "out"}).err.find("elmx: out/imported/mean.jsonl: "), std::string::npos);
}

TEST_F(OwnMethod, PredictionsThatAreNotCompleteAreRefused) {
  run_and_write_folds();
  const std::vector<std::string> right = predictions();
  const auto wrong = [&](auto change, const std::vector<std::string>& parts) {
    std::vector<std::string> lines = right;
    change(lines);
    write_lines("wrong.csv", lines);
    std::vector<std::string> all = parts;
    all.emplace_back("elmx: wrong.csv:");
    refuses(3, {"import", "out", "wrong.csv", "--as", "mean"}, all);
  };
  using Lines = std::vector<std::string>;
  wrong([](Lines& lines) { lines.erase(lines.begin() + 7); }, {"1 of"});
  wrong([](Lines& lines) { lines.insert(lines.begin() + 5, lines[4]); }, {"6", "line 5"});
  wrong([](Lines& lines) { lines[1] = "4,0,0,1,0.5"; }, {"2", "row 4 ", "repeat 0, fold 0"});
  wrong([](Lines& lines) { lines[1] = "1,9,0,1,0.5"; }, {"2", "repeat", "9", "0 to 1"});
  wrong([](Lines& lines) { lines[1] = "1,0,4,1,0.5"; }, {"2", "fold", "4", "0 to 3"});
  wrong([](Lines& lines) { lines[3].replace(lines[3].rfind(",0.5"), 4, ",7"); }, {"seconds", "7"});
  wrong([](Lines& lines) { lines[1] = "x" + lines[1]; }, {"2", "integer", "\"x"});
  wrong([](Lines& lines) { lines[0] = "row,repeat,fold,predicted,seconds"; }, {"own.csv", "prediction"});
  wrong([](Lines& lines) { lines[0] = "row,repeat,fold,prediction,time"; }, {"\"time\""});
  wrong([](Lines& lines) { lines[0] = "row,repeat,fold,prediction"; }, {"4", "5"});
  wrong([](Lines& lines) { lines.resize(1); }, {"prediction"});
  wrong([](Lines& lines) { lines[0] = "row,repeat,row,prediction,seconds"; }, {"1", "\"row\""});
  wrong([](Lines& lines) { lines[0] = "line,repeat,fold,prediction,seconds"; }, {"\"row\""});
  wrong([](Lines& lines) { lines[2] = lines[2].substr(0, lines[2].rfind(',')) + ",-1"; }, {"3", "column 5", "-1"});
  wrong(
      [](Lines& lines) {
        std::size_t end = lines[3].rfind(',');
        lines[3].replace(lines[3].rfind(',', end - 1) + 1, end - lines[3].rfind(',', end - 1) - 1, "inf");
      },
      {"4", "column 4", "\"inf\""});
  wrong(
      [](Lines& lines) {
        for (std::string& line : lines) line += line == lines[0] ? ",part" : line == lines[5] ? ",train" : ",test";
      },
      {"6", "column 6", "\"train\""});
  refuses(2, {"import", "out", "mean.csv", "--as", "panel"}, {"elmx: --as", "panel"});
  refuses(2, {"import", "out", "mean.csv", "--as", "../mean"}, {"elmx: --as", "../mean"});
  refuses(3, {"import", "nowhere", "mean.csv", "--as", "mean"}, {"elmx: nowhere/experiment.json: "});
  refuses(3, {"import", "out", "none.csv", "--as", "mean"}, {"elmx: none.csv: "});
  std::string data = read("own.csv");
  data[data.size() - 2] = data[data.size() - 2] == '1' ? '2' : '1';
  write("own.csv", data);
  refuses(3, {"import", "out", "mean.csv", "--as", "mean"}, {"elmx: out/experiment.json: ", "own.csv"});
}

// Errors of both targets are on the scale of the network: (t - min) / (max - min) of the training part.
TEST_F(OwnMethod, SeveralTargetsAreColumnsInUnitsOfTrials) {
  std::string rows = "x,u,v\n";
  std::map<int, std::array<double, 2>> targets;
  for (int i = 1; i <= 30; ++i) {
    targets[i] = {i * 7 % 13 + 0.5, 100.0 * (i * 5 % 11)};
    rows += std::to_string(i) + "," + std::to_string(targets[i][0]) + "," + std::to_string(targets[i][1]) + "\n";
  }
  write("own.csv", rows);
  write("c.json", R"({"data": {"path": "own.csv", "target": ["u", "v"]}, "split": {"kind": "k_fold", "folds": 3},
    "preprocess": {"targets": {"scale": "zero_one", "units": "scaled"}},
    "model": {"algorithms": ["panel"], "nodes": {"start": 2, "stop": 4, "report": [4]}}})");
  ASSERT_EQ(run({"run", "c.json", "-o", "out"}).code, 0);
  ASSERT_EQ(run({"folds", "c.json", "-o", "folds.csv"}).code, 0);
  std::string csv = "row,v,repeat,u,fold\n";
  double mean = 0;
  for (const auto& [fold, parts] : folds_in("folds.csv")) {
    double squares = 0;
    for (const std::size_t j : {0u, 1u}) {
      double low = INFINITY, high = -INFINITY;
      for (const int row : parts.at("train")) {
        low = std::min(low, targets.at(row)[j]);
        high = std::max(high, targets.at(row)[j]);
      }
      for (const int row : parts.at("test"))
        squares += std::pow((targets.at(row)[j] - (j == 0 ? 3 : 50)) / (high - low), 2);
    }
    mean += squares / (2.0 * static_cast<double>(parts.at("test").size())) / 3;
    for (const int row : parts.at("test")) csv += std::to_string(row) + ",50,0,3," + std::to_string(fold.second) + "\n";
  }
  write("own_predictions.csv", csv);
  const Outcome imported = run({"import", "out", "own_predictions.csv", "--as", "constant"});
  ASSERT_EQ(imported.code, 0) << imported.err;

  const Outcome table = run({"table", "out", "--metric", "test_mse", "--rows", "algorithm", "--where",
                             "algorithm=constant", "--stat", "mean", "--format", "csv"});
  EXPECT_NEAR(std::stod(fields_of(lines_of(table.out).at(1)).back()), mean, 1e-12 * mean);
  write("wrong.csv", "row,repeat,fold,u\n1,0,0,1\n");
  refuses(3, {"import", "out", "wrong.csv", "--as", "x"}, {"elmx: wrong.csv:", "own.csv", "u, v"});
}

// Two data sets, each split into two folds and into three. The error of the prediction 3 is mean((y - 3)^2).
TEST_F(OwnMethod, LinesNameTheDataSetAndItsSplit) {
  std::map<std::string, std::map<int, double>> targets;
  for (const std::string name : {"a.csv", "b.csv"}) {
    std::string rows = "x,y\n";
    for (int i = 1; i <= 12; ++i) {
      targets[name][i] = i * (name == "a.csv" ? 5 : 3) % 7;
      rows += std::to_string(i * i) + "," + std::to_string(targets[name][i]) + "\n";
    }
    write(name, rows);
  }
  write("c.json", R"({"data": [{"path": "a.csv", "target": ["y"]}, {"path": "b.csv", "target": ["y"]}],
    "cases": {"two": {"split": {"kind": "k_fold", "folds": 2}}, "three": {"split": {"kind": "k_fold", "folds": 3}}},
    "model": {"algorithms": ["panel"], "nodes": {"start": 2, "stop": 4, "report": [4]}}})");
  ASSERT_EQ(run({"run", "c.json", "-o", "out"}).code, 0);
  ASSERT_EQ(run({"folds", "c.json", "-o", "folds.csv"}).code, 0);
  const auto lines = lines_of(read("folds.csv"));
  ASSERT_EQ(lines.at(0), "dataset,split,row,repeat,fold,part");
  std::vector<std::string> predicted = {"dataset,split,row,repeat,fold,part,prediction"};
  std::map<std::array<std::string, 3>, std::vector<int>> tested;  // data set, split, fold
  std::map<std::string, std::size_t> folds_of_split;
  for (const std::string& line : lines) {
    const Fields fields = fields_of(line);
    if (fields.at(5) != "test") continue;
    predicted.push_back(line + ",3");
    tested[{fields[0], fields[1], fields[4]}].push_back(std::stoi(fields[2]));
    folds_of_split[fields[1]] = std::max(folds_of_split[fields[1]], std::stoul(fields[4]) + 1);
  }
  write_lines("three.csv", predicted);

  ASSERT_EQ(run({"import", "out", "three.csv", "--as", "always 3"}).code, 0);

  std::size_t seen = 0;
  for (const std::string& line : lines_of(read("out/imported/always 3.jsonl"))) {
    const Json record = Json::parse(line);
    const std::string data = record.at("dataset"), fold = record.at("fold").dump();
    const std::size_t folds = record.at("case") == "two" ? 2 : 3;
    for (const auto& [split, count] : folds_of_split) {
      if (count != folds) continue;
      double squares = 0;
      const std::vector<int>& rows = tested.at({data, split, fold});
      for (const int row : rows) squares += std::pow(targets.at(data).at(row) - 3, 2);
      EXPECT_NEAR(record.at("steps").at(0).at("metrics").at("test_mse").get<double>(),
                  squares / static_cast<double>(rows.size()), 1e-12);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 10u);

  const auto wrong = [&](const std::string& from, const std::string& to, const std::vector<std::string>& parts) {
    std::vector<std::string> changed = predicted;
    changed[1] = to + changed[1].substr(from.size());
    write_lines("wrong.csv", changed);
    refuses(3, {"import", "out", "wrong.csv", "--as", "x"}, parts);
  };
  wrong("a.csv,", "c.csv,", {"elmx: wrong.csv:2: column 1", "\"c.csv\""});
  wrong("a.csv,1,", "a.csv,3,", {"elmx: wrong.csv:2: column 2", "3"});
}

TEST_F(OwnMethod, ClassesHaveNamesOrScores) {
  std::string rows = "a,b,kind\n";
  for (int i = 0; i < 40; ++i)
    rows += std::to_string(i % 7) + "," + std::to_string(i % 11) + "," + (i % 3 == 0 ? "yes" : "no") + "\n";
  write("own.csv", rows);
  write("c.json", R"({"data": {"path": "own.csv", "target": ["kind"], "task": "classification"},
    "split": {"kind": "holdout", "test_fraction": 0.25}, "repeats": 2,
    "model": {"algorithms": ["panel"], "nodes": {"start": 2, "stop": 4}}})");
  ASSERT_EQ(run({"run", "c.json", "-o", "out"}).code, 0);
  ASSERT_EQ(run({"folds", "out/experiment.json", "-o", "folds.csv"}).code, 0);
  const auto targets = targets_of("own.csv");
  std::string named = "row,repeat,fold,part,prediction\n", scored = "fold,repeat,row,score_yes,score_no\n";
  double right = 0;
  for (const auto& [fold, parts] : folds_in("folds.csv")) {
    EXPECT_EQ(parts.at("test").size(), 10u);
    EXPECT_EQ(parts.at("train").size(), 30u);
    for (const int row : parts.at("test")) {
      const std::string predicted = row % 2 == 0 ? "yes" : "no", repeat = std::to_string(fold.first);
      right += predicted == targets.at(row);
      named += std::to_string(row) + "," + repeat + ",0,test," + predicted + "\n";
      scored += "0," + repeat + "," + std::to_string(row) + (row % 2 == 0 ? ",0.7,0.3\n" : ",-2,1e3\n");
    }
  }
  write("named.csv", named);
  write("scored.csv", scored);
  EXPECT_EQ(run({"import", "out", "named.csv", "--as", "by name"}).code, 0);
  EXPECT_EQ(run({"import", "out", "scored.csv", "--as", "by score"}).code, 0);

  for (const std::string method : {"by name", "by score"}) {
    const Outcome csv = run({"table", "out", "--metric", "test_acc", "--rows", "algorithm", "--where",
                             "algorithm=" + method, "--stat", "mean", "--format", "csv"});
    EXPECT_NEAR(std::stod(fields_of(lines_of(csv.out).at(1)).back()), right / 20, 1e-15) << csv.out;
  }
  EXPECT_EQ(run({"compare", "out", "--by", "algorithm", "--where", "nodes=4,-", "--test", "corrected_t"}).code, 0);
  named.replace(named.rfind(",test,") + 6, 2, "maybe-");
  write("wrong.csv", named);
  refuses(3, {"import", "out", "wrong.csv", "--as", "x"}, {"elmx: wrong.csv:", "21", "\"maybe-", "own.csv"});
}

}  // namespace
}  // namespace elmx
