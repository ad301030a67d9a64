#include "help/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/files/files.hpp"
#include "base/version.hpp"
#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "experiment/config/options.hpp"
#include "published/paper_configs.hpp"

namespace elmx {
namespace {

struct ExitMeaning {
  int code;
  const char* meaning;
};

constexpr ExitMeaning kExitCodes[] = {
    {0, "success"},
    {1, "an internal error of elmx: please report it"},
    {2, "the command line or the config is invalid or asks too much of this machine, or output cannot be written"},
    {3, "a data file is missing, damaged or of the wrong kind"},
    {4, "the run has finished, but some trials failed"},
    {5, "a check failed: elmx run --check, or a cell of elmx reproduce that disagrees or is missing"},
    {6, "the folder has results of another experiment, or another run is writing to it"},
    {130, "interrupted by Ctrl-C; run the same command again to resume"},
};

bool explain_exit_code(const std::string& word) {
  for (const ExitMeaning& row : kExitCodes) {
    if (std::to_string(row.code) != word) continue;
    std::cout << "exit code " << row.code << ": " << row.meaning << '\n';
    return true;
  }
  return false;
}

/// Prints the keys that the word may mean, each with an example: {"model":{"ridge":0.1}}.
bool explain_keys(const std::vector<ConfigKey>& keys, const std::string& word) {
  const std::vector<ConfigKey> found = keys_named(keys, word);
  for (const ConfigKey& key : found) {
    const std::string families = fmt::format("{}", fmt::join(key.families, ", "));
    std::cout << "config key " << dotted(key.place) << (families.empty() ? "" : " (families " + families + ")") << ": "
              << key.description << '\n';
    if (!key.allowed.empty()) std::cout << "  values: " << key.allowed << '\n';
    if (key.default_value.is_null()) continue;
    Json example;
    example[Json::json_pointer(key.place)] = key.default_value;
    std::cout << "  default: " << key.default_value.dump() << ", as in " << example.dump() << '\n';
  }
  return !found.empty();
}

struct HelpArguments {
  std::vector<std::string> words;

  void flags(Flags& flag) {
    flag("WORD", words, "word to explain: run, model.ridge, panel, test_rmse, an exit code, ...");
  }
};

/// Prints the help of the command and all other entries that have the name.
ExitCode explain(const HelpArguments& arguments, const Common& common) {
  const std::string word = fmt::format("{}", fmt::join(arguments.words, " "));
  const bool command = std::ranges::count(all_commands(*common.program), word, &Command::path) > 0;
  if (command) {
    std::vector<std::string> words = arguments.words;
    words.emplace_back("--help");
    print_help(parse(*common.program, words).text);
  }
  if (word.empty()) return ExitCode::ok;
  const std::vector<ConfigKey> keys = config_keys(schema_with_names());
  std::vector<std::string> known;
  const bool key = explain_keys(keys, word), code = explain_exit_code(word), name = explain_name(word, common, known);
  if (command || key || code || name) return ExitCode::ok;
  for (const ConfigKey& one : keys) known.push_back(last_component(one.place));
  const std::string likely = nearest(word, known);
  throw ConfigError("\"" + word + "\"",
                    likely.empty() ? "unknown word, expected a command, a key of the config or a name that elmx list "
                                     "prints"
                                   : "unknown word (did you mean \"" + likely + "\"?)");
}

}  // namespace

ExitCode print_where_to_begin() {
  const std::filesystem::path here = "configs/quickstart.json";
  std::error_code ignored;
  const bool in_source = std::filesystem::exists(here, ignored);
  std::cout << fmt::format(
      "elmx {}: experiments with neural networks that are trained by least squares\n\n"
      "  elmx run {}\n"
      "                                     run an example with generated data\n"
      "  elmx run FILE.csv --target COLUMN  train a model on your own data\n"
      "  elmx list experiments              list the published tables that elmx reproduces\n"
      "  elmx help WORD                     explain a command, a config key, an algorithm, a metric, an exit code\n"
      "  elmx --help                        list all commands\n",
      kVersion, (in_source ? here : share_dir() / here).string());
  return ExitCode::ok;
}

Command help_command() {
  return command("help", "explain a command, a config key, an algorithm, a metric, a data set or another name", explain,
                 {{"elmx help ridge", "explain a key of the config"}, {"elmx help panel", "explain an algorithm"}});
}

}  // namespace elmx
