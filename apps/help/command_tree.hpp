#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace elmx {

/// The text of an option for help, manual pages and completion, taken from the CLI11 definition.
struct OptionText {
  std::string names;  ///< "-o,--output", or the name of an argument: "CONFIG"
  std::string value;  ///< "TEXT"; "" = a flag
  std::string description;
  bool is_argument = false;
};

/// A command that a user may type, below the program or below another command.
struct CommandText {
  std::string path;  ///< "run", "data fetch"; "" = the program
  std::string description;
  std::vector<OptionText> options;  ///< arguments first; without those that are not shown
  std::vector<std::string> commands;
};

/// Returns the program and every command below it.
std::vector<CommandText> command_texts(const CLI::App& app);

/// Returns the command with this path. Throws ConfigError that suggests the nearest path.
const CommandText& command_named(const std::vector<CommandText>& commands, const std::string& path);

}  // namespace elmx
