#include "help/command_tree.hpp"

#include "base/error.hpp"

namespace elmx {
namespace {

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  text.is_argument = option.get_positional();
  text.names = text.is_argument ? option.get_name(true) : option.get_name(false, true);
  text.value = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  text.description = option.get_description();
  return text;
}

void add_command(const CLI::App& app, const std::string& path, std::vector<CommandText>& commands) {
  CommandText text{path, app.get_description(), {}, {}};
  for (const bool arguments : {true, false}) {
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_group().empty() && option->get_positional() == arguments)
        text.options.push_back(text_of(*option));
    }
  }
  const auto below = app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
  for (const CLI::App* sub : below) text.commands.push_back(sub->get_name());
  commands.push_back(std::move(text));
  for (const CLI::App* sub : below)
    add_command(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), commands);
}

}  // namespace

std::vector<CommandText> command_texts(const CLI::App& app) {
  std::vector<CommandText> commands;
  add_command(app, "", commands);
  return commands;
}

const CommandText& command_named(const std::vector<CommandText>& commands, const std::string& path) {
  std::vector<std::string> known;
  for (const CommandText& command : commands) {
    if (command.path == path) return command;
    if (!command.path.empty()) known.push_back(command.path);
  }
  throw ConfigError("\"" + path + "\"", "unknown command" + suggest(path, known));
}

}  // namespace elmx
