#include <gtest/gtest.h>

#include "base/files/files.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "experiment/saved/saved_model.hpp"
#include "models/stored/model_file.hpp"
#include "support/framed.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// Changes of the config below, and the kind of garbage in the test rows.
struct Variant {
  const char* name;
  const char* changes;
  bool holes = true;       // the file has missing values
  const char* hole = "?";  // the hole in some test rows
  bool new_levels = true;  // the garbage has a category that the other rows lack
  bool targets = true;     // the targets of the test rows are garbage, too
};

void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

const char* const kConfig = R"({
  "save_model": true, "seed": 5,
  "data": {"target": ["y"], "drop": ["kind"], "nominal": ["colour"], "missing": "mean"},
  "split": {"kind": "k_fold", "folds": 3, "stratified": false},
  "model": {"algorithms": ["standard"], "ridge": 0.01, "nodes": {"start": 2, "stop": 6}}})";

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kRows = 48;

/// Columns a, b, colour, y, kind.
Rows clean_rows(bool holes) {
  Rows rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::string a = std::to_string(i % 7) + "." + std::to_string(i * 5 % 9), b = std::to_string(i * 37 % 48);
    rows.push_back({holes && i % 9 == 4 ? "?" : a, b,
                    i % 13 == 5  ? "?"
                    : i % 3 == 0 ? "red"
                    : i % 3 == 1 ? "green"
                                 : "blue",
                    std::to_string(i * 29 % 31), i * 5 % 7 < 3 ? "no" : "yes"});
    if (!holes && rows.back()[2] == "?") rows.back()[2] = "red";
  }
  return rows;
}

/// Returns garbage for the columns of row i that differs from its values.
std::vector<std::string> garbage(const std::vector<std::string>& row, std::size_t i, const Variant& variant) {
  return {i % 2 == 0 ? variant.hole : "-123456.5", "9e9", variant.new_levels ? "unheard" : "blue",
          variant.targets ? "-7e7" : row[3], variant.targets ? (row[4] == "no" ? "yes" : "no") : row[4]};
}

std::string text_of(const Rows& rows, const std::string& header = "a,b,colour,y,kind\n") {
  std::string text = header;
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) text += row[j] + (j + 1 < row.size() ? "," : "\n");
  }
  return text;
}

/// The results of training: the members of the saved models except the description of the file, and the
/// metrics of the training part.
struct Trained {
  std::vector<ModelContents> models;
  Json metrics = Json::array();
};

class Garbage : public ScratchTest {
 protected:
  Plan plan_of(Json config, const std::string& file) const {
    config["data"]["path"] = (folder_ / file).string();
    return make_plan(config, "no data directory");
  }
  /// Trains one fold of the first repeat.
  Trained train(const Plan& plan, std::size_t fold, const std::string& run) const {
    const PlannedCase& c = plan.cases.front();
    Trained trained;
    FakeClock clock;
    const FoldTask task{&c.specs, c.data.get(), c.folds[0][fold], 0, fold, c.spec().model->algorithms,
                        nullptr,  folder_ / run};
    run_task(
        task, clock, [] { return false; },
        [&](const Record& record) {
          EXPECT_TRUE(record.status.ok()) << record.algorithm;
          ModelContents model = decode_model(read_file(model_file(folder_ / run, record)), "");
          model.texts["inputs of the network"] = Json(inputs_of(model)).dump();
          for (const char* text : {"trial", "data/description", "config"}) model.texts.erase(text);
          model.matrices.erase("preprocess/input_columns");
          trained.models.push_back(std::move(model));
          for (const StepRecord& step : record.steps) {
            for (const auto& [name, value] : step.metrics) {
              if (name.find("test") == std::string::npos) trained.metrics.push_back({name, value});
            }
          }
        });
    return trained;
  }
  /// Returns the names of the inputs; numbers of columns refer to the file.
  static std::vector<std::string> inputs_of(const ModelContents& model) {
    const auto all = Json::parse(model.texts.at("data/description")).at("inputs").get<std::vector<std::string>>();
    const auto columns = model.matrices.find("preprocess/input_columns");
    if (columns == model.matrices.end()) return all;
    std::vector<std::string> names;
    for (const arma::uword j : std::get<arma::umat>(columns->second)) names.push_back(all.at(j));
    return names;
  }
  static void expect_same(const Trained& a, const Trained& b) {
    EXPECT_EQ(a.metrics, b.metrics);
    ASSERT_EQ(a.models.size(), b.models.size());
    for (std::size_t k = 0; k < a.models.size(); ++k) {
      EXPECT_EQ(a.models[k].texts, b.models[k].texts);
      ASSERT_EQ(a.models[k].matrices.size(), b.models[k].matrices.size());
      for (const auto& [path, matrix] : a.models[k].matrices) {
        ASSERT_TRUE(b.models[k].matrices.contains(path)) << path;
        std::visit(
            [&, &place = path](const auto& M) {
              EXPECT_TRUE(identical(M, std::get<std::decay_t<decltype(M)>>(b.models[k].matrices.at(place)))) << place;
            },
            matrix);
      }
    }
  }
};

class InTestRows : public Garbage, public testing::WithParamInterface<Variant> {};

TEST_P(InTestRows, ChangesNoTrainedBit) {
  const Variant& variant = GetParam();
  Json config = Json::parse(kConfig);
  config.merge_patch(Json::parse(variant.changes));
  const Rows clean = clean_rows(variant.holes);
  write("clean.csv", text_of(clean));
  const Plan before = plan_of(config, "clean.csv");
  const auto& folds = before.cases.front().folds[0];
  const Dataset& data = *before.cases.front().data;

  const std::size_t f = folds.size() / 2;
  Rows rows = clean;
  for (const arma::uword row : folds[f].test) {
    const arma::uword i = data.kept_rows.is_empty() ? row : data.kept_rows(row);
    rows[i] = garbage(rows[i], i, variant);
  }
  write("garbled.csv", text_of(rows));
  const Plan after = plan_of(config, "garbled.csv");
  ASSERT_TRUE(identical(after.cases.front().folds[0][f].train, folds[f].train));
  ASSERT_FALSE(variant.new_levels && data.one_hot.n_elem == after.cases.front().data->one_hot.n_elem);

  expect_same(train(before, f, "before"), train(after, f, "after"));
}

constexpr const char* kClasses = R"("data": {"target": ["kind"], "drop": ["y"], "task": "classification"})";

INSTANTIATE_TEST_SUITE_P(
    Options, InTestRows,
    testing::Values(
        Variant{"NoScaling", R"({"preprocess": {"inputs": "none"}})"},  //
        Variant{"ZeroOne", R"({"preprocess": {"inputs": "zero_one"}})"},
        Variant{"MinusOneOne", R"({"preprocess": {"inputs": "minus_one_one"}})"},
        Variant{"Standard", R"({"preprocess": {"inputs": "standard"}})"},
        Variant{"Centred", R"({"preprocess": {"inputs": "centred"}})"},
        Variant{"Byte", R"({"preprocess": {"inputs": "byte"}})"},
        Variant{"Components", R"({"preprocess": {"inputs": "standard", "pca": {"energy": 0.9, "scale": "centred"}}})"},
        Variant{"NoneMissing", R"({"data": {"missing": "refuse"}})", false, "-5"},
        Variant{"RowsDropped", R"({"data": {"missing": "drop_rows"}})", true, "-5"},
        Variant{"Codes", R"({"data": {"categories": "codes"}})", true, "?", false},
        Variant{"TargetsZeroOne", R"({"preprocess": {"targets": {"scale": "zero_one"}}})"},
        Variant{"TargetsStandard", R"({"preprocess": {"targets": {"scale": "standard", "units": "scaled"}}})"},
        Variant{"TargetsMinusOneOne", R"({"preprocess": {"targets": {"scale": "minus_one_one"}}})"},
        Variant{"TargetsCentred", R"({"preprocess": {"targets": {"scale": "centred"}}})"},
        Variant{"Holdout", R"({"split": {"kind": "holdout", "folds": 5}})"},
        Variant{"TrainSamples", R"({"split": {"kind": "one_holdout", "folds": 5, "train_samples": 20}})"},
        Variant{"Validate", R"({"split": {"validate": true}})"},
        Variant{"LeaveOneOut", R"({"model": {"leave_one_out": true}})"},
        Variant{"Single", R"({"model": {"precision": "single"}})"},
        Variant{
            "Broad",
            R"({"model": {"family": "bls", "algorithms": ["chol-2"], "nodes": null, "features": {"groups": 2, "nodes": 3},
             "enhancement": {"nodes": 8}, "growth": {"updates": 1, "enhancement": 4}}})"},
        Variant{
            "Decomposition",
            R"({"model": {"family": "dec", "algorithms": ["dec"], "nodes": [4], "ridge": null, "dec": {"report": [2]}}})"},
        Variant{
            "Deep",
            R"({"model": {"family": "rls", "algorithms": ["rls"], "nodes": null, "ridge": null, "layers": [{"kind": "dense", "nodes": 4}], "epochs": 2}})"}),
    [](const auto& test) { return std::string(test.param.name); });

std::string classes(const std::string& more) { return "{" + std::string(kClasses) + more + "}"; }

const std::string kCoded = classes(R"(, "preprocess": {"targets": {"coding": "zero_one"}})");
const std::string kSingle = classes(R"(, "preprocess": {"targets": {"coding": "single_minus"}})");
const std::string kBalanced = classes(R"(, "preprocess": {"targets": {"class_weights": "balanced"}})");
const std::string kTold = classes(R"(, "preprocess": {"targets": {"class_weights": {"yes": 3}}})");
const std::string kStratified = classes(R"(, "split": {"stratified": true})");
const std::string kLabelled = classes(
    R"(, "split": {"kind": "labelled", "folds": null, "labelled": 6, "test_fraction": 0.4}, "preprocess": {"inputs": "centred", "pca": {"energy": 0.99}},
        "model": {"family": "s3elm", "algorithms": ["s3elm", "op-elm"], "nodes": 10, "ridge": null, "graph": {"sigma": [1]}, "s3elm": {"mu": [0.3]}})");

INSTANTIATE_TEST_SUITE_P(Classes, InTestRows,
                         testing::Values(Variant{"Coded", kCoded.c_str()}, Variant{"SingleColumn", kSingle.c_str()},
                                         Variant{"Balanced", kBalanced.c_str()}, Variant{"ToldWeights", kTold.c_str()},
                                         // the labels of all rows determine the drawn rows
                                         Variant{"Stratified", kStratified.c_str(), true, "?", true, false},
                                         Variant{"FewLabels", kLabelled.c_str(), true, "?", true, false}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(Garbage, InAPublishedTestFileChangesNoTrainedBit) {
  Json config = Json::parse(kConfig);
  config["split"] = {{"kind", "fixed"}};
  config["data"]["test_path"] = (folder_ / "test.csv").string();
  const Rows clean = clean_rows(true);
  Rows test(clean.begin(), clean.begin() + 20);
  write("train.csv", text_of(clean));
  write("test.csv", text_of(test));
  const Trained before = train(plan_of(config, "train.csv"), 0, "before");
  for (std::size_t i = 0; i < test.size(); ++i) test[i] = garbage(test[i], i, {"", ""});
  write("test.csv", text_of(test));

  expect_same(before, train(plan_of(config, "train.csv"), 0, "after"));
}

TEST_F(Garbage, OfHigherIndicesInSparseTestRowsChangesNoTrainedBit) {
  Json config = Json::parse(kConfig);
  config["data"] = {{"format", "libsvm"}};
  const auto content = [](const arma::uvec& test) {
    std::string text;
    for (arma::uword i = 0; i < kRows; ++i) {
      text += std::to_string(i * 29 % 31) + " 1:" + std::to_string(i % 7) + " 4:" + std::to_string(i * 37 % 48);
      text += arma::any(test == i) ? " 9:77\n" : "\n";
    }
    return text;
  };
  write("clean.txt", content({}));
  const Plan before = plan_of(config, "clean.txt");
  write("garbled.txt", content(before.cases.front().folds[0][1].test));

  expect_same(train(before, 1, "before"), train(plan_of(config, "garbled.txt"), 1, "after"));
}

TEST_F(Garbage, InATrainingRowChangesTheModel) {
  const Json config = Json::parse(kConfig);
  Rows rows = clean_rows(true);
  write("clean.csv", text_of(rows));
  const Plan before = plan_of(config, "clean.csv");
  rows[before.cases.front().folds[0][0].train(3)][1] = "9e9";
  write("garbled.csv", text_of(rows));
  const Trained a = train(before, 0, "before"), b = train(plan_of(config, "garbled.csv"), 0, "after");

  const std::string weights = "network/output_weights";
  EXPECT_FALSE(identical(std::get<arma::mat>(a.models[0].matrices.at(weights)),
                         std::get<arma::mat>(b.models[0].matrices.at(weights))));
}

TEST_F(Garbage, AColumnWithoutAValueInTheTrainingPartIsRefused) {
  Rows rows = clean_rows(false);
  for (std::size_t i = 0; i < 32; ++i) rows[i][0] = "?";
  write("holes.csv", text_of(rows));
  Json config = Json::parse(kConfig);
  config["split"]["shuffle"] = false;

  const std::string refusal = thrown<DataError>([&] { plan_of(config, "holes.csv"); });

  for (const char* name : {"holes.csv", "fold 3", "\"a\""})
    EXPECT_NE(refusal.find(name), std::string::npos) << name << " in " << refusal;
}

}  // namespace
}  // namespace elmx
