#include <fmt/core.h>

#include <iostream>

#include "base/printable.hpp"
#include "cli/terminal.hpp"
#include "data/table/dataset.hpp"
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
    for (const std::string& line : essence_of(*generated.loaded->data)) std::cerr << line << '\n';
  }
  note_line(fmt::format("config: {}; run it with elmx run {}, or show how long that takes with elmx plan {}", file,
                        shell_word(file), shell_word(file)));
  return ExitCode::ok;
}

}  // namespace

void list_data_flags(Flags& flag, GivenData& given) {
  flag("--target", given.target, "data file: column to predict, by its name or its number");
  flag("--task", given.task, "data file: kind of the target, regression or classification (default: by its values)",
       {.choices = {"regression", "classification"}});
  flag("--budget", given.budget,
       fmt::format("data file: approximate seconds of the run, for which networks and kernels are sized (default {})",
                   given.budget),
       {.least = 0.1, .most = 1e6});
}

Command init_command() {
  return command("init", "write a config for a data file or a data set, to edit and run", init,
                 {{"elmx init yacht.csv --target resistance", "write yacht.json, a config to edit and run"},
                  {"elmx init airfoil -o first.json", "write a config for a data set of the catalogue"}});
}

}  // namespace elmx
