#pragma once

#include "cli/command.hpp"

namespace elmx {

/// The request of a command line: a command, whose flags have their values, or a text to print: a help, the
/// version.
struct CommandLine {
  const Command* command = nullptr;
  std::string text;
};

/// Parses the words behind "elmx". Throws ConfigError that names the command and suggests the nearest word.
CommandLine parse(const Command& program, std::vector<std::string> words);

/// Returns the program and every command below it.
std::vector<const Command*> all_commands(const Command& program);

/// Returns the words as one line, quoted for a shell.
std::string command_line(char** words);

}  // namespace elmx
