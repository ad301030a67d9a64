#include "experiment/saved/saved_model.hpp"

#include <gtest/gtest.h>

#include "base/files/files.hpp"
#include "experiment/records/metrics_of_outputs.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/saved/new_samples.hpp"
#include "models/stored/model_file.hpp"
#include "support/configs.hpp"
#include "support/framed.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

class SavedModelTest : public ScratchTest {
 protected:
  SavedModelTest() { std::filesystem::create_directories(folder_); }

  std::vector<Record> run(const Json& config, Earlier earlier = Earlier::resume, std::size_t stop_after = 1000,
                          int jobs = 1) const {
    const Plan plan = make_plan(config, "no data directory");
    ResultsFolder results(folder_ / "run", describe_experiment(config, plan), earlier);
    std::atomic<bool> stop = false;
    std::size_t seen = 0;
    run_plan(plan, results, {.jobs = jobs, .make_clock = [] { return std::make_unique<FakeClock>(); }, .stop = &stop},
             [&](const Record&) { stop = ++seen == stop_after; });
    return StoredRun(folder_ / "run").records();
  }
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    if (!std::filesystem::exists(folder_ / "run" / "models")) return found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "run" / "models"))
      found[entry.path().filename().string()] = read_file(entry.path());
    return found;
  }
  std::filesystem::path file_of(const Record& record) const { return model_file(folder_ / "run", record); }

  const std::string models_ = (folder_ / "run" / "models").string();
  const Catalogue catalogue_ = shipped_catalogue();
  const DataPlace place_{catalogue_, "no data directory"};
};

Json kept(Json config) {
  config["save_model"] = true;
  return config;
}

/// Returns the metrics of the test part, computed by a saved model.
std::map<std::string, double> test_metrics(const SavedModel& model, const std::string& file, const DataPlace& place) {
  const NewSamples samples = read_own_part(model, "test", place);
  const arma::mat Z = predict(*restore(model, file), model.preprocessing, samples.data.X, samples.rows);
  TargetOptions options;
  read_options(model.config.at("preprocess").at("targets"), "", options);
  const Targets targets(samples.data, options, model.preprocessing.targets);
  Measurements measured;
  add_metrics(samples.data, targets, samples.rows, Z, "test_", measured);
  return measured.values;
}

void expect_metrics_of(const Record& record, const std::map<std::string, double>& metrics) {
  const auto& recorded = record.steps.back().metrics;
  std::size_t compared = 0;
  for (const auto& [name, value] : metrics) {
    if (!recorded.contains(name)) continue;
    EXPECT_EQ(recorded.at(name), value) << record.algorithm << " " << name;
    ++compared;
  }
  EXPECT_GE(compared, 3u);
}

struct Trial {
  const char* name;
  const char* changes;
};

void PrintTo(const Trial& trial, std::ostream* out) { *out << trial.name; }

class EveryTrial : public SavedModelTest, public testing::WithParamInterface<Trial> {};

INSTANTIATE_TEST_SUITE_P(
    Each, EveryTrial,
    testing::Values(
        Trial{"Elm", "{}"},  //
        Trial{"ScaledTargets",
              R"({"preprocess": {"inputs": "standard", "targets": {"scale": "zero_one", "coding": "single"}}})"},
        Trial{"ScaledUnits",
              R"({"preprocess": {"targets": {"scale": "standard", "units": "scaled", "coding": "single_minus"}}})"},
        Trial{"Components", R"({"preprocess": {"inputs": "centred", "pca": {"energy": 0.8, "scale": "centred"}}})"},
        Trial{"Ranks", R"({"preprocess": {"inputs": ["rank", "none"]}})"},
        Trial{"ComponentsOfRanks", R"({"preprocess": {"inputs": "rank", "pca": {"energy": 0.8}}})"},
        Trial{
            "Draws",
            R"({"preprocess": {"inputs": "rank"}, "model": {"draw": ["pairs", "sparse"], "learn_metric": [0, 1], "algorithms": ["standard"]}})"},
        Trial{"Single", R"({"model": {"precision": "single"}})"},
        Trial{"Mixed", R"({"model": {"precision": "mixed", "algorithms": ["standard", "chol-1"]}})"},
        Trial{"AutomaticPrecision", R"({"model": {"precision": "auto"}})"},
        Trial{
            "BroadSweep",
            R"({"model": {"family": "bls", "algorithms": ["chol-2", "d-rdg"], "nodes": null, "ridge": [0.1, 1], "features": {"groups": 2, "nodes": 3},
             "enhancement": {"nodes": 8}, "growth": {"updates": 1, "enhancement": 4}}})"},
        Trial{
            "EnsembleOfLayers",
            R"({"model": {"family": "rvfl", "algorithms": ["chol-1", "standard"], "nodes": 6, "layers": 3, "ensemble": true, "ridge": [0.1, 1]}})"},
        Trial{"Fourier", R"({"model": {"activation": "fourier", "gamma": 0.5}})"},
        Trial{
            "Dec",
            R"({"model": {"family": "dec", "algorithms": ["dec", "lbfgs"], "nodes": [3, 6], "ridge": null, "reference": null, "dec": {"report": [2]}, "lbfgs": {"report": [5]}}})"},
        Trial{
            "S3elm",
            R"({"split": {"kind": "labelled", "labelled": 8, "folds": null}, "model": {"family": "s3elm", "algorithms": ["s3elm", "op-elm"], "nodes": 20, "ridge": null, "reference": null,
             "graph": {"sigma": [1]}, "s3elm": {"mu": [0.2, 0.5]}}, "cases": {"regression": null}})"},
        Trial{
            "Nets",
            R"({"model": {"family": "rls", "algorithms": ["rls", "adam"], "nodes": null, "ridge": null, "reference": null, "layers": [{"kind": "dense", "nodes": 6}], "epochs": 2}})"}),
    [](const auto& test) { return test.param.name; });

/// Merges changes into a config; members that become null are removed.
Json changed(Json config, const Json& changes) {
  config.merge_patch(changes);
  return config;
}

TEST_P(EveryTrial, PredictsTheMetricsOfItsRecordToTheLastBit) {
  const std::vector<Record> records = run(kept(changed(small_config(), Json::parse(GetParam().changes))));

  EXPECT_GE(records.size(), 2u);
  EXPECT_EQ(files().size(), records.size());
  for (const Record& record : records) {
    ASSERT_TRUE(record.status.ok());
    if (record.fold > 0) continue;  // a process reads each model
    const SavedModel model = read_model(file_of(record));
    expect_metrics_of(record, test_metrics(model, file_of(record).string(), place_));
    EXPECT_EQ(model.trial.at("key"), record.key);
  }
}

TEST_P(EveryTrial, KeepingTheModelsChangesNoRecord) {
  const Json config = changed(small_config(), Json::parse(GetParam().changes));
  const std::vector<Record> with = run(kept(config));
  std::filesystem::remove_all(folder_ / "run");
  const std::vector<Record> without = run(config);

  EXPECT_TRUE(files().empty());
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_EQ(to_json(with[i]).dump(), to_json(without[i]).dump());
}

TEST_F(SavedModelTest, AnInterruptedRunThatGoesOnHasTheSameFiles) {
  run(kept(small_config()));
  const auto whole = files();
  std::filesystem::remove_all(folder_ / "run");

  for (int part = 0; part < 4; ++part) run(kept(small_config()), Earlier::resume, 3, 1 + part % 2);
  run(kept(small_config()), Earlier::resume);

  EXPECT_EQ(whole.size(), 12u);
  EXPECT_EQ(files(), whole);
}

TEST_F(SavedModelTest, ARunThatGoesOnRefusesALostModel) {
  const std::vector<Record> records = run(kept(small_config()), Earlier::resume, 4);
  std::filesystem::remove(file_of(records.front()));

  EXPECT_EQ(place_thrown<UserError>([&] { run(kept(small_config()), Earlier::resume); }), models_);
}

TEST_F(SavedModelTest, ARunThatGoesOnRefusesToBeginKeepingModels) {
  run(small_config(), Earlier::resume, 4);
  EXPECT_EQ(place_thrown<UserError>([&] { run(kept(small_config()), Earlier::resume); }), models_)
      << "finished trials have kept no networks";
}

TEST_F(SavedModelTest, BeginningAnewRemovesTheModels) {
  run(kept(small_config()));
  run(small_config(), Earlier::replace);
  EXPECT_TRUE(files().empty());
}

TEST_F(SavedModelTest, RefusesMembersThatAreLackingOrDoNotFit) {
  Json config = kept(smallest_config());
  config["preprocess"]["inputs"] = "rank";
  const Record record = run(config).front();
  const ModelContents whole = decode_model(read_file(file_of(record)), "");
  const auto refusal = [&](const ModelContents& contents) {
    write_file(folder_ / "m.h5", encode_model(contents));
    return thrown<DataError>([&] { restore(read_model(folder_ / "m.h5"), (folder_ / "m.h5").string()); });
  };
  ASSERT_EQ(refusal(whole), "");
  for (const auto& [path, matrix] : whole.matrices) {
    if (path.ends_with("_rows")) continue;
    ModelContents lacking = whole, other = whole;
    lacking.matrices.erase(path);
    EXPECT_NE(refusal(lacking).find(path), std::string::npos) << path;
    other.matrices[path] = arma::mat(3, 7, arma::fill::ones);
    EXPECT_NE(refusal(other), "") << path;
  }
  ModelContents descending = whole, too_many = whole;
  auto& knots = std::get<arma::mat>(descending.matrices.at("preprocess/input_knots"));
  knots.swap_rows(0, 1);
  EXPECT_NE(refusal(descending).find("preprocess/input_knots"), std::string::npos);
  std::get<arma::umat>(too_many.matrices.at("preprocess/input_knot_counts"))(0) = knots.n_rows + 1;
  EXPECT_NE(refusal(too_many).find("preprocess/input_knot_counts"), std::string::npos);
  for (const auto& [path, text] : whole.texts) {
    ModelContents lacking = whole, other = whole;
    lacking.texts.erase(path);
    EXPECT_NE(refusal(lacking).find(path), std::string::npos) << path;
    other.texts[path] = "{\"a\": ";
    EXPECT_NE(refusal(other), "") << path;
    if (path == "trial") continue;
    other.texts[path] = "{\"a\": 1}";
    EXPECT_NE(refusal(other), "") << path;
  }
}

}  // namespace
}  // namespace elmx
