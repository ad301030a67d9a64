#include <fmt/core.h>

#include <iostream>

#include "base/files/files.hpp"
#include "base/version.hpp"
#include "commands.hpp"
#include "help/command_tree.hpp"
#include "help/examples.hpp"

namespace elmx {
namespace {

/// Escapes text for troff: backslashes, hyphens, and a period or an apostrophe at the start of a line.
std::string troff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const bool begins = escaped.empty() || escaped.back() == '\n';
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += (begins && (c == '.' || c == '\'') ? "\\&" : "") + std::string(1, c);
  }
  return escaped;
}

std::string page_name(const std::string& path) {
  std::string name = "elmx" + (path.empty() ? "" : " " + path);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string manual_page(const CommandText& command) {
  std::string arguments;
  for (const OptionText& option : command.options)
    arguments += option.is_argument ? " \\fI" + troff(option.names) + "\\fR" : "";
  const std::string call = "elmx" + (command.path.empty() ? "" : " " + command.path);
  std::string page =
      fmt::format(".TH \"{}\" 1 \"\" \"elmx {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n[options]{}{}\n",
                  page_name(command.path), kVersion, troff(page_name(command.path)), troff(command.description),
                  troff(call), arguments, command.commands.empty() ? "" : " \\fICOMMAND\\fR ...");
  page += ".SH OPTIONS\n";
  for (const OptionText& option : command.options)
    page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", troff(option.names),
                        option.value.empty() || option.is_argument ? "" : " \\fI" + troff(option.value) + "\\fR",
                        troff(option.description));
  if (!command.commands.empty()) page += ".SH COMMANDS\n";
  for (const std::string& name : command.commands)
    page += fmt::format(".TP\n.BR {} (1)\n", troff(page_name(command.path.empty() ? name : command.path + " " + name)));
  bool first = true;
  for (const CommandExample& example : examples()) {
    if (example.command != command.path) continue;
    page +=
        fmt::format("{}.TP\n\\fB{}\\fR\n{}\n", first ? ".SH EXAMPLES\n" : "", troff(example.line), troff(example.what));
    first = false;
  }
  return page;
}

ExitCode write_pages(const std::filesystem::path& folder, const std::vector<CommandText>& commands) {
  for (const CommandText& command : commands)
    write_output(folder / (page_name(command.path) + ".1"), manual_page(command));
  return ExitCode::ok;
}

}  // namespace

void add_man(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("man", "print the manual page of a command (elmx man run | man -l -)");
  auto words = std::make_shared<std::vector<std::string>>();
  auto folder = std::make_shared<std::string>();
  command->add_option("COMMAND", *words, "command (default: elmx itself)");
  command->add_option("-o,--output", *folder, "write the pages of all commands to this folder");
  command->callback([=, &app, &action] {
    action = [=, &app] {
      if (!folder->empty()) return write_pages(*folder, command_texts(app));
      std::string path;
      for (const std::string& word : *words) path += (path.empty() ? "" : " ") + word;
      std::cout << manual_page(command_named(command_texts(app), path));
      return ExitCode::ok;
    };
  });
}

}  // namespace elmx
