#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/files/fsio.hpp"
#include "base/files/standard_input.hpp"
#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/choice_files.hpp"
#include "experiment/saved/intervals.hpp"
#include "experiment/saved/new_samples.hpp"
#include "linalg/blas_buffers.hpp"
#include "run/invocation.hpp"
#include "table_formats/table_formats.hpp"
#include "tables/predictions.hpp"

namespace elmx {
namespace {

struct PredictArguments {
  std::string model, data, part, labels, output, format = "csv";
  bool no_targets = false, metrics_only = false, strict = false;
  std::vector<std::string> keep;
  PredictionOptions shown;
};

/// Returns the path of the model: MODEL itself, or the final model of a results folder.
std::filesystem::path model_path(const std::filesystem::path& model) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(model, ignored)) return model;
  if (std::filesystem::exists(model / kFinalModel, ignored)) return model / kFinalModel;
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(model / "models", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("final-") && name.ends_with(".h5")) found += " " + entry.path().string();
  }
  if (!found.empty())
    throw ConfigError(fmt::format("{}: the models of several data sets; allowed:{}", model.string(), found));
  if (StoredRun(model).experiment().contains("merged"))
    throw DataError(fmt::format(
        "{}: no model.h5: shards that are merged have none; allowed: with \"save_model\": true in the config, elmx run "
        "{}/experiment.json -o {}",
        model.string(), shell_word(model.string()), shell_word(model.string())));
  for (const auto& [set, reason] : read_no_final_models(model))
    throw DataError(fmt::format("{}: the run made no final model of {}: {}", model.string(), set, reason.why));
  throw DataError(model.string() + ": no model.h5; a run leaves one whose config says \"save_model\": true");
}

/// A file, or else a set of the catalogue.
NewSamples read_samples(const SavedModel& model, const PredictArguments& arguments,
                        const std::filesystem::path& data_dir) {
  const Catalogue catalogue = shipped_catalogue();
  const DataPlace place{catalogue, data_dir};
  if (arguments.data.empty() == arguments.part.empty())
    throw ConfigError("predict: either DATA or --part is expected (elmx predict --help)");
  if (!arguments.part.empty()) return read_own_part(model, arguments.part, place);
  std::error_code ignored;
  const bool set = std::ranges::count(catalogue.sets, arguments.data, &CatalogueEntry::name) > 0;
  const bool file = arguments.data == kStandardInput || std::filesystem::exists(arguments.data, ignored);
  const NewSamplesOptions wanted{arguments.labels, !arguments.no_targets, arguments.strict, arguments.keep};
  if (!file && set) return read_new_set(model, arguments.data, wanted, place);
  if (!file) throw DataError(arguments.data + ": no such file, and no data set of that name (elmx list datasets)");
  return read_new_file(model, arguments.data, wanted, place);
}

void require_share(const std::optional<double>& interval) {
  if (interval && !(*interval > 0 && *interval < 1))
    throw ConfigError(fmt::format("--interval: {}: expected a share between 0 and 1, as in 0.9", *interval));
}

ExitCode predict_samples(const PredictArguments& arguments, const Common& common) {
  require_share(arguments.shown.interval);
  const ValuesFormat& format = find_values_format(arguments.format);
  const bool to_stdout = arguments.output.empty() && !arguments.metrics_only;
  if (to_stdout && arguments.format == "npy" && ::isatty(STDOUT_FILENO) == 1)
    throw ConfigError("--format: npy is no text for a terminal; allowed: -o FILE, or a pipe");
  provide_blas_buffers();
  const std::filesystem::path path = model_path(arguments.model);
  const SavedModel model = read_model(path);
  const auto predictor = restore(model, path.string());
  const NewSamples samples = read_samples(model, arguments, common.data());
  for (const RowsLeftOut& rows : samples.data.report.rows_left_out)
    note_line(fmt::format("{}: {} left out ({})", samples.data.name, counted(rows.count, "row"), rows.reason));
  for (const std::string& note : samples.data.report.notes) note_line(samples.data.name + ": " + note);
  const arma::mat Z = predict(*predictor, model.preprocessing, samples.data.input_rows(), samples.rows);
  if (const std::size_t rows = arguments.shown.probabilities ? contradicting_rows(model, samples.data, Z) : 0; rows > 0)
    note_line(fmt::format(
        "{}: in {} the class with the largest output is not the most probable one: the probabilities know how often "
        "each class occurs, the outputs do not",
        samples.data.name, counted(rows, "row")));
  const Intervals intervals = arguments.shown.interval
                                  ? prediction_intervals(model, *predictor, samples.data.input_rows(), samples.rows, Z,
                                                         *arguments.shown.interval)
                                  : Intervals{};
  const Table metrics = prediction_metrics(model, samples, Z, arguments.part.empty() ? "" : arguments.part + "_");
  if (arguments.metrics_only && metrics.rows.empty())
    throw DataError(arguments.data + ": no targets; metrics need some");
  const std::string written =
      arguments.metrics_only ? "" : format.write(prediction_columns(model, samples, Z, arguments.shown, intervals));
  if (!arguments.output.empty() && !arguments.metrics_only) write_output(arguments.output, written);
  if (to_stdout) print_output(written);
  if (metrics.rows.empty()) return ExitCode::ok;
  (to_stdout ? std::cerr : std::cout) << to_markdown(metrics) << std::flush;
  return ExitCode::ok;
}

}  // namespace

void add_predict(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand("predict", "predict with a saved model: predictions to stdout, metrics to stderr");
  auto arguments = std::make_shared<PredictArguments>();
  command
      ->add_option("MODEL", arguments->model,
                   "a results folder with a model.h5 (\"save_model\": true), or a file of its models")
      ->required();
  command->add_option("DATA", arguments->data,
                      "a file of the format the model was trained on, - for stdin, or the name of a data set");
  auto* part = command->add_option("--part", arguments->part, "in place of DATA: that part of the model's own data")
                   ->check(CLI::IsMember({"test", "train", "unlabelled"}));
  command->add_option("--labels", arguments->labels, "idx, norb: the file of the labels that belong to DATA");
  command->add_option("--format", arguments->format, "of the predictions: csv (default), npy or json");
  auto* probabilities = command->add_flag("--probabilities", arguments->shown.probabilities,
                                          "classification: also the calibrated probability of each class");
  auto* interval =
      command->add_option("--interval", arguments->shown.interval,
                          "regression: also bounds between which this share of new targets lies, as in 0.9");
  command->add_flag("--no-targets", arguments->no_targets, "read no targets of DATA")->excludes(part);
  command->add_flag("--strict", arguments->strict,
                    "refuse a file with missing values or unknown categories, instead of imputing them");
  command
      ->add_option("--keep", arguments->keep, "a column of DATA to repeat in the output, as an id; may be given again")
      ->allow_extra_args(false);
  command->add_flag("--mark-imputed", arguments->shown.imputed, "a column that is 1 for rows with imputed values");
  auto* output =
      command->add_option("-o,--output", arguments->output, "file for the predictions; metrics then go to stdout");
  command->add_flag("--metrics-only", arguments->metrics_only, "metrics to stdout, no predictions")
      ->excludes(output)
      ->excludes(probabilities)
      ->excludes(interval);
  command->callback([=, &common, &action] { action = [=, &common] { return predict_samples(*arguments, common); }; });
}

}  // namespace elmx
