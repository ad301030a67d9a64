#include "help/help.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <iostream>

#include "base/share.hpp"
#include "base/version.hpp"
#include "data/catalogue.hpp"
#include "help/examples.hpp"
#include "published/paper_options.hpp"
#include "report/frame/quantities.hpp"

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

/// Lists the families of a key: "elm, rvfl"; "" for a key without families.
std::string families_of(const ConfigKey& key) {
  std::string list;
  for (const std::string& family : key.families) list += (list.empty() ? "" : ", ") + family;
  return list;
}

/// Returns an example config for a key: {"model": {"ridge": 0.1}}.
std::string example_of(const ConfigKey& key) {
  Json example;
  example[Json::json_pointer(key.place)] = key.default_value;
  return example.dump();
}

bool explain_keys(const std::string& word) {
  const std::vector<ConfigKey> found = keys_named(all_config_keys(), word);
  for (const ConfigKey& key : found) {
    std::cout << "config key " << dotted(key.place)
              << (key.families.empty() ? "" : " (families " + families_of(key) + ")") << ": " << key.description
              << '\n';
    if (!key.allowed.empty()) std::cout << "  values: " << key.allowed << '\n';
    if (key.default_value.is_null()) continue;
    std::cout << "  default: " << key.default_value.dump() << ", as in " << example_of(key) << '\n';
  }
  return !found.empty();
}

bool explain_exit_code(const std::string& word) {
  for (const ExitMeaning& row : kExitCodes) {
    if (std::to_string(row.code) != word) continue;
    std::cout << "exit code " << row.code << ": " << row.meaning << '\n';
    return true;
  }
  return false;
}

/// Returns the subcommand of this name, or null.
const CLI::App* command_below(const CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

ExitCode help(const CLI::App& app, const std::vector<std::string>& words, const Common& common) {
  const CLI::App* command = &app;
  std::string path;
  for (const std::string& word : words) {
    path += (path.empty() ? "" : " ") + word;
    command = command == nullptr ? nullptr : command_below(*command, word);
  }
  if (command != nullptr) {
    std::cout << command->help(path.empty() ? "" : "elmx");
    return ExitCode::ok;
  }
  explain_word(path, common);
  return ExitCode::ok;
}

}  // namespace

Json schema_with_names() {
  std::vector<std::string> sets, metrics;
  for (const CatalogueEntry& entry : shipped_catalogue().sets) sets.push_back(entry.name);
  for (const auto* quantities : {&known_quantities(), &pooled_quantities()}) {
    for (const Quantity& quantity : *quantities) metrics.push_back(quantity.name);
  }
  Json schema = config_schema(sets, metrics);
  Json& paper = schema["properties"]["paper"];
  const Json description = paper["description"];
  paper = schema_of<PaperOptions>();
  paper["description"] = description;
  return schema;
}

std::vector<ConfigKey> all_config_keys() { return config_keys(schema_with_names()); }

std::string keys_as_markdown(const std::vector<ConfigKey>& keys) {
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
  };
  std::string text =
      "# Every key of a config\n\n`elmx schema --markdown` makes this page from the tables that read a config, and "
      "`elmx help KEY` prints\nthe entry of one key. A list in place of one value is a sweep. One value in place of a "
      "list stands for a\nlist of one.\n\n"
      "| key | families | what it is | allowed | default |\n|---|---|---|---|---|\n";
  for (const ConfigKey& key : keys) {
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", dotted(key.place), families_of(key), cell(key.description),
                    cell(key.allowed), key.default_value.is_null() ? "" : "`" + cell(key.default_value.dump()) + "`");
  }
  return text;
}

void explain_word(const std::string& word, const Common& common) {
  std::vector<std::string> known;
  const bool key = explain_keys(word), code = explain_exit_code(word), name = show_name(word, common, known);
  if (key || code || name) return;
  for (const ConfigKey& one : all_config_keys()) known.push_back(last_component(one.place));
  const std::string likely = nearest(word, known);
  throw ConfigError("\"" + word + "\"",
                    likely.empty() ? "unknown word, expected a key of the config or a name that elmx list prints"
                                   : "unknown word (did you mean \"" + likely + "\"?)");
}

std::string where_to_begin() {
  const std::filesystem::path here = "configs/quickstart.json";
  std::error_code ignored;
  const bool in_source = std::filesystem::exists(here, ignored);
  return fmt::format(
      "elmx {}: experiments with neural networks that are trained by least squares\n\n"
      "  elmx run {}\n"
      "                                     run an example with generated data\n"
      "  elmx run FILE.csv --target COLUMN  train a model on your own data\n"
      "  elmx list experiments              list the published tables that elmx reproduces\n"
      "  elmx help WORD                     explain a command, a config key, an algorithm, a metric, an exit code\n"
      "  elmx --help                        list all commands\n",
      kVersion, (in_source ? here : share_dir() / here).string());
}

void add_examples(CLI::App& app) {
  const auto add = [](CLI::App& command, const std::string& path, const auto& self) -> void {
    if (const std::string text = examples_text(path); !text.empty()) command.footer("\n" + text);
    for (CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
      self(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), self);
  };
  add(app, "", add);
}

void add_help(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand("help", "explain a command, a key of the config or another name");
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("WORD", *words, "word to explain: run, model.ridge, panel, test_rmse, an exit code, ...");
  command->callback([=, &app, &common, &action] { action = [=, &app, &common] { return help(app, *words, common); }; });
}

void add_show(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand("show", "explain an algorithm, activation, data set, metric, config key, ...");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "name to explain")->required();
  command->callback([=, &common, &action] {
    action = [=, &common] {
      explain_word(*name, common);
      return ExitCode::ok;
    };
  });
}

}  // namespace elmx
