#include <fmt/format.h>

#include <iostream>

#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "data/table/dataset.hpp"
#include "experiment/config/layered_config.hpp"
#include "experiment/config/options.hpp"
#include "experiment/plan/plan.hpp"
#include "published/paper.hpp"
#include "run/run_config.hpp"

namespace elmx {
namespace {

struct InitArguments {
  GivenData given;
  std::string output;

  void flags(Flags& flag) {
    flag("DATA", given.data, "data file, or data set of the catalogue", {.required = true});
    list_data_flags(flag, given);
    flag("--set", given.assignments, "set a value of the data: path=value, for example data.decimal=comma");
    flag("-o,--output", output, "config file to write (default: name of the data plus .json)");
    flag("--force", given.replaces, "replace an existing config file");
  }
};

ExitCode init(const InitArguments& arguments, const Common& common) {
  for (const std::string& assignment : arguments.given.assignments) {
    if (!is_of_data(assignment))
      throw ConfigError("--set",
                        fmt::format("expected data.NAME=VALUE, for example data.decimal=comma, found {} (change "
                                    "the rest in the config that is written)",
                                    assignment));
  }
  const std::string& output = arguments.output;
  GeneratedConfig generated = generate_config(arguments.given, output, common.data());
  if (!output.empty()) generated.config["name"] = file_name(std::filesystem::path(output).stem().string());
  const std::string file = output.empty() ? generated.name + ".json" : output;
  write_config(generated, file, arguments.given.replaces);
  if (generated.loaded) {
    for (const std::string& line : essence_of(*generated.loaded->data)) note_line(line);
  }
  note_line(fmt::format("config: {}; run it with elmx run {}, or show how long that takes with elmx plan {}", file,
                        shell_word(file), shell_word(file)));
  return ExitCode::ok;
}

struct ValidateArguments {
  ConfigArguments config;

  void flags(Flags& flag) { config.flags(flag, "config files"); }
};

/// Checks the config without reading data.
ExitCode validate(const ValidateArguments& arguments, const Common&) {
  const LayeredConfig config = load_config(arguments.config.files, arguments.config.assignments);
  std::vector<CaseSpec> specs;
  double seconds = 0;
  const auto checked = [](const Json& json) {
    std::vector<CaseSpec> all = expand(json);
    if (!json.contains("paper")) check_without_data(all);  // a published table may be a layer without data
    return all;
  };
  config.check([&] {
    specs = checked(config.json);
    Json full = config.json;
    merge(full, full.value("full", Json::object()));
    if (full.contains("full")) checked(full);  // as elmx reproduce --full has it
    PaperOptions paper;
    read_options(full.value("paper", Json::object()), "/paper", paper);
    seconds = likely_seconds(specs);
    refuse_beyond_time(seconds);
  });
  for (const std::string& text : config_warnings(specs)) note_line("warning: " + text);
  std::cout << "valid: " << specs.size() << (specs.size() == 1 ? " case\n" : " cases and sweep points\n");
  if (seconds >= 60)
    std::cout << "about " << show_seconds(seconds) << " of work; elmx plan reads the data for a better estimate\n";
  return ExitCode::ok;
}

/// Formats the keys as a Markdown table for docs/reference/config.md.
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
  for (const ConfigKey& key : keys)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", dotted(key.place), fmt::join(key.families, ", "),
                        cell(key.description), cell(key.allowed),
                        key.default_value.is_null() ? "" : "`" + cell(key.default_value.dump()) + "`");
  return text;
}

struct SchemaArguments {
  bool markdown = false;

  void flags(Flags& flag) { flag("--markdown", markdown, "print a Markdown table of all keys instead"); }
};

ExitCode print_schema(const SchemaArguments& arguments, const Common&) {
  const Json schema = schema_with_names();
  std::cout << (arguments.markdown ? keys_as_markdown(config_keys(schema)) : schema.dump(1) + "\n");
  return ExitCode::ok;
}

}  // namespace

void list_data_flags(Flags& flag, GivenData& given) {
  flag("--target", given.target, "data file: column to predict, by its name or its number; repeatable");
  flag("--task", given.task, "data file: kind of the target, regression or classification (default: by its values)",
       {.choices = {"regression", "classification"}});
  flag("--budget", given.budget,
       fmt::format("data file: approximate seconds of the run, for which networks and kernels are sized (default {})",
                   given.budget),
       {.least = 0.1, .most = 1e6});
}

Command init_command() {
  return command("init", "write a config for a data file or a data set, to edit and run", init,
                 {{"elmx init boats.csv --target speed", "write boats.json, a config to edit and run"},
                  {"elmx init airfoil -o first.json", "write a config for a data set of the catalogue"}});
}

Command validate_command() {
  return command(
      "validate", "check a config without reading data", validate,
      {{"elmx validate first.json", "check a config without reading data"},
       {"elmx validate base.json change.json", "check two configs, of which the second overrides the first"}});
}

Command schema_command() {
  return command("schema", "print the JSON Schema (draft-07) of a config, for editors", print_schema,
                 {{"elmx schema > elmx.schema.json", "write the schema for an editor"},
                  {"elmx schema --markdown", "print a table of all keys"}});
}

}  // namespace elmx
