#include <cmath>
#include <string>

#include "base/config/json.hpp"
#include "cli/program.hpp"

namespace elmx {
namespace {

/// From a finished run to sound comparisons of its methods: speed-ups, choices, repeats and probabilities.
class ComparingMethods : public ProgramTest {
 protected:
  void write_numbers() {
    std::string rows = "x,z,y\n";
    for (int i = 0; i < 120; ++i) {
      const double x = (i * 37 % 120) / 60.0 - 1, z = (i * 17 % 120) / 60.0 - 1;
      rows += std::to_string(x) + "," + std::to_string(z) + "," + std::to_string(x * x + 0.1 * z) + "\n";
    }
    write("numbers.csv", rows);
  }

  /// Writes classes a and b that x tells apart; b has `few` rows.
  void write_classes(int few) {
    std::string rows = "x,z,kind\n";
    for (int i = 0; i < 80; ++i) {
      const bool b = i % (80 / few) == 0;
      rows +=
          std::to_string((b ? 1 : -1) + std::sin(i)) + "," + std::to_string(std::cos(3 * i)) + (b ? ",b\n" : ",a\n");
    }
    write("classes.csv", rows);
  }

  Outcome run_config(const Json& config, const std::string& folder) {
    write(folder + ".json", config.dump());
    return run({"run", folder + ".json", "-o", folder});
  }

  Json table(const Arguments& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(ComparingMethods, MethodsOfARunAreCompared) {
  write_numbers();
  ASSERT_EQ(run({"run", "numbers.csv", "--target", "y", "-o", "out"}).code, 0);

  const Outcome outcome = run({"compare", "out"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("numbers"), std::string::npos) << outcome.out;
  EXPECT_EQ(run({"compare", "out", "--test", "t"}).code, 2) << "a test of pairs of values";
}

TEST_F(ComparingMethods, SeveralFoldersAreRanked) {
  for (const char* name : {"one", "two", "three"}) {
    const Json config = {
        {"name", name},
        {"data", {{"path", std::string(name) + ".csv"}, {"target", "y"}}},
        {"split", {{"kind", "k_fold"}, {"folds", 3}}},
        {"cases",
         {{"line", {{"model", {{"family", "linear"}}}}}, {"net", {{"model", {{"family", "elm"}, {"nodes", 12}}}}}}}};
    std::string rows = "x,y\n";
    for (int i = 0; i < 60; ++i)
      rows += std::to_string(i / 30.0 - 1) + "," +
              std::to_string(std::sin(i / (name[0] == 'o' ? 5.0 : 7.0) + name[1])) + "\n";
    write(std::string(name) + ".csv", rows);
    ASSERT_EQ(run_config(config, name).code, 0);
  }

  const Outcome ranked = run({"compare", "one", "two", "three", "--ranks", "--by", "case", "-o", "ranks.svg"});

  EXPECT_EQ(ranked.code, 0) << ranked.err;
  EXPECT_NE(ranked.out.find("net"), std::string::npos) << ranked.out;
  EXPECT_NE(ranked.out.find("Over 3 data sets"), std::string::npos) << ranked.out;
  EXPECT_EQ(read("ranks.svg").substr(0, 4), "<svg");
  EXPECT_EQ(run({"compare", "one", "--ranks", "--by", "case"}).code, 2) << "one data set";
  EXPECT_EQ(run({"compare", "one", "two", "--ranks", "--by", "fold"}).code, 2);
  EXPECT_EQ(run({"compare", "one", "two", "-o", "ranks.svg"}).code, 2) << "a diagram of no ranks";

  // Folds of another seed are no further data sets.
  for (const char* name : {"one", "two"}) {
    Json config = Json::parse(read(std::string(name) + "/experiment.json")).at("config");
    config["seed"] = 7;
    ASSERT_EQ(run_config(config, std::string("other-") + name).code, 0);
  }
  refuses(2, {"compare", "one", "other-one", "--ranks", "--by", "case"}, {"elmx: --ranks: "});
}

// The largest values of the fields of a run belong to different cases.
TEST_F(ComparingMethods, SuggestedConditionsFormPairs) {
  write_numbers();
  const auto run_with = [&](const std::string& folder, const Json& x, const Json& y) {
    const Json config = {{"name", "c"},
                         {"data", {{"path", "numbers.csv"}, {"target", "y"}}},
                         {"split", {{"kind", "k_fold"}, {"folds", 3}}},
                         {"model", {{"family", "elm"}, {"algorithms", {"standard"}}}},
                         {"cases", {{"x", {{"model", x}}}, {"y", {{"model", y}}}}}};
    ASSERT_EQ(run_config(config, folder).code, 0);
  };
  run_with("a", {{"ridge", {0.1, 0.2}}, {"nodes", {9, 10}}}, {{"ridge", {1, 2}}, {"nodes", {3, 4}}});
  run_with("b", {{"ridge", {0.3, 0.6}}, {"nodes", {5, 6}}}, {{"ridge", {3, 4}}, {"nodes", {7, 8}}});

  const Outcome refused = run({"compare", "a", "b"});
  Arguments again{"compare", "a", "b"};
  const std::string before = "--where \"";
  for (std::size_t at = 0; (at = refused.err.find(before, at)) != std::string::npos; ++at) {
    const std::size_t begin = at + before.size();
    again.insert(again.end(), {"--where", refused.err.substr(begin, refused.err.find('"', begin) - begin)});
  }

  EXPECT_EQ(refused.code, 2) << refused.out;
  ASSERT_EQ(again.size(), 7u) << refused.err;
  const Outcome compared = run(again);
  EXPECT_EQ(compared.code, 0) << compared.err;
}

// A case to whose split the corrected t-test does not apply does not change the test of the others.
TEST_F(ComparingMethods, CaseWithAnotherSplitLeavesOtherTests) {
  write_numbers();
  Json config = {{"name", "c"},
                 {"data", {{"path", "numbers.csv"}, {"target", "y"}}},
                 {"split", {{"kind", "k_fold"}, {"folds", 4}}},
                 {"cases",
                  {{"line", {{"model", {{"family", "linear"}}}}},
                   {"net", {{"model", {{"family", "elm"}, {"nodes", 8}, {"algorithms", {"standard"}}}}}}}}};
  ASSERT_EQ(run_config(config, "alone").code, 0);
  config["cases"]["hold"] = {{"split", {{"kind", "one_holdout"}, {"test_fraction", 0.3}}},
                             {"model", {{"family", "linear"}}}};
  ASSERT_EQ(run_config(config, "beside").code, 0);

  const std::string alone = run({"compare", "alone"}).out, beside = run({"compare", "beside"}).out;

  const std::string sentence = alone.substr(0, alone.find('\n'));
  EXPECT_NE(sentence.find("corrected"), std::string::npos) << sentence;
  EXPECT_NE(beside.find(sentence), std::string::npos) << beside;
}

TEST_F(ComparingMethods, AlgorithmWithoutTheCriterionHasNotFailed) {
  write_numbers();
  const Json config = {{"name", "c"},
                       {"data", {{"path", "numbers.csv"}, {"target", "y"}}},
                       {"select", {{"by", "loo_mse"}}},
                       {"model",
                        {{"family", "bls"},
                         {"algorithms", {"orig", "chol-1"}},
                         {"ridge", {1e-6, 0.1}},
                         {"features", {{"groups", 2}, {"nodes", 3}}},
                         {"enhancement", {{"nodes", 5}}}}}};
  write("c.json", config.dump());
  const Outcome valid = run({"validate", "c.json"});
  EXPECT_EQ(valid.code, 0);
  EXPECT_NE(valid.err.find("select"), std::string::npos) << valid.err;
  ASSERT_EQ(run({"run", "c.json", "-o", "out"}).code, 0);

  const Outcome compared = run({"compare", "out"});

  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(compared.out.find("failed"), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find("orig"), std::string::npos) << compared.out;
}

TEST_F(ComparingMethods, ErrorsInOtherUnitsAreNotCompared) {
  write_numbers();
  const auto config = [](const char* units) -> Json {
    return {{"name", "c"},
            {"data", {{"path", "numbers.csv"}, {"target", "y"}}},
            {"preprocess", {{"targets", {{"scale", "standard"}, {"units", units}}}}},
            {"model", {{"family", "linear"}}}};
  };
  ASSERT_EQ(run_config(config("original"), "original").code, 0);
  ASSERT_EQ(run_config(config("scaled"), "scaled").code, 0);

  const Outcome outcome = run({"compare", "original", "scaled", "--format", "csv"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("test_rmse"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("test_r2"), std::string::npos) << outcome.out;
  EXPECT_EQ(run({"compare", "original", "scaled", "--metric", "test_rmse"}).code, 2);
}

TEST_F(ComparingMethods, ProbabilitiesNeedRowsOfEveryClass) {
  const Json config = {{"name", "c"},
                       {"save_model", true},
                       {"data", {{"path", "classes.csv"}, {"target", "kind"}, {"task", "classification"}}},
                       {"split", {{"kind", "holdout"}}},
                       {"model", {{"family", "elm"}, {"nodes", 5}}}};
  write_classes(4);
  ASSERT_EQ(run_config(config, "few").code, 0);
  const Outcome refused = run({"predict", "few", "classes.csv", "--probabilities"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("\"b\""), std::string::npos) << refused.err;

  write_classes(40);
  ASSERT_EQ(run_config(config, "many").code, 0);
  const Outcome predicted = run({"predict", "many", "classes.csv", "--probabilities"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_NE(predicted.out.find("probability_b"), std::string::npos);
}

TEST_F(ComparingMethods, AGraphOfIsolatedSamplesIsMentioned) {
  write_classes(40);
  Json config = {{"name", "c"},
                 {"data", {{"path", "classes.csv"}, {"target", "kind"}, {"task", "classification"}}},
                 {"split", {{"kind", "labelled"}, {"labelled", 3}}},
                 {"model",
                  {{"family", "s3elm"},
                   {"algorithms", {"selm"}},
                   {"nodes", 8},
                   {"cross_validation", 0},
                   {"graph", {{"kind", "heat"}, {"sigma", {1e9}}, {"normalised", true}}},
                   {"selm", {{"lambda", {0.5}}}}}}};

  const auto mentions = [&](const std::string& folder) {
    const Outcome outcome = run_config(config, folder);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out.find("no neighbour") != std::string::npos;
  };
  EXPECT_TRUE(mentions("isolated"));
  config["model"]["graph"]["sigma"] = {1};
  EXPECT_FALSE(mentions("joined"));
}

TEST_F(ComparingMethods, ASolveIsNotDividedByAStep) {
  write_numbers();
  const Json config = {{"name", "c"},
                       {"data", {{"path", "numbers.csv"}, {"target", "y"}}},
                       {"split", {{"kind", "holdout"}}},
                       {"model",
                        {{"family", "elm"},
                         {"algorithms", {"standard", "panel", "alg2"}},
                         {"nodes", {{"start", 1}, {"stop", 40}, {"report", {20, 40}}}}}}};
  ASSERT_EQ(run_config(config, "out").code, 0);

  const Json pivot = table({"table", "out", "--metric", "step_speedup,total_speedup", "--rows", "algorithm",
                            "--baseline", "standard", "--where", "nodes=40", "--format", "json"});

  ASSERT_EQ(pivot.at("rows").size(), 3u);
  for (const Json& row : pivot.at("rows")) {
    const bool reference = row.at("algorithm") == "standard";
    EXPECT_EQ(row.at("step_speedup").is_null(), !reference) << row;
    EXPECT_FALSE(row.at("total_speedup").is_null()) << row;
  }
}

}  // namespace
}  // namespace elmx
