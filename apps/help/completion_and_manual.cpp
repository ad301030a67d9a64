#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "report/frame/frame.hpp"
#include "report/frame/record_rows.hpp"

namespace elmx {
namespace {

/// Returns the words other than files that may follow a command: the commands and options of `command` and
/// the options of the program.
std::string words_after(const Command& command, const Command& program) {
  std::vector<std::string> words;
  for (const Command& below : command.commands) words.push_back(below.word());
  for (const Command* of : {&command, &program}) {
    for (const Flag& flag : of->flags) {
      if (!flag.is_argument() && !flag.rules.hidden) add_missing(words, split_list(flag.names));
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

/// Returns the completion script for bash; zsh loads it through bashcompinit.
std::string bash_completion(const Command& program) {
  std::string paths, words;
  for (const Command* command : all_commands(program)) {
    // $path $word: " run", "data fetch"
    const std::string& path = command->path;
    if (!path.empty()) paths += (paths.empty() ? "" : " | ") + shell_word(path == command->word() ? " " + path : path);
    words += fmt::format("    {}) words={} ;;\n", shell_word(path), shell_word(words_after(*command, program)));
  }
  return "_elmx() {\n  local path='' word words i\n  for ((i = 1; i < COMP_CWORD; ++i)); do\n    "
         "word=${COMP_WORDS[i]}\n"
         "    [[ $word == -* ]] && continue\n    case \"$path $word\" in\n      " +
         paths + ") path=\"${path:+$path }$word\" ;;\n    esac\n  done\n  case $path in\n" + words +
         "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -f -- \"${COMP_WORDS[COMP_CWORD]}\")\n}\n"
         "complete -o filenames -F _elmx elmx\n";
}

std::string zsh_completion(const Command& program) {
  return "#compdef elmx\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completion(program);
}

std::string fish_completion(const Command& program) {
  std::string script;
  for (const Command* command : all_commands(program)) {
    std::string seen = "__fish_seen_subcommand_from " + command->path;  // "... data; and ... fetch"
    if (const auto blank = command->path.find(' '); blank != std::string::npos)
      seen.replace(seen.rfind(' '), 1, "; and __fish_seen_subcommand_from ");
    const std::string where = shell_word(command->path.empty() ? "__fish_use_subcommand" : seen);
    for (const Command& below : command->commands)
      script += fmt::format("complete -c elmx -n {} -a {} -d {}\n", where, shell_word(below.word()),
                            shell_word(below.summary));
    for (const Flag& flag : command->flags) {
      if (flag.is_argument() || flag.rules.hidden) continue;
      script += "complete -c elmx" + (command->path.empty() ? "" : " -n " + where);
      for (const std::string& name : split_list(flag.names))
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      script += (flag.value_name().empty() ? "" : " -r") + fmt::format(" -d {}\n", shell_word(flag.help));
    }
  }
  return script;
}

struct Shell {
  const char* name;
  std::string (*write)(const Command& program);
};

constexpr Shell kShells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

struct CompletionArguments {
  std::string shell;

  void flags(Flags& flag) { flag("SHELL", shell, "bash, zsh or fish", {.required = true}); }
};

ExitCode print_completion(const CompletionArguments& arguments, const Common& common) {
  const std::string problem = fmt::format("completion: unknown shell \"{}\"", arguments.shell);
  std::cout << named_row(kShells, arguments.shell, problem).write(*common.program);
  return ExitCode::ok;
}

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

/// Returns "elmx-data-fetch".
std::string page_name(const Command& command) {
  std::string name = "elmx" + (command.path.empty() ? "" : " " + command.path);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string manual_page(const Command& command) {
  std::string arguments, options, commands, examples;
  for (const Flag& flag : command.flags) {
    if (flag.rules.hidden) continue;
    if (flag.is_argument()) arguments += " \\fI" + troff(flag.names) + "\\fR";
    const std::string value =
        flag.is_argument() || flag.value_name().empty() ? "" : " \\fI" + flag.value_name() + "\\fR";
    options += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", troff(flag.names), value, troff(flag.help));
  }
  for (const Command& below : command.commands) commands += fmt::format(".TP\n.BR {} (1)\n", troff(page_name(below)));
  for (const Example& example : command.examples)
    examples += fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff(example.line), troff(example.what));
  return fmt::format(
      ".TH \"{0}\" 1 \"\" \"elmx {1}\"\n.SH NAME\n{2} \\- {3}\n.SH SYNOPSIS\n.B {4}\n[options]{5}{6}\n.SH "
      "OPTIONS\n{7}{8}"
      "{9}",
      page_name(command), kVersion, troff(page_name(command)), troff(command.summary),
      troff("elmx" + (command.path.empty() ? "" : " " + command.path)), arguments,
      commands.empty() ? "" : " \\fICOMMAND\\fR ...", options, commands.empty() ? "" : ".SH COMMANDS\n" + commands,
      examples.empty() ? "" : ".SH EXAMPLES\n" + examples);
}

struct ManArguments {
  std::vector<std::string> words;
  std::string folder;

  void flags(Flags& flag) {
    flag("COMMAND", words, "command (default: elmx itself)");
    flag("-o,--output", folder, "write the pages of all commands to this folder");
  }
};

ExitCode print_manual(const ManArguments& arguments, const Common& common) {
  const std::string path = fmt::format("{}", fmt::join(arguments.words, " "));
  std::vector<std::string> known;
  std::error_code ignored;  // the first page reports a folder that cannot be made
  if (!arguments.folder.empty()) std::filesystem::create_directories(arguments.folder, ignored);
  for (const Command* command : all_commands(*common.program)) {
    if (!arguments.folder.empty()) {
      write_output(std::filesystem::path(arguments.folder) / (page_name(*command) + ".1"), manual_page(*command));
    } else if (command->path == path) {
      std::cout << manual_page(*command);
      return ExitCode::ok;
    }
    known.push_back(command->path);
  }
  if (!arguments.folder.empty()) return ExitCode::ok;
  throw ConfigError("\"" + path + "\"", "unknown command" + suggest(path, known));
}

}  // namespace

Command completion_command() {
  return command(
      "completion", "print the completion script for a shell", print_completion,
      {{"elmx completion bash > ~/.local/share/bash-completion/completions/elmx", "install the completion for bash"},
       {"elmx completion fish > ~/.config/fish/completions/elmx.fish", "install the completion for fish"}});
}

Command man_command() {
  return command("man", "print the manual page of a command (elmx man run | man -l -)", print_manual,
                 {{"elmx man run | man -l -", "read the manual page of a command"},
                  {"elmx man -o ~/.local/share/man/man1", "write the manual pages of all commands"}});
}

}  // namespace elmx
