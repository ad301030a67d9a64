#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// The headline above the results: the expected performance of the saved model.
class HeadlineTest : public ProgramTest {
 protected:
  /// Writes 90 rows; y = x^2 + a little of z, or only noise.
  void write_data(bool signal = true) const {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::string rows = "x,z,y\n";
    for (int i = 0; i < 90; ++i) {
      const double x = normal(random), z = normal(random);
      rows += fmt::format("{:.6f},{:.6f},{:.6f}\n", x, z, (signal ? x * x + 0.3 * z : 0) + 0.2 * normal(random));
    }
    write("own.csv", rows);
  }

  static Json config() {
    return Json::parse(R"({"name": "own", "save_model": true,
      "data": {"path": "own.csv", "target": ["y"], "task": "regression"},
      "split": {"kind": "k_fold", "folds": 5}, "select": {"by": "loo_mse"}, "preprocess": {"inputs": "standard"},
      "cases": {
        "elm": {"model": {"family": "elm", "algorithms": ["panel"], "ridge": [1e-6, 1e-3, 1], "reference": "none",
                          "nodes": [5, 15, 40]}},
        "rvfl": {"model": {"family": "rvfl", "algorithms": ["panel"], "ridge": [1e-3, 1], "nodes": [10, 30],
                           "reference": "none"}},
        "linear": {"model": {"family": "linear", "ridge": [0.1, 1, 10]}},
        "mean": {"model": {"family": "mean"}}}})");
  }

  Outcome run_own(const Json& what) const {
    write("own.json", what.dump());
    return run_once({"run", "own.json"});
  }

  /// Returns the rows of tables/headline.json.
  Json headline(const std::string& folder = "out/own") const {
    return parse_json(read(folder + "/tables/headline.json"), "headline.json").at("rows");
  }

  std::vector<Json> records(const std::string& folder = "out/own") const {
    std::vector<Json> all;
    for (const std::string& line : lines_of(read(folder + "/records.jsonl"))) all.push_back(Json::parse(line));
    return all;
  }
};

// Computed from the records: in each fold the step with the least loo_mse of all cases, points and sizes.
TEST_F(HeadlineTest, IsTheMeanOfTheChosenMethods) {
  write_data();
  const Outcome outcome = run_own(config());
  ASSERT_EQ(outcome.code, 0) << outcome.err;

  std::map<int, std::pair<double, double>> best;  // fold -> loo_mse, test_rmse
  for (const Json& record : records()) {
    for (const Json& step : record.at("steps")) {
      const double loo = step.at("metrics").at("loo_mse"), test = step.at("metrics").at("test_rmse");
      const auto [of_fold, is_new] = best.try_emplace(record.at("fold").get<int>(), loo, test);
      if (!is_new && loo < of_fold->second.first) of_fold->second = {loo, test};
    }
  }
  ASSERT_EQ(best.size(), 5u);
  double mean = 0, squares = 0;
  for (const auto& [fold, both] : best) mean += both.second / 5;
  for (const auto& [fold, both] : best) squares += (both.second - mean) * (both.second - mean) / 4;
  const Json row = headline().at(0);
  EXPECT_EQ(row.at("metric"), "test_rmse");
  EXPECT_NEAR(row.at("expected").get<double>(), mean, 1e-12);
  // Nadeau and Bengio: s^2 (1/5 + 1/4); P(|T_4| > 2.776445105) = 0.05
  const double half = 2.776445105197793 * std::sqrt(squares * (0.2 + 0.25));
  EXPECT_NEAR(row.at("low").get<double>(), std::max(0.0, mean - half), 1e-9);
  EXPECT_NEAR(row.at("high").get<double>(), mean + half, 1e-9);
  EXPECT_EQ(row.at("better_than_trivial"), "yes");
}

TEST_F(HeadlineTest, AppearsInOutputTablesAndPage) {
  write_data();
  const Outcome outcome = run_own(config());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string model = headline().at(0).at("model"), first = lines_of(outcome.out).at(0);
  EXPECT_NE(outcome.err.find("out/own/model.h5 (elmx predict out/own DATA): " + model), std::string::npos)
      << outcome.err;
  EXPECT_NE(first.find(model), std::string::npos) << first;
  for (const char* next : {"elmx predict out/own ", "elmx report out/own ", "elmx run own.json "})
    EXPECT_NE(outcome.out.find(next), std::string::npos) << next;

  const Outcome table = run({"table", "out/own"});
  EXPECT_EQ(lines_of(table.out).at(0), first);
  ASSERT_EQ(run({"report", "out/own", "-o", "page.html"}).code, 0);
  const std::string page = read("page.html"), begin = first.substr(0, first.find('['));
  EXPECT_NE(page.find(begin), std::string::npos) << begin;
  EXPECT_LT(page.find(begin), page.find("<h2>Figures</h2>"));
  for (const char* format : {"csv", "json"})
    EXPECT_EQ(run({"table", "out/own", "--format", format}).out.find("the saved model"), std::string::npos) << format;
}

TEST_F(HeadlineTest, NoiseIsNotBetterThanTrivial) {
  write_data(false);
  const Outcome outcome = run_own(config());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(headline().at(0).at("better_than_trivial"), "yes");
}

TEST_F(HeadlineTest, WithoutATrivialCaseNothingIsTested) {
  write_data();
  Json what = config();
  what["cases"].erase("mean");
  ASSERT_EQ(run_own(what).code, 0);
  EXPECT_EQ(headline().at(0).at("better_than_trivial"), "not tested");
}

// The least error is at the first or the last ridge parameter of this case; the headline warns of this.
TEST_F(HeadlineTest, NamesTheEdgeOfWhatWasTried) {
  write_data();
  Json what = config();
  what["cases"] = Json::parse(R"({"linear": {"model": {"family": "linear", "ridge": [1e-3, 1e4, 1e5, 1e6]}}})");
  ASSERT_EQ(run_own(what).code, 0);
  EXPECT_EQ(headline().at(0).at("edges"), "ridge 0.001");

  what["cases"]["linear"]["model"]["ridge"] = {-1e-9 + 1e-9, 1e-3, 1e6};
  ASSERT_EQ(run({"run", write("own.json", what.dump()), "--force"}).code, 0);
  const std::string model = headline().at(0).at("model");
  EXPECT_EQ(headline().at(0).at("edges"), model.find("ridge 0.001") == std::string::npos ? "ridge 0" : "-") << model;
}

TEST_F(HeadlineTest, OfOneMethodIsItsOwnNumber) {
  write_data();
  Json what = config();
  what.erase("cases");
  what.erase("select");
  what["model"] = {{"family", "linear"}, {"ridge", 1}};
  ASSERT_EQ(run_own(what).code, 0);
  double mean = 0;
  for (const Json& record : records()) mean += record.at("steps").at(0).at("metrics").at("test_rmse").get<double>() / 5;
  EXPECT_NEAR(headline().at(0).at("expected").get<double>(), mean, 1e-12);
}

TEST_F(HeadlineTest, OfSeveralDataSetsEachHasItsOwn) {
  write_data();
  write("other.csv", read("own.csv"));
  Json what = config();
  what["cases"] = Json::parse(R"({"a": {"data": {"path": "own.csv"}}, "b": {"data": {"path": "other.csv"}}})");
  what["model"] = {{"family", "linear"}, {"ridge", {0.1, 1, 10}}};
  const Outcome outcome = run_own(what);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = headline();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0].at("expected").get<double>(), rows[1].at("expected").get<double>(), 1e-12);
  const std::size_t begin = outcome.out.find("elmx predict ") + 13;
  const std::string model = outcome.out.substr(begin, outcome.out.find(' ', begin) - begin);
  EXPECT_EQ(run({"predict", model, "own.csv"}).code, 0) << model;
}

TEST_F(HeadlineTest, IsNotThereWithoutAModel) {
  write_data();
  Json what = config();
  what["save_model"] = false;
  const Outcome outcome = run_own(what);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(exists("out/own/tables/headline.json"));
  EXPECT_NE(outcome.out.find("lowest test RMSE"), std::string::npos) << "which method is best is said instead";
}

/// 3 % of the rows are of the second class, which one input indicates weakly.
class RareClass : public HeadlineTest {
 protected:
  void write_rare() const {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::string rows = "a,b,fraud\n";
    for (int i = 0; i < 600; ++i) {
      const bool rare = i % 30 == 7;
      rows += fmt::format("{:.6f},{:.6f},{}\n", normal(random) + (rare ? 1.5 : 0), normal(random), rare ? 1 : 0);
    }
    write("rare.csv", rows);
  }
};

TEST_F(RareClass, UsesBalancedAccuracyAndWeights) {
  write_rare();
  ASSERT_EQ(run({"init", "rare.csv", "--target", "fraud"}).code, 0);
  Json what = parse_json(read("rare.json"), "rare.json");
  EXPECT_EQ(what["select"]["by"], "loo_bac");
  EXPECT_EQ(what["preprocess"]["targets"]["class_weights"], Json::parse(R"([null, "balanced"])"));
  EXPECT_EQ(what["cases"]["kernel"]["model"]["choose"]["by"], "loo_bac") << "one metric chooses everything";

  what["cases"] = Json::parse(R"({"linear": {"model": {"family": "linear", "ridge": [0.1, 10]}},
    "majority": {"model": {"family": "mean"}, "preprocess": {"targets": {"class_weights": null}}}})");
  write("rare.json", what.dump());
  const Outcome outcome = run({"run", "rare.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json rows = headline("out/rare");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("metric"), "test_bac");
  EXPECT_EQ(rows[1].at("metric"), "test_acc");
  EXPECT_NEAR(rows[0].at("trivial").get<double>(), 0.5, 1e-12);
  EXPECT_EQ(rows[0].at("better_than_trivial"), "yes");
  EXPECT_NE(rows[0].at("model").get<std::string>().find("class_weights balanced"), std::string::npos);
  const std::string methods = run({"compare", "out/rare"}).out;
  for (const char* part : {"test BAC", "test ACC"}) EXPECT_NE(methods.find(part), std::string::npos) << methods;
  const auto lines = lines_of(methods);
  const auto first = std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("|:"); });
  ASSERT_LT(first + 2, lines.end()) << methods;
  EXPECT_TRUE(first[1].starts_with("| linear") && first[2].starts_with("| majority")) << methods;
}

// By definition one class has a sensitivity of 1 and the other of 0. A test part without the rare class would
// give 1.
TEST_F(RareClass, BalancedAccuracyNeedsEveryClassInTheTestPart) {
  std::string rows = "a,y\n";
  for (int i = 0; i < 60; ++i) rows += fmt::format("{},{}\n", i * 7 % 31, i == 20 || i == 41 ? "bad" : "ok");
  write("two.csv", rows);
  ASSERT_EQ(run({"run", "two.csv", "--target", "y"}).code, 0);
  const Json row = headline("out/two").at(0);
  EXPECT_EQ(row.at("metric"), "test_bac");
  EXPECT_NEAR(row.at("trivial").get<double>(), 0.5, 1e-12);
}

TEST_F(RareClass, AModelThatAnswersOneClassSaysSo) {
  write_rare();
  write("own.json", R"({"name": "own", "save_model": true, "select": {"by": "loo_acc"},
    "data": {"path": "rare.csv", "target": ["fraud"], "task": "classification"},
    "split": {"kind": "k_fold", "folds": 5}, "cases": {"linear": {"model": {"family": "linear", "ridge": [1e5, 1e6]}},
    "majority": {"model": {"family": "mean"}}}})");
  const Outcome outcome = run({"run", "own.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json row = headline().at(0);
  EXPECT_EQ(row.at("only_class"), "0");
  EXPECT_EQ(row.at("better_than_trivial"), "no");
  EXPECT_EQ(row.at("metric"), "test_acc") << "by which the config chooses";
  EXPECT_NE(outcome.out.find("Warning: every prediction"), std::string::npos) << outcome.out;
}

/// A log whose rows are in the order of time, with a class that may occur late.
class TimeOrder : public HeadlineTest {
 protected:
  std::string split_of(const std::string& rows) const {
    write("log.csv", rows);
    const Outcome outcome = run({"init", "log.csv", "--target", "y", "--force"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return parse_json(read("log.json"), "log.json").at("split").at("kind");
  }

  /// Returns 80 rows with y(i) in row i; each is `step` hours after the previous one.
  template <class Y>
  static std::string rows(int step, const Y& y) {
    std::string text = "time,x,y\n";
    for (int i = 0; i < 80; ++i) {
      const int hours = (step > 0 ? i : 79 - i) * std::abs(step) + (step == 1 ? 0 : 7);
      text += fmt::format("2024-{:02}-{:02} {:02}:00,{},{}\n", 1 + hours / 672, 1 + hours / 24 % 28, hours % 24,
                          0.1 * (i * 37 % 80), y(i));
    }
    return text;
  }
};

TEST_F(TimeOrder, TestsOnLaterRows) {
  const auto number = [](int i) { return 0.01 * (i * 17 % 80) + i; };
  EXPECT_EQ(split_of(rows(9, number)), "time_series");
  EXPECT_EQ(split_of(rows(-9, number)), "k_fold") << "the newest rows come first";
  const Outcome outcome = run({"run", write("log2.csv", rows(9, number)), "--target", "y"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("later rows"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("split.kind"), std::string::npos) << outcome.err;

  write("new.csv", "time,x\n2024-04-01 08:00,1.5\n");
  EXPECT_EQ(run({"predict", "out/log2", "new.csv"}).code, 0);
  refuses(2, {"predict", "out/log2", "new.csv", "--interval", "0.9"}, {"--interval", "time_series"});
}

TEST_F(TimeOrder, IsNotTestedWhereAClassComesLate) {
  EXPECT_EQ(split_of(rows(9, [](int i) { return i % 2 ? "on" : "off"; })), "time_series");
  EXPECT_EQ(split_of(rows(9, [](int i) { return i < 30  ? "off"
                                                : i % 2 ? "on"
                                                        : "off"; })), "k_fold")
      << "the first fold would not know it";
}

TEST_F(TimeOrder, MonthsAreLearntAndPredicted) {
  std::string rows = "month,passengers\n";
  for (int i = 0; i < 96; ++i)
    rows += fmt::format("{}-{:02},{:.0f}\n", 1949 + i / 12, i % 12 + 1, 100 + 2 * i + 30 * std::sin(i * 0.5236));
  ASSERT_EQ(run({"run", write("air.csv", rows), "--target", "passengers", "-o", "air"}).code, 0);
  EXPECT_EQ(parse_json(read("air.json"), "air.json").at("split").at("kind"), "time_series");
  const Outcome predicted = run({"predict", "air", write("new.csv", "month\n1957-01\n1957-02\n")});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  ASSERT_EQ(lines_of(predicted.out).size(), 3u) << predicted.out;
}

TEST_F(TimeOrder, DaysOfAMonthHoldInTheNextYear) {
  using namespace std::chrono;
  const auto row = [](int i) {
    const year_month_day date{sys_days(year(2023) / January / 1) + days(i)};
    const unsigned day = static_cast<unsigned>(date.day());
    return std::pair(fmt::format("2{:03}-{:02}-{:02}", static_cast<int>(date.year()) % 1000,
                                 static_cast<unsigned>(date.month()), day),
                     100 - 1.5 * day + 5 * std::sin(12.9 * i));
  };
  std::string rows = "date,sales\n", later = "date\n";
  for (int i = 0; i < 300; ++i) rows += fmt::format("{},{:.2f}\n", row(i).first, row(i).second);
  for (int i = 420; i < 450; ++i) later += row(i).first + "\n";
  ASSERT_EQ(run({"run", write("days.csv", rows), "--target", "sales", "-o", "days"}).code, 0);
  const Outcome predicted = run({"predict", "days", write("later.csv", later)});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_NE(predicted.err.find("30 of 30 rows"), std::string::npos) << predicted.err;
  const std::vector<std::string> lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 31u);
  for (int i = 0; i < 30; ++i) {
    const std::string& line = lines[static_cast<std::size_t>(i) + 1];
    EXPECT_NEAR(std::stod(line.substr(line.find(',') + 1)), row(420 + i).second, 25) << line;
  }
}

TEST_F(HeadlineTest, AnotherTargetHasItsOwnResults) {
  write_data();
  ASSERT_EQ(run({"run", "own.csv", "--target", "y"}).code, 0);
  const auto before = snapshot();
  const Outcome other = run({"run", "own.csv", "--target", "z"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_TRUE(exists("own-z.json"));
  EXPECT_TRUE(exists("out/own-z/model.h5"));
  for (const auto& [name, content] : before) EXPECT_EQ(read(name).empty() ? "folder" : read(name), content) << name;
  EXPECT_EQ(run({"run", "own.csv", "--target", "z"}).code, 0) << "nothing is left to run";
  EXPECT_EQ(run({"run", "own.csv", "--target", "y"}).code, 0);

  ASSERT_EQ(run({"init", "own.csv", "--target", "y", "-o", "again.json"}).code, 0);
  ASSERT_EQ(run({"run", "again.json"}).code, 0);
  EXPECT_TRUE(exists("out/again/model.h5"));
}

}  // namespace
}  // namespace elmx
