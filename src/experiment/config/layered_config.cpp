#include "experiment/config/layered_config.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/config/fields.hpp"
#include "base/printable.hpp"
#include "data/catalogue.hpp"
#include "experiment/config/spec.hpp"

namespace elmx {
namespace {

bool describes_run(const Json& json) {
  return json.contains("schema") && json.contains("config") && json.contains("resolved");
}

/// Returns the folder at which the relative paths of a config start: the folder of the config file, or for an
/// experiment.json the working folder of its run. Returns "" for the current folder and for a pipe.
std::string folder_of_paths(const std::string& file, const Json& content) {
  if (describes_run(content)) {
    std::error_code failed;
    const std::string of_run = text_in(content, "/command/folder");
    const bool moved = !of_run.empty() && !std::filesystem::equivalent(of_run, ".", failed) && !failed;
    return moved ? of_run : "";
  }
  if (!is_file(file)) return "";
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

/// Throws ConfigError for data or a folder in place of a config.
void refuse_other_than_config(const std::string& file) {
  if (is_folder(file))
    throw ConfigError(file, fmt::format("this is a folder, expected a config, a data file or a data set; the config of "
                                        "a run is {}",
                                        shell_word((std::filesystem::path(file) / "experiment.json").string())));
  if (is_data(file))
    throw ConfigError(file, fmt::format("this is data, expected a config; write one with elmx init {}, and set its "
                                        "\"data\" to change another config",
                                        shell_word(file)));
}

/// Returns the name of a config that states none: the stem of its first file, or "" for a pipe.
std::string name_of_config(const std::vector<std::string>& files) {
  const std::string file = files.empty() ? "" : files.front();
  if (!is_file(file)) return "";
  const std::string name = std::filesystem::path(file).stem().string();
  return printable(name) == name ? name : file_name(name);
}

}  // namespace

void LayeredConfig::lay_over(const std::string& file, const Json& values) {
  merge(json, values);
  layers_.push_back({file, values});
  last_file_ = file;
}

void LayeredConfig::assign(const std::string& assignment, const std::string& option) {
  layers_.push_back({option, set_by_path(json, assignment)});
}

bool LayeredConfig::is_value(const std::string& place) const {
  if (!place.starts_with('/')) return false;
  const std::string key = place.substr(1, place.find('/', 1) - 1);
  const bool known = json.contains(key) || std::ranges::count(option_keys<ExperimentOptions>(), key) > 0;
  return known && !is_file(place);
}

std::string LayeredConfig::source_of(const std::string& place) const {
  std::string source = last_file_, longest;
  for (const Layer& layer : layers_) {
    const std::string part = existing_part(layer.values, place);
    if (part.empty() || part.size() < longest.size()) continue;
    longest = part;
    source = layer.source;
  }
  return source.empty() ? dotted(place) : source + ": " + dotted(place);
}

bool is_data(const std::string& file) {
  if (!is_file(file)) {
    const Catalogue catalogue = shipped_catalogue();
    return !is_there(file) && std::ranges::count(catalogue.sets, file, &CatalogueEntry::name) > 0;
  }
  if (std::filesystem::path(file).extension() == ".json") return false;
  std::ifstream content(file);
  char first = 0;
  return content >> first && first != '{' && first != '/';
}

LayeredConfig load_config(const std::vector<std::string>& files, const std::vector<std::string>& assignments,
                          std::map<std::string, Json>* runs) {
  LayeredConfig config;
  for (const std::string& file : files) {
    refuse_other_than_config(file);
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
