#include <fmt/core.h>

#include <iostream>
#include <set>

#include "base/error.hpp"
#include "commands.hpp"
#include "help/command_tree.hpp"

namespace elmx {
namespace {

/// Splits "-o,--output" into "-o" and "--output".
std::vector<std::string> spellings(const OptionText& option) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= option.names.size();) {
    const std::size_t end = std::min(option.names.find(',', begin), option.names.size());
    names.push_back(option.names.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// Returns the words other than files that may follow a command: its subcommands and options.
std::string words_after(const CommandText& command, const CommandText& program) {
  std::string words;
  std::set<std::string> known;
  const auto add = [&](const std::string& word) {
    if (known.insert(word).second) words += (words.empty() ? "" : " ") + word;
  };
  for (const std::string& name : command.commands) add(name);
  for (const CommandText* of : {&command, &program}) {
    if (of == &program && command.path.empty()) continue;
    for (const OptionText& option : of->options) {
      if (option.is_argument) continue;
      for (const std::string& name : spellings(option)) add(name);
    }
  }
  return words;
}

/// Returns a word in single quotes for a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Returns the completion script for bash; zsh loads it through bashcompinit.
std::string bash_completion(const std::vector<CommandText>& commands) {
  std::string script =
      "_elmx() {\n  local path='' word words i\n  for ((i = 1; i < COMP_CWORD; ++i)); do\n    word=${COMP_WORDS[i]}\n"
      "    [[ $word == -* ]] && continue\n    case \"$path $word\" in\n";
  std::string pattern;
  for (const CommandText& command : commands) {
    const std::size_t last = command.path.rfind(' ');
    const std::string before = last == std::string::npos ? "" : command.path.substr(0, last);
    const std::string name = last == std::string::npos ? command.path : command.path.substr(last + 1);
    if (!command.path.empty()) pattern += (pattern.empty() ? "" : " | ") + quoted(before + " " + name);
  }
  script += "      " + pattern + ") path=\"${path:+$path }$word\" ;;\n    esac\n  done\n  case $path in\n";
  for (const CommandText& command : commands)
    script +=
        fmt::format("    {}) words={} ;;\n", quoted(command.path), quoted(words_after(command, commands.front())));
  return script +
         "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -f -- \"${COMP_WORDS[COMP_CWORD]}\")\n}\n"
         "complete -o filenames -F _elmx elmx\n";
}

std::string zsh_completion(const std::vector<CommandText>& commands) {
  return "#compdef elmx\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completion(commands);
}

std::string fish_completion(const std::vector<CommandText>& commands) {
  std::string script;
  for (const CommandText& command : commands) {
    const bool program = command.path.empty();
    std::string seen;
    for (std::size_t begin = 0; begin < command.path.size();) {
      const std::size_t end = std::min(command.path.find(' ', begin), command.path.size());
      seen +=
          (seen.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + command.path.substr(begin, end - begin));
      begin = end + 1;
    }
    const std::string where = quoted(program ? "__fish_use_subcommand" : seen);
    for (const std::string& name : command.commands) {
      const CommandText& below = command_named(commands, program ? name : command.path + " " + name);
      script += fmt::format("complete -c elmx -n {} -a {} -d {}\n", where, quoted(name), quoted(below.description));
    }
    for (const OptionText& option : command.options) {
      if (option.is_argument) continue;
      script += "complete -c elmx" + (program ? std::string() : " -n " + where);
      for (const std::string& name : spellings(option))
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      script += (option.value.empty() ? "" : " -r") + fmt::format(" -d {}\n", quoted(option.description));
    }
  }
  return script;
}

struct Shell {
  const char* name;
  std::string (*write)(const std::vector<CommandText>& commands);
};

constexpr Shell kShells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("completion", "print the completion script for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->callback([=, &app, &action] {
    action = [=, &app] {
      std::cout << named_row(kShells, *shell, fmt::format("completion: unknown shell \"{}\"", *shell))
                       .write(command_texts(app));
      return ExitCode::ok;
    };
  });
}

}  // namespace elmx
