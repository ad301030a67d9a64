#include "run/beginning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "base/files/file_name.hpp"
#include "base/files/fsio.hpp"
#include "base/files/standard_input.hpp"
#include "base/printable.hpp"
#include "base/shell_word.hpp"
#include "data/likely_data.hpp"
#include "data/load.hpp"
#include "data/usable.hpp"
#include "experiment/config/starting_config.hpp"

namespace elmx {
namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool is_set(const std::string& name) {
  return std::ranges::count(shipped_catalogue().sets, name, &CatalogueEntry::name) > 0;
}

/// By its name, or by the first character that is not blank: "{" or that of a comment.
bool seems_config(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".json") return true;
  std::ifstream file(path);
  char first = 0;
  return !(file >> first) || first == '{' || first == '/';
}

bool has_text(const std::string& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {}) == text;
}

/// All that the command line says of the data.
Json given_data(const char* key, const std::string& where, const BeginningArguments& arguments) {
  Json config;
  Json& data = config["data"] = {{key, where}};
  if (!arguments.target.empty()) data["target"] = arguments.target;
  if (!arguments.task.empty()) data["task"] = arguments.task;
  for (const std::string& assignment : arguments.assignments) {
    if (is_of_data(assignment)) set_by_path(config, assignment);
  }
  return data;
}

/// The config of a file, where the target is told.
LikelyData likely_of_file(const BeginningArguments& arguments, const std::string& path) {
  LikelyData likely = likely_data(given_data("path", path, arguments));
  if (!likely.target_guessed) return likely;
  std::string names;
  if (likely.file) {
    for (const RawColumn& column : likely.file->columns)
      names += (names.empty() ? "; allowed: " : ", ") + printable(column.name);
  }
  throw ConfigError(fmt::format("{}: which column is the target? --target COLUMN says it{}", arguments.data, names));
}

std::vector<std::string> said_of(const LikelyData& likely, const std::vector<std::string>& target) {
  std::vector<std::string> said = likely.notes;
  if (!likely.task_guessed) return said;
  const std::string task = likely.data.at("task");
  const bool classes = task == "classification";
  said.push_back(fmt::format("{}: {} is taken for a {} (--task {} says otherwise)", likely.name,
                             fmt::join(target, ", "), task, classes ? "regression" : "classification"));
  return said;
}

}  // namespace

void add_beginning_options(CLI::App& command, BeginningArguments& arguments) {
  command.add_option("--target", arguments.target, "of a data file: the column to predict, its name or its number")
      ->allow_extra_args(false);
  command.add_option("--task", arguments.task, "of a data file: what the target is (else its values say it)")
      ->check(CLI::IsMember({"regression", "classification"}));
}

bool is_of_data(const std::string& assignment) {
  return assignment.starts_with("data.") || assignment.starts_with("/data/");
}

bool begins_with_data(const std::vector<std::string>& files, const BeginningArguments& arguments) {
  if (files.size() != 1) return false;
  if (!arguments.target.empty() || !arguments.task.empty()) return true;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(files.front(), ignored)) return !seems_config(files.front());
  return !is_file(files.front()) && is_set(files.front());
}

Json Beginning::config(const std::vector<std::string>& assignments) const {
  Json config = parse_json(text, name);
  for (const std::string& assignment : assignments) set_by_path(config, assignment);
  return config;
}

Beginning begin_with(const BeginningArguments& arguments, bool in_folder, const Common& common) {
  if (arguments.data == kStandardInput)
    throw ConfigError("-: a config cannot name standard input, which is read once; allowed: a file");
  const bool set = !is_file(arguments.data) && is_set(arguments.data);
  Beginning beginning;
  LikelyData likely;
  if (set) {
    likely.data = given_data("set", arguments.data, arguments);
    beginning.name = arguments.data;
  } else {
    const std::filesystem::path path = arguments.data;
    likely = likely_of_file(arguments, in_folder ? path : std::filesystem::absolute(path));
    beginning.name = file_name(path.stem().string());
  }
  const Json& data = likely.data;
  DataOptions options;
  read_options(data, "/data", options);
  options.given = data;
  beginning.said = said_of(likely, options.target);
  const Dataset dataset = load_dataset(options, shipped_catalogue(), common.data(), 1);
  if (const std::string lone = about_lone_class(dataset); !lone.empty()) throw DataError(dataset.name + ": " + lone);
  refuse_names_beyond_utf8(dataset, arguments.data);
  beginning.text = starting_config(beginning.name, data, dataset);
  return beginning;
}

void write_beginning(const Beginning& beginning, const std::string& file, bool force) {
  if (is_file(file)) {
    if (has_text(file, beginning.text)) return;
    if (!force)
      throw UserError(
          ExitCode::resume_refused,
          fmt::format("{}: is there and says something else; allowed: elmx run {} (as it is), --force (it is "
                      "replaced), or elmx init with -o and another name",
                      file, shell_word(file)));
  }
  write_output(file, beginning.text);
}

}  // namespace elmx
