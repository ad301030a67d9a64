#include <cmath>

#include "base/files/sha256.hpp"
#include "experiment/saved/new_samples.hpp"
#include "fuzz/trained_model.hpp"
#include "report/tables/predictions.hpp"

// A model with right checksums and any contents: refused, or it predicts as many finite numbers as it says.

namespace elmx::fuzz {
namespace {

constexpr std::size_t kBytesBeforeHdf5 = 512;
constexpr double kMostSamples = 1000;          // that a generated set may say it has
constexpr double kLongest = 100, kHuge = 1e9;  // sizes in between are merely slow

/// A model of each family, layer and kind of preprocessing.
const char* const kConfigs[] = {
    R"({"data": {"set": "two_moons", "samples": 24}, "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 4}}})",
    R"({"data": {"set": "friedman1", "samples": 24}, "preprocess": {"inputs": "centred", "pca": {"energy": 0.8}, "targets": {"scale": "standard"}},
        "model": {"algorithms": ["panel"], "precision": "single", "activation": "tanh", "nodes": {"start": 2, "stop": 4}}})",
    R"({"data": {"set": "two_moons", "samples": 24}, "preprocess": {"targets": {"coding": "single"}},
        "model": {"family": "bls", "algorithms": ["d-rdg"], "features": {"groups": 2, "nodes": 2}, "enhancement": {"nodes": 3}}})",
    R"({"data": {"set": "two_moons", "samples": 24}, "model": {"family": "dec", "algorithms": ["lbfgs"], "nodes": [3], "lbfgs": {"report": [3]}}})",
    R"({"data": {"set": "two_moons", "samples": 24}, "model": {"family": "s3elm", "activation": "rbf", "algorithms": ["elm"], "nodes": 4, "elm": {"gamma": [1]}}})",
    R"({"data": {"set": "two_moons", "samples": 24}, "model": {"family": "rls", "algorithms": ["adam"], "layers": [{"kind": "dense", "nodes": 3}], "epochs": 1}})",
    R"({"data": {"set": "friedman1", "samples": 24}, "model": {"family": "rls", "algorithms": ["sgd"], "precision": "double", "input": {"rows": 2, "cols": 5},
        "layers": [{"kind": "convolution", "nodes": 2, "kernel": [2, 2], "padding": 1}, {"kind": "max_pool"}], "epochs": 1}})",
    R"({"data": {"set": "adding", "samples": 24, "length": 3}, "preprocess": {"inputs": "none"}, "model": {"family": "rls", "algorithms": ["adam"],
        "input": {"steps": 3}, "layers": [{"kind": "recurrent", "nodes": 2}, {"kind": "lstm", "nodes": 2}], "epochs": 1}})",
    R"({"data": {"path": "WORDS", "target": ["y"]}, "preprocess": {"inputs": "none"}, "model": {"family": "rls", "algorithms": ["adam"], "input": {"steps": 2},
        "layers": [{"kind": "embedding", "nodes": 2, "vocabulary": 4}, {"kind": "lstm", "nodes": 2}], "epochs": 1}})",
    R"({"data": {"path": "TABLE", "target": ["y"], "nominal": ["c"], "task": "classification", "missing": "mean"},
        "model": {"algorithms": ["standard"], "nodes": {"start": 2, "stop": 3}}})",
    R"({"data": {"set": "friedman1", "samples": 24}, "preprocess": {"inputs": "standard"},
        "model": {"family": "kernel", "kernel": "gaussian", "length": 1, "ridge": 0.1, "leave_one_out": true, "leave_one_out_rows": 9}})",
    R"({"data": {"path": "TABLE", "target": ["y"], "nominal": ["c"], "task": "classification", "missing": "mean"},
        "model": {"family": "kernel", "kernel": "arc_cosine", "parts": 2, "precision": "single", "intercept": false, "length": 1, "ridge": 0.1}})",
    R"({"data": {"set": "friedman1", "samples": 24}, "model": {"family": "linear", "ridge": 0.1}})",
    R"({"data": {"set": "two_moons", "samples": 24}, "model": {"family": "rvfl", "layers": 2, "nodes": 3}})",
    R"({"data": {"set": "friedman1", "samples": 24}, "cases": {
        "a": {"model": {"family": "kernel", "length": 1, "ridge": 0.1}},
        "b": {"model": {"family": "elm", "algorithms": ["panel"], "draw": "landmarks", "nodes": 4, "leave_one_out": true}},
        "c": {"model": {"family": "stack", "of": ["a", "b"]}}}})"};
constexpr const char* kWordsFile = "a,b,y\n0,1,2\n3,2,1\n1,1,0\n2,0,3\n1,3,1\n0,0,2\n3,3,1\n2,1,0\n";
constexpr const char* kTable =
    "a,c,y\n1,red,n\n2,blue,p\n3,red,n\n?,green,p\n5,blue,n\n6,red,p\n7,blue,n\n8,red,p\n9,green,n\n4,blue,p\n";

std::vector<ModelContents> trained_models() {
  const ResultsOf folder("models");
  const std::string words = (folder.path() / "words.csv").string(), table = (folder.path() / "table.csv").string();
  write_file(words, kWordsFile);
  write_file(table, kTable);
  std::vector<ModelContents> models;
  for (const char* text : kConfigs) {
    Json config = Json::parse(text);
    config["save_model"] = true;
    Json& path = config["data"]["path"];
    if (path.is_null())
      config["data"].erase("path");
    else
      path = path == "WORDS" ? words : table;
    models.push_back(trained_model(folder.path() / std::to_string(models.size()), config));
  }
  return models;
}

/// Whether a size is so large that work would take long, and not so large that it must be refused.
bool merely_slow(const Json& json) {
  if (json.is_number()) return std::abs(json.get<double>()) > kLongest && std::abs(json.get<double>()) < kHuge;
  return json.is_structured() && std::ranges::any_of(json, merely_slow);
}

bool is_slow(const SavedModel& model) {
  const Json& options = model.options.model;
  const DataOptions& data = model.options.data;
  return merely_slow(options.value("layers", Json())) || merely_slow(options.value("input", Json())) ||
         (!data.set.empty() && static_cast<double>(data.generated.samples) > kMostSamples) ||
         static_cast<double>(data.length.value_or(2)) > kLongest;
}

void check_predictions(const SavedModel& model, Predictor& predictor, const NewSamples& samples) {
  const arma::mat Z = predict(predictor, model.preprocessing, samples.data.X, samples.rows);
  require(Z.n_rows == samples.rows.n_elem && Z.n_cols == model.data.outputs,
          "a prediction of each output for each sample");
  require(Z.is_finite(), "predictions are finite");
  const std::string csv =
      values_as_csv(prediction_columns(model, samples, Z, {.probabilities = model.calibration.has_value()}));
  require(std::ranges::count(csv, '\n') >= static_cast<std::ptrdiff_t>(Z.n_rows + 1), "a line for each sample");
  require(
      csv.find("inf") == std::string::npos || csv.find("inf") < csv.find('\n') || model.data.task == "classification",
      "numbers of the file are finite");
  static_cast<void>(prediction_metrics(model, samples, Z, ""));
}

/// Three samples of small whole numbers, which an embedding takes for words; their targets are not known.
NewSamples made_up(const SavedModel& model) {
  Dataset data;
  data.name = "made up";
  data.X.set_size(3, model.data.inputs.size());
  for (arma::uword i = 0; i < data.X.n_elem; ++i) data.X(i) = static_cast<double>(i % 4);
  data.task = model.data.task == "regression" ? Task::regression : Task::classification;
  if (data.task == Task::classification)
    data.labels = arma::uvec(3, arma::fill::value(model.data.classes.size()));
  else
    data.Y = arma::mat(3, model.data.outputs, arma::fill::value(arma::datum::nan));
  data.classes = model.data.classes;
  data.positive = model.data.positive;
  data.inputs = model.data.inputs;
  return {std::move(data), arma::uvec{0, 1, 2}};
}

void use(const ModelContents& contents, bool with_files) {
  static const Catalogue catalogue = shipped_catalogue();
  const SavedModel model = read_model(contents, "m.h5");
  if (is_slow(model)) return;
  const auto predictor = restore(model, "m.h5");
  check_predictions(model, *predictor, made_up(model));
  if (!with_files) return;
  const DataPlace place{catalogue, "no data directory"};
  for (const char* text : {kTable, kWordsFile}) {
    const MemoryFile file(text);
    refused_or([&] { check_predictions(model, *predictor, read_new_file(model, file.path(), {}, place)); });
  }
  refused_or([&] { check_predictions(model, *predictor, read_own_part(model, "test", place)); });
}

/// The contents through a file whose HDF5 is damaged and whose checksum is right.
ModelContents through_damaged_file(const ModelContents& contents, Choices& choices) {
  const std::string bytes = encode_model(contents);
  std::string image = bytes.substr(kBytesBeforeHdf5), head = bytes.substr(0, kBytesBeforeHdf5);
  const std::string checksum = sha256(image);
  for (std::size_t i = choices.of(4); i > 0; --i)
    image[(choices.of(256) + 256 * choices.of(256)) % image.size()] = static_cast<char>(choices.of(256));
  head.replace(head.find(checksum), checksum.size(), sha256(image));
  return decode_model(head + image, "m.h5");
}

const Registered models_target("models", [](std::string_view bytes) {
  static const std::vector<ModelContents> models = trained_models();
  Choices choices(bytes);
  ModelContents contents = models[choices.of(models.size())];
  const bool with_files = choices.yes(), through_file = choices.of(16) == 1;
  for (std::size_t i = choices.of(6); i > 0; --i) mutate(contents, models, choices);
  refused_or([&] { use(through_file ? through_damaged_file(contents, choices) : contents, with_files); });
});

}  // namespace
}  // namespace elmx::fuzz
