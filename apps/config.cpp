#include <fmt/core.h>

#include <cstdlib>
#include <iostream>

#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/shards/merged_shards.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "run/invocation.hpp"

namespace elmx {

std::filesystem::path Common::data() const {
  if (!data_dir.empty()) return data_dir;
  const char* environment = std::getenv("ELMX_DATA");
  return environment != nullptr && *environment != '\0' ? environment : "data";
}

namespace {

void refuse_unmerged(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::exists(records_file(folder), ignored) || !has_shards(folder)) return;
  throw DataError(folder.string(),
                  fmt::format("the shards are not merged yet; run elmx merge {}", shell_word(folder.string())));
}

}  // namespace

Frame frame_of(const StoredRun& stored) {
  const std::filesystem::path& folder = stored.folder();
  refuse_unmerged(folder);
  std::vector<Record> records = stored.records();
  if (records.empty())
    throw DataError(records_file(folder).string(), "no records, because the run has not finished a trial yet");
  const PlannedTrials planned = stored.planned();
  const std::string part = planned.part.empty() ? "" : planned.part + ", ";
  if (records.size() < planned.here) {
    std::cerr << "elmx: " << printable(folder.string()) << ": " << part << records.size() << " of "
              << counted(planned.here, "trial") << ": the run is not finished\n";
  } else if (!part.empty()) {
    std::cerr << "elmx: " << printable(folder.string()) << ": " << part << records.size() << " of "
              << counted(planned.all, "trial") << "; elmx merge puts shards together\n";
  }
  WithImported all = with_imported(std::move(records), folder);
  for (const std::string& name : all.hidden) {
    std::cerr << "elmx: " << printable((folder / kImportedFolder / name).string())
              << ".jsonl: these predictions are not shown, because the run has not finished their data or folds\n";
  }
  return {std::move(all.records), describe(stored)};
}

bool describes_run(const Json& json) {
  return json.contains("schema") && json.contains("config") && json.contains("resolved");
}

namespace {

/// Returns the folder at which the relative paths of a config start: the folder of the config file, or for an
/// experiment.json the working folder of its run. Returns "" for the current folder and for a pipe.
std::string folder_of_paths(const std::string& file, const Json& content) {
  std::error_code failed;
  if (describes_run(content)) {
    const std::string of_run = content.value("/command/folder"_json_pointer, std::string());
    const bool moved = !of_run.empty() && !std::filesystem::equivalent(of_run, ".", failed) && !failed;
    return moved ? of_run : "";
  }
  if (!std::filesystem::is_regular_file(file, failed)) return "";
  return std::filesystem::path(file).parent_path().string();
}

/// Texts of a config are UTF-8: relative paths cannot begin at a folder whose name is not.
void resolve_paths_of(Json& config, const std::string& folder, const std::string& file) {
  if (folder.empty()) return;
  if (printable(folder) == folder) return resolve_config_paths(config, folder);
  Json moved = config;
  resolve_config_paths(moved, "/folder");
  if (moved != config)
    throw ConfigError(file,
                      "relative paths start at the folder of the config, whose name is not UTF-8. Use absolute "
                      "paths, or call elmx from within that folder");
}

/// Returns the name of a config that states none: the stem of its first file, or "" for a pipe.
std::string name_of_config(const std::vector<std::string>& files) {
  std::error_code ignored;
  const std::string file = files.empty() ? "" : files.front();
  if (!std::filesystem::is_regular_file(file, ignored)) return "";
  const std::string name = std::filesystem::path(file).stem().string();
  return printable(name) == name ? name : file_name(name);
}

}  // namespace

LayeredConfig load_config(const std::vector<std::string>& files, const std::vector<std::string>& assignments,
                          std::map<std::string, Json>* runs) {
  LayeredConfig config;
  for (const std::string& file : files) {
    const Json content = read_json_file(file);
    Json next = describes_run(content) ? content["config"] : content;
    if (!next.is_object())
      throw ConfigError(file, fmt::format("expected an object such as {{\"key\": value}}, found {}", next.type_name()));
    next.erase("$schema");
    LayeredConfig alone;
    alone.lay_over(file, next);
    alone.check([&] { unfold_formats(next); });
    resolve_paths_of(next, folder_of_paths(file, content), file);
    config.lay_over(file, next);
    if (runs != nullptr && describes_run(content)) runs->emplace(file, content);
  }
  const std::string name = name_of_config(files);
  if (!name.empty() && !config.json.contains("name")) config.json["name"] = name;
  for (const std::string& assignment : assignments) config.assign(assignment);
  return config;
}

}  // namespace elmx
