#include <fmt/core.h>

#include <charconv>

#include "commands.hpp"

namespace elmx {
namespace {

/// Returns the chosen command as it is typed: "data info".
std::string path_of(const CLI::App& command) {
  if (command.get_parent() == nullptr) return "";
  const std::string before = path_of(*command.get_parent());
  return before + (before.empty() ? "" : " ") + command.get_name();
}

std::vector<std::string> commands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

/// Returns the long options of a command and of its parent commands.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    const bool shown = !option->get_group().empty() && !option->get_lnames().empty();
    if (shown) names.push_back("--" + option->get_lnames().front());
  }
  if (command.get_parent() == nullptr) return names;
  for (const std::string& name : options_of(*command.get_parent())) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string what_is_wrong(const CLI::App& command, const std::vector<std::string>& unexpected,
                          const CLI::ParseError& error) {
  const bool of_an_option = dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr &&
                            dynamic_cast<const CLI::RequiredError*>(&error) == nullptr;
  if (of_an_option) return error.what();
  const std::string word = unexpected.empty() ? "" : unexpected.front().substr(0, unexpected.front().find('='));
  if (word.starts_with('-')) return fmt::format("{}: unknown option{}", word, suggest(word, options_of(command)));
  const std::vector<std::string> commands = commands_of(command);
  if (!commands.empty())
    return (word.empty() ? "missing command" : "unknown command \"" + word + "\"") + suggest(word, commands);
  if (!word.empty()) return "unexpected argument \"" + word + "\"";
  return error.what();
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const std::string path = path_of(*command);
  return fmt::format("{}{}, see elmx {}{}--help", path.empty() ? "" : path + ": ",
                     what_is_wrong(*command, app.remaining(true), error), path, path.empty() ? "" : " ");
}

CLI::Validator count_up_to(int most) {
  const auto check = [most](const std::string& text) -> std::string {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= most) return "";
    return fmt::format("expected an integer from 0 to {}, found {}", most, text);
  };
  return CLI::Validator(check, "");
}

}  // namespace elmx
