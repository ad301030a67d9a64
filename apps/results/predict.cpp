#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/saved/new_samples.hpp"
#include "experiment/saved/saved_model.hpp"
#include "linalg/blas.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/predictions.hpp"
#include "results/output.hpp"

namespace elmx {

std::filesystem::path model_path(const std::filesystem::path& model) {
  if (!is_folder(model)) return model;
  if (is_there(model / kFinalModel)) return model / kFinalModel;
  std::string found;
  for (const std::filesystem::path& file : entries_of(model / "models", ".h5")) {
    if (file.filename().string().starts_with("final-")) found += (found.empty() ? "" : ", ") + file.string();
  }
  if (!found.empty())
    throw ConfigError(model.string(), "has models of several data sets; name one of these files instead: " + found);
  for (const auto& [set, reason] : read_no_final_models(model))
    throw DataError(model.string(), fmt::format("the run has no final model of {}: {}", set, reason.why));
  const StoredRun run(model);
  const Json& experiment = run.experiment();
  const std::string folder = shell_word(model.string());
  if (experiment.contains("shard"))
    throw DataError(model.string(), fmt::format("a shard trains no final model; merge the shards with elmx merge {}",
                                                shell_word((model / "..").lexically_normal().string())));
  if (!final_models_wanted(experiment).empty())
    throw DataError(
        model.string(),
        fmt::format("no model.h5, because {1}; train it with elmx run {0}/experiment.json -o {0}", folder,
                    experiment.contains("merged") ? "a merge trains no model" : "the run has not finished"));
  throw DataError(model.string(), "no model.h5; use a run whose config has save_model=true or updatable");
}

void print_notes(const Dataset& data) {
  for (const RowsLeftOut& rows : data.report.rows_left_out)
    note_line(fmt::format("{}: {} left out ({})", data.name, counted(rows.count, "row"), rows.reason));
  for (const std::string& note : data.report.notes) note_line(data.name + ": " + note);
}

namespace {

struct PredictArguments {
  std::string model, data, part, labels, output, format = "csv";
  bool no_targets = false, metrics_only = false, strict = false;
  std::vector<std::string> keep;
  PredictionOptions shown;

  void flags(Flags& flag) {
    flag("MODEL", model, "results folder of a run with save_model=true, or a model file (.h5)", {.required = true});
    flag("DATA", data, "data file in the format of the training data, - for stdin, or the name of a data set");
    flag("--part", part, "predict this part of the model's own data instead of DATA: test, train or unlabelled",
         {.choices = {"test", "train", "unlabelled"}});
    flag("--labels", labels, "idx, norb, npy: file of the labels or targets of DATA");
    flag("--format", format, "format of the predictions: csv (default), npy or json");
    flag("--probabilities", shown.probabilities, "classification: add the calibrated probability of each class");
    flag("--interval", shown.interval, "regression: add bounds that contain this share of new targets, for example 0.9",
         {.least = 0, .most = 1});
    flag("--no-targets", no_targets, "do not read targets from DATA", {.excludes = {"--part"}});
    flag("--strict", strict, "refuse missing values and unknown categories instead of imputing them");
    flag("--keep", keep, "column of DATA to copy to the output, for example an id; repeatable",
         {.excludes = {"--part"}});
    flag("--mark-imputed", shown.imputed, "add a column that is 1 for rows with imputed values");
    flag("-o,--output", output, "file for the predictions; metrics then go to stdout");
    flag("--metrics-only", metrics_only, "print only metrics, to stdout",
         {.excludes = {"--output", "--probabilities", "--interval"}});
  }
};

/// Reads the samples to predict: a file, else a set of the catalogue.
NewSamples read_samples(const SavedModel& model, const PredictArguments& arguments,
                        const std::filesystem::path& data_dir) {
  const Catalogue catalogue = shipped_catalogue();
  const DataPlace place{catalogue, data_dir};
  if (arguments.data.empty() == arguments.part.empty())
    throw ConfigError("predict", "expected either DATA or --part (elmx predict --help)");
  if (!arguments.part.empty()) return read_own_part(model, arguments.part, place);
  const bool set = std::ranges::count(catalogue.sets, arguments.data, &CatalogueEntry::name) > 0;
  const bool file = arguments.data == kStandardInput || is_there(arguments.data);
  const NewSamplesOptions wanted{.labels_path = arguments.labels,
                                 .targets = !arguments.no_targets,
                                 .strict = arguments.strict,
                                 .keep = arguments.keep};
  if (!file && set) return read_new_set(model, arguments.data, wanted, place);
  if (!file) throw DataError(arguments.data, "no such file or data set (elmx list datasets shows the data sets)");
  return read_new_file(model, arguments.data, wanted, place);
}

ExitCode predict_samples(const PredictArguments& arguments, const Common& common) {
  const std::optional<double>& share = arguments.shown.interval;
  if (share && !(*share > 0 && *share < 1))
    throw ConfigError("--interval",
                      fmt::format("expected a number between 0 and 1, for example 0.9, found {}", *share));
  const ValuesFormat& format = find_values_format(arguments.format);
  const bool to_stdout = arguments.output.empty() && !arguments.metrics_only;
  if (to_stdout && arguments.format == "npy" && ::isatty(STDOUT_FILENO) == 1)
    throw ConfigError("--format npy", "cannot be shown in a terminal, use -o FILE or a pipe");
  provide_blas_buffers();
  const std::filesystem::path path = model_path(arguments.model);
  const SavedModel model = read_model(path);
  const auto predictor = restore(model, path.string());
  const NewSamples samples = read_samples(model, arguments, common.data());
  const arma::mat Z = predict(*predictor, model.preprocessing, samples.data.input_rows(), samples.rows);
  const Intervals intervals =
      share ? prediction_intervals(model, *predictor, samples.data.input_rows(), samples.rows, Z, *share) : Intervals{};
  const Table metrics = prediction_metrics(model, samples, Z, arguments.part.empty() ? "" : arguments.part + "_");
  if (arguments.metrics_only && metrics.rows.empty())
    throw DataError(
        arguments.data,
        "the data have no targets, but --metrics-only needs them; use data with the target, or leave the option out");
  const std::string written =
      arguments.metrics_only ? "" : format.write(prediction_columns(model, samples, Z, arguments.shown, intervals));
  print_notes(samples.data);
  if (const std::size_t rows = arguments.shown.probabilities ? contradicting_rows(model, samples.data, Z) : 0; rows > 0)
    note_line(fmt::format(
        "{}: in {} the class with the largest output is not the most probable one, because only the probabilities "
        "take into account how often each class occurs",
        samples.data.name, counted(rows, "row")));
  if (!arguments.output.empty() && !arguments.metrics_only) write_output(arguments.output, written);
  if (to_stdout) print_output(written);
  if (metrics.rows.empty()) return ExitCode::ok;
  (to_stdout ? std::cerr : std::cout) << to_markdown(metrics) << std::flush;
  return ExitCode::ok;
}

}  // namespace

Command predict_command() {
  return command(
      "predict", "predict with a saved model: predictions to stdout, metrics to stderr", predict_samples,
      {{"elmx predict out/first new.csv", "predict with the final model of a run"},
       {"elmx predict out/first new.csv --format json -o new.json", "write the predictions as JSON to a file"}});
}

}  // namespace elmx
