#include "experiment/plan/generated_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "data/inferred.hpp"
#include "data/load.hpp"
#include "data/table/dataset.hpp"
#include "experiment/records/stored_run.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

/// Returns false for a pipe, too, which can be read only once.
bool holds_json_object(const std::string& file) {
  return is_file(file) && !is_data(file) && json_or_null(file).is_object();
}

/// Returns everything that the command line says about the data, as "data" of a config.
LayeredConfig given_data(const char* key, const std::string& where, const GivenData& arguments) {
  Json data = {{key, where}};
  if (!arguments.target.empty()) data["target"] = arguments.target;
  if (!arguments.task.empty()) data["task"] = arguments.task;
  LayeredConfig config;
  config.lay_over(arguments.data == kStandardInput ? std::string(kNameOfStandardInput) : arguments.data,
                  Json{{"data", data}});
  for (const std::string& assignment : arguments.assignments) {
    if (is_of_data(assignment)) config.assign(assignment);
  }
  return config;
}

[[noreturn]] void refuse_no_target(const std::string& file, const Dataset& dataset) {
  std::vector<std::string> names;
  std::string likely;
  for (const KnownColumn& column : dataset.columns) {
    names.push_back(printable(column.name, 60));
    if (column.role == "target") likely = names.back();
  }
  throw ConfigError(file, fmt::format("needs --target COLUMN, for example --target {}. The columns are: {} (elmx data "
                                      "info {} shows all)",
                                      shell_word(likely), first_few(names, 12), shell_word(file)));
}

/// Loads a set of the catalogue by "data" of a config.
InferredData data_of_set(const Json& data, const std::filesystem::path& data_dir) {
  DataOptions options;
  read_options(data, "/data", options);
  options.given = data;
  return {load_dataset(options, shipped_catalogue(), data_dir, 1, {}, true), data};
}

/// Throws ConfigError or DataError if a file, which the config calls `named`, has no target or too few rows,
/// or if a config or a model cannot contain its names.
void refuse_unusable(const InferredData& found, const std::string& file, const std::string& named) {
  const Dataset& dataset = found.dataset;
  if (found.target_is_guessed) refuse_no_target(file, dataset);
  if (const std::string lone = about_lone_class(dataset); !lone.empty()) throw DataError(dataset.name, lone);
  if (const auto rows = dataset.samples(); rows < 3)
    throw DataError(dataset.name,
                    fmt::format("expected three or more rows, two to train and one to test, found {}", rows));
  refuse_names_beyond_utf8(dataset, file);
  if (!is_utf8(named))
    throw ConfigError(file,
                      "a config cannot contain this path, because it is not UTF-8; rename the file or its folder");
}

/// Returns the budget of a run on this machine. Its rate is measured once: an existing config keeps its
/// own, so that the same command makes the same config. Shards and ranks make one config at the same time, so
/// they take the nominal rate.
TimeBudget budget_for(const GivenData& arguments, const std::string& file) {
  TimeBudget budget{arguments.budget, 0};
  if (!arguments.replaces && is_file(file)) {
    try {
      TimeBudget before{0, 0};
      read_options(read_json_file(file).value("budget", Json::object()), "/budget", before);
      if (before.seconds == budget.seconds && before.gflops > 0) return before;
    } catch (const UserError&) {
      // not a config; write_config refuses to overwrite it
    }
  }
  budget.gflops = arguments.alone ? std::max(1.0, std::round(gemm_rate<double>(512) / 1e9)) : TimeBudget().gflops;
  return budget;
}

}  // namespace

bool is_of_data(const std::string& assignment) {
  return assignment.starts_with("data.") || assignment.starts_with("/data/");
}

bool begins_with_data(const std::vector<std::string>& files, const GivenData& arguments) {
  const bool options = !arguments.target.empty() || !arguments.task.empty() || arguments.budget != GivenData().budget;
  const auto config = options ? std::ranges::find_if(files, holds_json_object) : files.end();
  if (config != files.end())
    throw ConfigError(*config,
                      "--target, --task and --budget are for a data file, but this is a config; remove them, "
                      "or use --set data.target=COLUMN");
  return files.size() == 1 && (options || files.front() == kStandardInput || is_data(files.front()));
}

LayeredConfig GeneratedConfig::with(const std::vector<std::string>& assignments) const {
  LayeredConfig changed;
  changed.lay_over(name + ".json", config);
  for (const std::string& assignment : assignments) changed.assign(assignment);
  return changed;
}

GeneratedConfig generate_config(const GivenData& arguments, const std::string& output,
                                const std::filesystem::path& data_dir) {
  const bool from_stdin = arguments.data == kStandardInput;
  const bool of_set = !from_stdin && !is_there(arguments.data) && is_data(arguments.data);
  const std::filesystem::path path = arguments.data;
  const bool in_folder = of_set || from_stdin || std::filesystem::path(output).parent_path().empty();
  const std::string named = in_folder ? path.string() : std::filesystem::absolute(path).string();
  const LayeredConfig given = given_data(of_set ? "set" : "path", named, arguments);
  const Json& own = given.json["data"];
  InferredData found = given.check([&] { return of_set ? data_of_set(own, data_dir) : infer_data(own); });
  if (!of_set) refuse_unusable(found, arguments.data, named);

  GeneratedConfig generated;
  generated.name = of_set ? arguments.data : from_stdin ? "stdin" : file_name(path.stem().string());
  std::error_code ignored;
  if (std::filesystem::equivalent(path, generated.name + ".json", ignored))  // the data are called NAME.json
    generated.name = file_name(path.filename().string());
  const std::string file = output.empty() ? generated.name + ".json" : output;
  generated.config = starting_config(generated.name, found.data, found.dataset, budget_for(arguments, file));
  if (of_set && shipped_catalogue().find(arguments.data).generated) return generated;
  DataOptions options;
  unfold_format(found.data, "/data");
  read_options(found.data, "/data", options);
  generated.loaded = {write_options(options), std::make_shared<const Dataset>(std::move(found.dataset))};
  return generated;
}

void name_apart_from_other_runs(GeneratedConfig& generated) {
  for (const std::string key : {"target", "task"}) {
    const Json::json_pointer place("/data/" + key);
    const std::string file = generated.name + ".json";
    const Json own = generated.config.value(place, Json());
    if (!is_there(file) || own.empty()) continue;
    const Json config = json_or_null(file);
    if (!config.is_object()) return;  // write_config refuses to overwrite it
    const Json there = config.value(place, Json());
    if (there.empty() || there == own) continue;
    for (const Json& one : own.is_array() ? own : Json::array({own}))
      generated.name += "-" + file_name(one.is_string() ? one.get<std::string>() : one.dump());
  }
  generated.config["name"] = generated.name;
}

void write_config(const GeneratedConfig& generated, const std::string& file, bool force) {
  if (is_folder(file))
    throw ConfigError(file, "this is a folder, expected the name of a config file; use -o NAME.json");
  const std::string text = text_of_starting_config(generated.config);
  if (is_there(file)) {
    if (has_content(file, text)) return;
    const std::string other =
        "write another config with elmx init DATA -o NAME.json and run it with elmx run NAME.json";
    if (!force)
      throw UserError(ExitCode::resume_refused, file,
                      holds_json_object(file)
                          ? fmt::format("exists with other content. Run it as it is with elmx run {0}, replace it with "
                                        "--force, or {1}",
                                        shell_word(file), other)
                          : "exists and is no config; " + other);
  }
  write_output(file, text);
}

}  // namespace elmx
