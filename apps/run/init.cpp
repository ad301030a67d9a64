#include <fmt/core.h>

#include <iostream>

#include "base/printable.hpp"
#include "data/table/dataset.hpp"
#include "run/generated_config.hpp"

namespace elmx {
namespace {

ExitCode init(DataArguments arguments, const std::string& output, bool force, const Common& common) {
  arguments.replaces = force;
  for (const std::string& assignment : arguments.assignments) {
    if (!is_of_data(assignment))
      throw ConfigError("--set",
                        fmt::format("expected data.NAME=VALUE, for example data.decimal=comma, found {} (change "
                                    "the rest in the config that is written)",
                                    assignment));
  }
  GeneratedConfig generated = generate_config(arguments, output, common);
  if (!output.empty()) generated.config["name"] = file_name(std::filesystem::path(output).stem().string());
  const std::string file = output.empty() ? generated.name + ".json" : output;
  write_config(generated, file, force);
  if (generated.loaded) {
    for (const std::string& line : essence_of(*generated.loaded->data)) std::cerr << line << '\n';
  }
  const std::string word = shell_word(file);
  std::cerr << printable(
                   fmt::format("config: {}; run it with elmx run {}, or show how long that takes with elmx plan {}",
                               file, word, word))
            << '\n';
  return ExitCode::ok;
}

}  // namespace

void add_init(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand("init", "write a config for a data file or a data set, to edit and run");
  auto arguments = std::make_shared<DataArguments>();
  auto output = std::make_shared<std::string>();
  auto force = std::make_shared<bool>(false);
  command->add_option("DATA", arguments->data, "data file, or data set of the catalogue")->required();
  add_data_options(*command, *arguments);
  command
      ->add_option("--set", arguments->assignments,
                   "set a value of the data: path=value, for example data.decimal=comma")
      ->allow_extra_args(false);
  command->add_option("-o,--output", *output, "config file to write (default: name of the data plus .json)");
  command->add_flag("--force", *force, "replace an existing config file");
  command->callback(
      [=, &common, &action] { action = [=, &common] { return init(*arguments, *output, *force, common); }; });
}

}  // namespace elmx
