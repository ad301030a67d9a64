#include <iostream>

#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/plan/plan_warnings.hpp"
#include "experiment/plan/planned_time.hpp"
#include "help/help.hpp"
#include "published/paper_options.hpp"

namespace elmx {
namespace {

/// Checks the config without reading data.
ExitCode validate(const std::vector<std::string>& configs, const std::vector<std::string>& assignments) {
  const LayeredConfig config = load_config(configs, assignments);
  std::vector<CaseSpec> specs;
  double seconds = 0;
  config.check([&] {
    specs = expand(config.json);
    Json full = config.json;
    merge(full, full.value("full", Json::object()));
    if (full.contains("full")) expand(full);  // as elmx reproduce --full has it
    PaperOptions paper;
    read_options(full.value("paper", Json::object()), "/paper", paper);
    seconds = least_seconds(specs);
    refuse_beyond_time(seconds);
  });
  for (const std::string& text : config_warnings(specs)) std::cerr << printable("warning: " + text) << '\n';
  std::cout << "valid: " << specs.size() << (specs.size() == 1 ? " case\n" : " cases and sweep points\n");
  if (seconds >= 60)
    std::cout << "at least " << show_seconds(seconds) << " of work; elmx plan reads the data and estimates the time\n";
  return ExitCode::ok;
}

}  // namespace

void add_validate(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("validate", "check a config without reading data");
  auto configs = std::make_shared<std::vector<std::string>>();
  auto assignments = std::make_shared<std::vector<std::string>>();
  command->add_option("CONFIG", *configs, "config files")->required();
  command->add_option("--set", *assignments, "set a config value: path=value")->allow_extra_args(false);
  command->callback([=, &action] { action = [=] { return validate(*configs, *assignments); }; });
}

void add_schema(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("schema", "print the JSON Schema (draft-07) of a config, for editors");
  auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "print a Markdown table of all keys instead");
  command->callback([=, &action] {
    action = [=] {
      const Json schema = schema_with_names();
      std::cout << (*markdown ? keys_as_markdown(config_keys(schema)) : schema.dump(1) + "\n");
      return ExitCode::ok;
    };
  });
}

}  // namespace elmx
