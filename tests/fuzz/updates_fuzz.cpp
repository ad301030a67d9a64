#include "experiment/saved/new_samples.hpp"
#include "experiment/saved/updates.hpp"
#include "fuzz/trained_model.hpp"

// An updatable model with right checksums and any contents takes or loses any rows: it stays as it is, or it
// has these rows, can be saved, and predicts finite numbers.

namespace elmx::fuzz {
namespace {

/// A regression with a map of random nodes, classes with weights, and a linear model of a single output.
const char* const kUpdatableConfigs[] = {
    R"({"data": {"target": ["b"]}, "preprocess": {"inputs": "standard", "targets": {"scale": "standard"}},
        "model": {"algorithms": ["standard"], "nodes": 5, "ridge": 0.01}})",
    R"({"data": {"target": ["y"], "nominal": ["c"], "task": "classification", "missing": "mean"}, "preprocess": {"targets": {"class_weights": "balanced"}},
        "model": {"family": "rvfl", "nodes": 4, "ridge": 0.1}})",
    R"({"data": {"target": ["y"], "nominal": ["c"], "task": "classification"},
        "preprocess": {"targets": {"coding": "single"}}, "model": {"family": "linear", "ridge": 0.1}})"};
constexpr const char* kTableHeader = "a,b,c,y\n";
/// The first eight lines are those of the training; the others have a new class, category, gaps and extremes.
constexpr const char* kLines[] = {"1,2,red,n\n",    "2,1,blue,p\n",    "3,5,red,n\n",      "4,4,blue,p\n",
                                  "5,3,blue,n\n",   "6,1,red,p\n",     "7,0,blue,n\n",     "8,2,red,p\n",
                                  "9,-1,green,q\n", "?,1,red,n\n",     "1,2,red,?\n",      "1e308,-1e308,red,p\n",
                                  "1,?,blue,n\n",   "1e160,1,red,n\n", "1e-320,0,red,p\n", "1,2,,n\n"};
constexpr std::size_t kTrained = 8;

ModelContents updatable_model(const std::filesystem::path& folder, Json config) {
  std::string table = kTableHeader;
  for (std::size_t i = 0; i < kTrained; ++i) table += kLines[i];
  write_file(folder / "table.csv", table);
  config["data"]["path"] = (folder / "table.csv").string();
  config["save_model"] = "updatable";
  config["split"] = {{"kind", "holdout"}};
  const Plan plan = make_plan(config, "no data directory");
  const PlannedCase& c = plan.cases[0];
  Fold rows = c.folds[0][0];
  rows.train = arma::regspace<arma::uvec>(0, kTrained - 1);
  const std::vector<CaseSpec> specs{c.spec()};
  FoldTask task{&specs, c.data.get(), rows, 0, 0, {}};
  task.is_final = true;
  FakeClock clock;
  const NetworkAt last = network_at(task, c.spec().model->algorithms.front(), std::nullopt, clock);
  require(last.model.has_value(), "the model is trained: " + last.failure);
  write_model(folder / "m.h5", *last.model);
  return decode_model(read_file(folder / "m.h5"), "a model");
}

std::vector<ModelContents> updatable_models(const std::filesystem::path& folder) {
  std::vector<ModelContents> models;
  for (const char* config : kUpdatableConfigs) models.push_back(updatable_model(folder, Json::parse(config)));
  return models;
}

std::string encoded(const std::filesystem::path& folder, const SavedModel& model) {
  write_model(folder / "changed.h5", model);
  return read_file(folder / "changed.h5");
}

void change(const std::filesystem::path& folder, SavedModel model, const std::string& rows, Change change) {
  static const Catalogue catalogue = shipped_catalogue();
  const MemoryFile file(rows);
  const NewSamples samples = read_new_file(model, file.path(), {.new_classes = true}, {catalogue, "no data directory"});
  const std::string before = encoded(folder, model);
  const std::size_t had = model.training_rows ? model.training_rows->digests.n_elem : 0;
  try {
    const ModelChange effects = change_samples(model, samples, change, "m.h5", "rows.csv");
    const std::size_t n = samples.rows.n_elem;
    require(effects.samples == (change == Change::add ? had + n : had - n), "the rows are counted");
    require(effects.samples == model.training_rows->digests.n_elem, "each row has a digest");
  } catch (const UserError&) {
    require(encoded(folder, model) == before, "a model that is refused stays as it is");
    throw;
  }
  const SavedModel written = read_model(decode_model(encoded(folder, model), "m.h5"), "m.h5");
  const auto predictor = restore(written, "m.h5");
  const arma::mat Z = predict(*predictor, written.preprocessing, samples.data.X, samples.rows);
  require(Z.n_cols == written.data.outputs && Z.is_finite(), "predictions are finite, one for each output");
}

const Registered updates_target("updates", [](std::string_view bytes) {
  static const ResultsOf folder("updates");
  static const std::vector<ModelContents> models = updatable_models(folder.path());
  Choices choices(bytes);
  ModelContents contents = models[choices.of(models.size())];
  const Change how = choices.yes() ? Change::remove : Change::add;
  for (std::size_t i = choices.of(8); i > 4; --i) mutate(contents, models, choices);
  std::string rows = kTableHeader;
  for (std::size_t i = 1 + choices.of(6); i > 0; --i) rows += kLines[choices.of(std::size(kLines))];
  if (choices.yes()) mutate(rows, choices);
  if (choices.yes()) rows += choices.rest();
  refused_or([&] { change(folder.path(), read_model(contents, "m.h5"), rows, how); });
});

}  // namespace
}  // namespace elmx::fuzz
