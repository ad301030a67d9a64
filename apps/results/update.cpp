#include <fmt/core.h>
#include <fmt/format.h>

#include <iostream>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/saved/updates.hpp"
#include "linalg/blas.hpp"
#include "results/output.hpp"

namespace elmx {
namespace {

struct ChangeArguments {
  std::string model, data, labels, output;
  bool strict = false;

  void flags(Flags& flag) {
    flag("MODEL", model, "results folder of a run with save_model=updatable, or a model file (.h5)",
         {.required = true});
    flag("ROWS", data,
         "data file with the rows to add or to remove, - for stdin; scalers, codings and feature map stay those of the "
         "first training",
         {.required = true});
    flag("--labels", labels, "idx, norb, npy: file of the labels or targets of ROWS");
    flag("--strict", strict, "refuse missing values and unknown categories instead of imputing them");
    flag("-o,--output", output, "file for the changed model; MODEL then stays as it is");
  }
};

/// Throws ConfigError for an output that is read by the command, that elmx keeps, or that is no model.
void check_model_output(const std::filesystem::path& output) {
  check_output(output);
  if (output == kStandardInput) throw ConfigError("-o", "a model cannot be written to a pipe; give the name of a file");
  if (is_there(output) && !is_model_file(output))
    throw ConfigError(output.string(), "this file is not a model and would be overwritten; choose another output file");
}

/// Says what the change has done beside the new weights.
void print_effects(const ModelChange& effects) {
  std::vector<std::string> names;
  for (const std::string& name : effects.new_classes) names.push_back("\"" + printable(name) + "\"");
  if (!names.empty())
    note_line(fmt::format("{}: {}{}", counted(names.size(), "new class"), fmt::join(names, ", "),
                          effects.new_class_weights ? ", with class weight 1; other classes keep theirs" : ""));
  if (!effects.dropped.empty())
    note_line(fmt::format("the model no longer has {}, which belong to the first training",
                          fmt::join(effects.dropped, " and ")));
  if (effects.outweighs)
    note_line(
        "the new rows have values far beyond those of the other rows and outweigh them: check them, since "
        "elmx forget cannot remove such rows again without a loss of digits");
  if (effects.doubtful) note_line("the weights may be inaccurate: the problem is too ill-conditioned for its ridge");
  note_line("scalers, imputed means, codings and feature map are those of the first training");
}

template <Change change>
ExitCode change_model(const ChangeArguments& arguments, const Common& common) {
  provide_blas_buffers();
  const std::filesystem::path path = model_path(arguments.model);
  std::optional<FolderLock> lock;
  std::error_code ignored;
  const bool in_place = arguments.output.empty() || std::filesystem::equivalent(arguments.output, path, ignored);
  const bool is_folder = std::filesystem::is_directory(arguments.model);
  const std::filesystem::path folder = is_folder ? std::filesystem::path(arguments.model) : path.parent_path();
  if (in_place) lock.emplace(folder.empty() ? "." : folder);
  SavedModel model = read_model(path);
  const Catalogue catalogue = shipped_catalogue();
  const NewSamplesOptions wanted{.labels_path = arguments.labels, .strict = arguments.strict, .new_classes = true};
  NewSamples samples = read_new_file(model, arguments.data, wanted, {catalogue, common.data()});
  if (!in_place) check_model_output(arguments.output);
  if (const std::size_t rows = leave_out_incomplete(model, samples); rows > 0)
    note_line(fmt::format("{}: {} left out (a missing value or an unknown category)", samples.data.name,
                          counted(rows, "row")));
  const ModelChange effects = change_samples(model, samples, change, path.string(), samples.data.name);
  const std::filesystem::path written = in_place ? path : std::filesystem::path(arguments.output);
  write_model(written, model);
  print_notes(samples.data);
  print_effects(effects);
  std::cout << fmt::format("{}: {} {}, {} in total\n", written.string(), counted(samples.rows.n_elem, "row"),
                           change == Change::add ? "added" : "removed", effects.samples);
  return ExitCode::ok;
}

}  // namespace

Command update_command() {
  return command("update", "add rows to a saved model, as if it had been trained with them", change_model<Change::add>,
                 {{"elmx update out/first week2.csv", "add the rows of a file to the final model of a run"},
                  {"elmx update model.h5 week2.csv -o newer.h5", "write the changed model to another file"}});
}

Command forget_command() {
  return command("forget", "remove training rows from a saved model, as if it had been trained without them",
                 change_model<Change::remove>,
                 {{"elmx forget out/first customer.csv", "remove the rows of a file from the final model"},
                  {"elmx forget model.h5 customer.csv -o without.h5", "write the changed model to another file"}});
}

}  // namespace elmx
