#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "data/catalogue.hpp"
#include "experiment/config/spec.hpp"
#include "published/judged.hpp"
#include "published/paper.hpp"
#include "support/paths.hpp"
#include "support/records.hpp"

// The tables in data/paper against records made from them: every cell must find its number.

namespace elmx {
namespace {

double value_of(const PublishedRow& row) { return std::stod(row.at("value")); }

PaperComparison compare(const char* json, const Published& published, const std::vector<Record>& records,
                        const SymbolicCells& symbols = {}) {
  PaperOptions options;
  read_options(parse_json(json, "test"), "/paper", options);
  return compare_with_paper(options, published, records, symbols);
}

/// Returns the comparison of a config with all cells counted.
std::string all_counted(Json config) {
  config["paper"].erase("not_counted");
  return config["paper"].dump();
}

/// Expects that every row of the published table is a cell that agrees.
void expect_all_agree(const PaperComparison& comparison, const Published& published) {
  EXPECT_EQ(comparison[Verdict::agrees], published.rows.size());
  EXPECT_EQ(comparison.table.rows.size(), published.rows.size());
}

TEST(PublishedTables, FlopsOfTheAlgorithms) {
  const Published published = table_named("elm_table1_flops.csv");
  SymbolicCells symbols;
  for (const PublishedRow& row : published.rows) symbols[{row.at("algorithm"), row.at("step")}] = row.at("flops");
  const char* options = R"({"case": "", "metric": "{step}", "value": "flops", "rules": [{"rule": "same_text"}]})";

  expect_all_agree(compare(options, published, {}, symbols), published);
  symbols[{"alg1", "updating_output_weights"}] = "2MKl";
  EXPECT_EQ(compare(options, published, {}, symbols)[Verdict::disagrees], 1u);
}

TEST(PublishedTables, RegressionErrors) {
  const Published published = table_named("elm_table2_regression_errors.csv");
  std::vector<Record> records;
  for (const PublishedRow& row : published.rows) {
    const bool all = row.at("algorithm") == "all";
    const std::string metric = all ? "test_mse" : row.at("metric");
    records.push_back(one_step_record(row.at("dataset") + " " + row.at("activation"),
                                      all ? "standard" : row.at("algorithm"), records.size(),
                                      std::stoull(row.at("nodes")), {{metric, value_of(row)}}));
  }
  const char* options =
      R"({"case": "{dataset} {activation}", "metric_names": {"testing_mse": "test_mse"},
          "rules": [{"match": {"metric": "testing_mse"}, "rule": "relative", "tolerance": 1e-9, "exact": true}, {"rule": "at_most_times", "factor": 1.001, "exact": true}]})";

  expect_all_agree(compare(options, published, records), published);
  for (Record& record : records) {
    for (auto& [name, value] : record.steps[0].metrics) value *= 1.1;
  }
  EXPECT_EQ(compare(options, published, records)[Verdict::disagrees], published.rows.size());
}

TEST(PublishedTables, SpeedUps) {
  const Published published = table_named("elm_table3_speedups.csv");
  std::vector<Record> records;
  for (const PublishedRow& row : published.rows) {
    const std::string name = row.at("dataset") + " " + row.at("activation");
    records.push_back(one_step_record(name, row.at("algorithm"), 0, std::stoull(row.at("nodes")), {}));
    records.back().steps[0].step = {std::pow(value_of(row), -3), 0, 1};  // far enough apart
    records.push_back(one_step_record(name, "existing", 0, std::stoull(row.at("nodes")), {}));
    records.back().steps[0].step = {1, 0, 1};
  }

  expect_all_agree(compare(R"({"case": "{dataset} {activation}",
                               "metric_names": {"training_time_speedup_over_existing": "step_speedup"},
                               "rules": [{"rule": "order"}]})",
                           published, in_runs(records)),
                   published);
}

/// Returns the config of a table as elmx reproduce reads it: merged into its run, if it has one.
Json config_of_table(const std::string& id) {
  const Json table = config_named(id + ".json");
  Json config = Json::object();
  if (table["paper"].contains("run"))
    config = config_named("runs/" + table["paper"]["run"].get<std::string>() + ".json");
  merge(config, table);
  return config;
}

/// A table of speed-ups against a run with both variants of the products.
class ElmSpeedUps : public testing::TestWithParam<std::string> {
 protected:
  Json config_ = config_of_table(GetParam());
  Published published_ = table_named(config_["paper"]["published"].get<std::string>());

  /// With full products, a step of the existing algorithm takes 1 second, and speed-ups are the cubes of the
  /// published ones, which are far enough apart. With symmetric products it takes 3 seconds, and speed-ups
  /// are twice the published ones.
  std::vector<Record> records() const {
    std::vector<Record> all;
    for (const PublishedRow& row : published_.rows) {
      if (row.at("metric") != "training_time_speedup_over_existing") continue;
      for (const std::string products : config_["model"]["products"]) {
        const bool full = products == "full";
        const double existing = full ? 1 : 3, factor = full ? std::pow(value_of(row), 3) : 2 * value_of(row);
        add(row, products, row.at("algorithm"), existing / factor, all);
        if (row.at("algorithm") == "alg1") add(row, products, "existing", existing, all);
      }
    }
    return all;
  }

 private:
  void add(const PublishedRow& row, const std::string& products, const std::string& algorithm, double seconds,
           std::vector<Record>& all) const {
    const std::string name = row.contains("dataset") ? row.at("dataset") : row.at("activation"),
                      nodes = config_["paper"].value("nodes", row.contains("nodes") ? row.at("nodes") : "");
    Record& record = all.emplace_back(one_step_record(name, algorithm, 0, std::stoull(nodes), {}));
    record.key += nodes + products;
    record.point["/model/products"] = products;
    record.steps[0].step = {seconds, 0, 1};
  }
};

INSTANTIATE_TEST_SUITE_P(Tables, ElmSpeedUps, testing::Values("elm-table3", "elm-table5"),
                         [](const auto& test) { return test.param.substr(4); });

TEST_P(ElmSpeedUps, AreJudgedWithFullProductsAndShownWithSymmetricOnes) {
  const auto comparison = compare(all_counted(config_).c_str(), published_, in_runs(records(), 9));

  const Table& table = comparison.table;
  const auto column = [&](const std::string& heading) {
    const auto found = std::ranges::find(table.columns, heading, &Column::heading);
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  const std::size_t published = column("published"), measured = column("measured"), beside = column("what elmx does");
  ASSERT_LT(beside, table.columns.size());
  EXPECT_EQ(table.rows.size(), GetParam() == "elm-table3" ? 24u : 15u);
  EXPECT_EQ(comparison[Verdict::agrees], table.rows.size());
  for (const auto& row : table.rows) {
    const double value = row[published].value.value_or(0);
    EXPECT_NEAR(row[measured].value.value_or(0) / std::pow(value, 3), 1, 1e-3);
    EXPECT_NEAR(row[beside].value.value_or(0) / (2 * value), 1, 1e-3);
  }
}

TEST_P(ElmSpeedUps, EveryCaseIsRunWithBothFormsOfTheProducts) {
  std::map<std::string, std::set<std::string>> products;  // by case
  for (const CaseSpec& spec : expand(config_))
    products[spec.name].insert(spec.point.at("/model/products").get<std::string>());

  EXPECT_EQ(products.size(), config_["cases"].size());
  for (const auto& [name, of_case] : products) EXPECT_EQ(of_case, (std::set<std::string>{"full", "symmetric"})) << name;
}

TEST(PublishedTables, AccuraciesOfTheRunOfSpeedUpsHaveOnePoint) {
  for (const CaseSpec& spec : expand(config_of_table("elm-table5-accuracy")))
    EXPECT_TRUE(spec.point.empty()) << spec.name;
}

TEST(PublishedTables, ClassificationMeansAndDeviationsAtTheLargestSize) {
  const Published published = table_named("elm_table4_classification.csv");
  // (case, metric) -> (mean, sd)
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> cells;
  for (const PublishedRow& row : published.rows) {
    auto& cell =
        cells[{row.at("dataset") + " " + row.at("activation"), lower_case(row.at("split") + "_" + row.at("metric"))}];
    (row.at("statistic") == "mean" ? cell.first : cell.second) = value_of(row);
  }
  std::vector<Record> records;
  for (const auto& [key, cell] : cells) {
    // The sample standard deviation of mean - x and mean + x is sqrt(2) x.
    const double x = cell.second / std::sqrt(2.0);
    records.push_back(one_step_record(key.first, "alg2", 2 * records.size(), 500, {{key.second, cell.first - x}}));
    records.push_back(one_step_record(key.first, "alg2", 2 * records.size(), 500, {{key.second, cell.first + x}}));
    records.back().steps.insert(records.back().steps.begin(), {3, Status::ok, {{key.second, 0.1}}, {}, 0});
  }

  const Table table =
      compare(R"({"case": "{dataset} {activation}", "metric": "{split}_{metric}", "algorithm": "alg2"})", published,
              records)
          .table;

  ASSERT_EQ(table.rows.size(), published.rows.size());
  ASSERT_EQ(table.columns[8].heading, "difference");
  for (const auto& row : table.rows) EXPECT_NEAR(row[8].value.value_or(1), 0, 1e-12);
}

TEST(PublishedTables, MnistPercentAndRatiosInOneTable) {
  const Published published = table_named("elm_table5_mnist.csv");
  std::vector<Record> records;
  for (const PublishedRow& row : published.rows) {
    if (row.at("unit") == "percent") {
      records.push_back(
          one_step_record(row.at("activation"), row.at("algorithm"), 0, 2200, {{"test_acc", value_of(row) / 100}}));
      records.back().steps[0].step = {1, 0, 1};
    }
  }
  for (const PublishedRow& row : published.rows) {
    for (Record& record : records) {
      const bool same = record.experiment_case == row.at("activation") && record.algorithm == row.at("algorithm");
      if (same && row.at("unit") == "ratio") record.steps[0].step.mean = 1 / value_of(row);
    }
  }

  expect_all_agree(compare(R"({"case": "{activation}", "nodes": "2200",
                               "metric_names": {"testing_accuracy": "test_acc", "training_time_speedup_over_existing": "step_speedup"},
                               "rules": [{"match": {"unit": "percent"}, "rule": "absolute", "tolerance": 1e-9, "scale": 0.01, "exact": true},
                                         {"rule": "relative", "tolerance": 1e-9, "exact": true}]})",
                           published, records),
                   published);
}

/// Returns the config of a table of the DEC paper as elmx reproduce reads it: merged into its run.
Json dec_config(int table) {
  Json config = config_named("runs/dec.json");
  merge(config, config_named("dec-table" + std::to_string(table) + ".json"));
  return config;
}

class DecTable : public testing::TestWithParam<int> {
 protected:
  Json config_ = dec_config(GetParam());
  Published published_ = table_named(config_["paper"]["published"].get<std::string>());

  /// Returns a run with all published numbers; with scaled inputs all numbers are halved.
  std::vector<Record> records() const {
    std::vector<Record> all;
    for (const PublishedRow& row : published_.rows) {
      for (const std::string inputs : config_["preprocess"]["inputs"]) {
        Record record =
            one_step_record(row.at("neurons") + " nodes", row.at("algorithm"), 0, std::stoull(row.at("neurons")), {});
        const double value = value_of(row) * (inputs == judged_inputs() ? 1 : 0.5);
        StepRecord& step = record.steps[0];
        step.iterations = row.at("iterations").empty() ? 0 : std::stoull(row.at("iterations"));
        record.key += std::to_string(step.iterations) + row.at("metric");
        record.point["/preprocess/inputs"] = inputs;
        const std::string ours = config_["paper"]["metric_names"].value(row.at("metric"), "");
        if (!ours.empty()) step.metrics[ours] = ours.ends_with("_acc") ? value / 100 : value;
        if (step.metrics.size() > 0) all.push_back(record);
      }
    }
    return merged(all);
  }

  std::string judged_inputs() const { return config_["paper"]["point"]["/preprocess/inputs"]; }

  /// One record for each (case, algorithm, point), one step for each number of iterations.
  static std::vector<Record> merged(const std::vector<Record>& parts) {
    std::map<std::string, Record> whole;
    for (const Record& part : parts) {
      const StepRecord& step = part.steps[0];
      auto& record =
          whole.try_emplace(part.experiment_case + part.algorithm + Json(part.point).dump(), part).first->second;
      auto at = std::find_if(record.steps.begin(), record.steps.end(),
                             [&](const StepRecord& s) { return s.iterations == step.iterations; });
      if (at == record.steps.end()) at = record.steps.insert(at, step);
      at->metrics.insert(step.metrics.begin(), step.metrics.end());
    }
    std::vector<Record> records;
    for (const auto& [key, record] : whole) records.push_back(record);
    return records;
  }
};

TEST_P(DecTable, EveryNumberIsFoundAndJudged) {
  const std::size_t judged = published_.rows.size() / 2;  // without the times
  std::vector<Record> run = records();

  const auto comparison = compare(config_["paper"].dump().c_str(), published_, in_runs(run));

  EXPECT_EQ(comparison[Verdict::agrees], judged);
  EXPECT_EQ(comparison.table.rows.size(), judged);
  const auto heading = std::ranges::find(comparison.table.columns, "ratio", &Column::heading);
  const auto ratio = static_cast<std::size_t>(heading - comparison.table.columns.begin());
  for (const auto& row : comparison.table.rows) {
    EXPECT_NEAR(row[ratio].value.value_or(0), 1, 1e-12);
    EXPECT_TRUE(row[ratio - 1].value) << "other inputs";
  }
  for (Record& record : run) {
    for (StepRecord& step : record.steps) {
      for (auto& [name, value] : step.metrics) value = name.ends_with("_acc") ? value - 0.0201 : 1.16 * value;
    }
  }
  EXPECT_EQ(compare(config_["paper"].dump().c_str(), published_, in_runs(run))[Verdict::disagrees], judged);
}

TEST_P(DecTable, EveryPublishedRowIsRun) {
  for (const PublishedRow& row : published_.rows) {
    const Json& model = config_["cases"].at(row.at("neurons") + " nodes").at("model");
    Json options = config_["model"];
    merge(options, model);
    const auto lists = [](const Json& list, const Json& value) {
      return std::find(list.begin(), list.end(), value) != list.end();
    };
    EXPECT_TRUE(lists(options["algorithms"], row.at("algorithm"))) << Json(row);
    EXPECT_EQ(options["nodes"], Json::array({std::stoul(row.at("neurons"))})) << Json(row);
    if (row.at("iterations").empty()) continue;
    EXPECT_TRUE(lists(options[row.at("algorithm")]["report"], std::stoul(row.at("iterations")))) << Json(row);
  }
}

TEST_P(DecTable, HasAFolderOfItsOwn) {
  EXPECT_EQ(config_["name"], "dec-table" + std::to_string(GetParam())) << "its run is not that of another table";
}

TEST_P(DecTable, HasTheDataAndTheSplitOfTableI) {
  const Json sizes = config_named("dec-table1.json")["cases"];
  const bool same = std::any_of(sizes.begin(), sizes.end(), [&](const Json& one) {
    Json split = config_named("runs/dec.json")["split"], own = config_["split"];
    merge(split, one["split"]);
    for (Json* each : {&split, &own}) each->erase("kind");  // one split for all runs, or one per run
    return one["data"] == config_["data"] && split == own;
  });

  EXPECT_TRUE(same) << config_["data"] << config_["split"];
}

INSTANTIATE_TEST_SUITE_P(Tables, DecTable, testing::Range(2, 13));

/// One record of each network in the published tables, with their times and errors.
std::vector<Record> as_published(const Published& published) {
  std::map<std::string, Record> records;
  for (const PublishedRow& row : published.rows) {
    const std::string network = row.at("dataset") + " " + row.at("neurons") + " nodes";
    const arma::uword nodes = std::stoull(row.at("neurons"));
    Record& record =
        records.try_emplace(network + row.at("algorithm"), one_step_record(network, row.at("algorithm"), 0, nodes, {}))
            .first->second;
    const arma::uword iterations = row.at("iterations").empty() ? 0 : std::stoull(row.at("iterations"));
    if (record.steps.front().iterations == 0 && iterations > 0) record.steps.clear();
    auto step = std::ranges::find(record.steps, iterations, &StepRecord::iterations);
    if (step == record.steps.end()) {
      step = record.steps.insert(step, one_step_record(network, "", 0, nodes, {}).steps.front());
      step->iterations = iterations;
    }
    const double value = value_of(row);
    if (row.at("metric") == "train_time") step->total_seconds = value;
    if (row.at("metric") == "test_time") step->test_seconds = value;
    if (row.at("metric") == "accuracy_test") step->metrics["test_acc"] = value / 100;
    if (row.at("metric") == "rmse_test") step->metrics["test_rmse"] = value;
  }
  std::vector<Record> all;
  for (const auto& [key, record] : records) all.push_back(record);
  return all;
}

// These numbers were counted by hand in Tables II to XII: diabetes, mv and elevators are slower than one
// version of L-BFGS, ringnorm and delta elevators are not more accurate.
TEST(PublishedTables, ClaimsOfSectionViCAreCounted) {
  const Json paper = config_named("dec-times.json")["paper"];
  const Published published =
      read_published(source_dir() / "data/paper", paper["published"].get<std::vector<std::string>>());

  const Table claims = compare(paper.dump().c_str(), published, in_runs(as_published(published), 5)).claims;

  // Sentence -> number of facts, and of facts that hold in the paper.
  std::map<std::string, std::vector<double>> counts;
  for (const auto& row : claims.rows) counts[row[0].text] = {*row[1].value, *row.back().value};
  EXPECT_EQ(counts.at("DEC(10) trains faster than both versions of L-BFGS."), (std::vector<double>{11, 8}));
  EXPECT_EQ(counts.at("DEC(10) both trains faster and has a better testing accuracy than both versions of L-BFGS."),
            (std::vector<double>{11, 6}));
  EXPECT_EQ(counts.at("ELM trains faster than DEC(10) unless it has many nodes."), (std::vector<double>{33, 27}));
  for (const auto& row : claims.rows) EXPECT_LE(*row[2].value, *row.back().value) << row[0].text;
}

TEST(PublishedTables, SizesOfDataSets) {
  const Json config = config_named("dec-table1.json");
  const Published published = table_named("dec_table1_datasets.csv");
  const Catalogue catalogue = read_catalogue(source_dir() / "data/catalogue.json");
  std::map<std::string, Record> records;
  for (const PublishedRow& row : published.rows) {
    auto& record =
        records.try_emplace(row.at("dataset"), one_step_record(row.at("dataset"), "standard", 0, 0, {})).first->second;
    record.steps[0].metrics[row.at("metric")] = value_of(row);
  }
  std::vector<Record> run;
  for (const auto& [name, record] : records) run.push_back(record);

  expect_all_agree(compare(all_counted(config).c_str(), published, run), published);
  run[0].steps[0].metrics["features"] += 1;
  EXPECT_EQ(compare(all_counted(config).c_str(), published, run)[Verdict::disagrees], 1u);
  for (const auto& [name, record] : records) {
    const auto& sizes = record.steps[0].metrics;
    const CatalogueEntry& entry = catalogue.find(config["cases"][name]["data"]["set"]);
    EXPECT_EQ(static_cast<double>(entry.features), sizes.at("features")) << name;
    if (name == "cod-rna") continue;  // its test part is a different one
    EXPECT_EQ(static_cast<double>(entry.rows), sizes.at("train_samples") + sizes.at("test_samples")) << name;
  }
}

}  // namespace
}  // namespace elmx
