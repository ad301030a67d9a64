#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/communicator.hpp"
#include "base/files/files.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"

namespace elmx {
namespace {

/// Returns the version and the features of this build.
std::string version_line() {
  return fmt::format("elmx {} ({}): {}, {}, {}, {} MPI", kVersion, kCommit, kCompiler, kBuildType, blas_version(),
                     mpi_library().empty() ? "without" : "with");
}

/// Returns what is wrong with a value, or "".
std::string problem_of(const Flag& flag, const std::string& text) {
  const FlagRules& rules = flag.rules;
  if (!rules.choices.empty() && std::ranges::count(rules.choices, text) == 0)
    return fmt::format("unknown value \"{}\"{}", text, suggest(text, rules.choices));
  const std::string kind = flag.value_name();
  if (kind == "TEXT") return text.empty() ? "expected a value, found an empty text" : "";
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = kind == "INT", read = error == std::errc() && end == text.data() + text.size();
  if (read && value >= rules.least && value <= rules.most && (!whole || value == std::floor(value))) return "";
  return fmt::format("expected {} from {} to {}, found {}", whole ? "an integer" : "a number", rules.least, rules.most,
                     text);
}

CLI::Option* bind(CLI::App& app, const Flag& flag) {
  return std::visit(
      [&](auto value) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(value), std::monostate>) {
          if (flag.names != "--version") return app.set_help_flag(flag.names, flag.help);
          return app.set_version_flag(flag.names, version_line(), flag.help);
        } else if constexpr (std::is_same_v<decltype(value), bool*>) {
          return app.add_flag(flag.names, *value, flag.help);
        } else {
          auto* option = app.add_option(flag.names, *value, flag.help)->type_name(flag.value_name());
          const bool list = std::is_same_v<decltype(value), std::vector<std::string>*>;
          if (list && !flag.is_argument()) option->allow_extra_args(false);
          return option->check(CLI::Validator([&flag](const std::string& text) { return problem_of(flag, text); }, ""));
        }
      },
      flag.value);
}

std::string examples_of(const Command& command) {
  std::string text;
  for (const Example& example : command.examples) text += fmt::format("  {}\n      {}\n", example.line, example.what);
  return text.empty() ? "" : "\nExamples:\n" + text;
}

void bind(CLI::App& app, const Command& command) {
  app.fallthrough();
  app.footer(examples_of(command));
  std::vector<CLI::Option*> options;
  for (const Flag& flag : command.flags) {
    options.push_back(bind(app, flag)->required(flag.rules.required));
    if (flag.rules.hidden) options.back()->group("");
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    const FlagRules& rules = command.flags[i].rules;
    if (!rules.needs.empty()) options[i]->needs(app.get_option(rules.needs));
    for (const std::string& other : rules.excludes) options[i]->excludes(app.get_option(other));
  }
  if (!command.commands.empty()) app.require_subcommand(1);
  for (const Command& below : command.commands) bind(*app.add_subcommand(below.word(), below.summary), below);
}

/// Returns the program and the chosen commands below it: elmx, data, data fetch.
std::vector<const Command*> chosen_commands(const Command& program, const CLI::App& app) {
  std::vector<const Command*> chosen{&program};
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    chosen.push_back(&*std::ranges::find(chosen.back()->commands, at->get_name(), &Command::word));
  }
  return chosen;
}

/// Returns the long options of the commands, the innermost command first.
std::vector<std::string> long_options(const std::vector<const Command*>& chosen) {
  std::vector<std::string> names;
  for (auto command = chosen.rbegin(); command != chosen.rend(); ++command) {
    for (const Flag& flag : (*command)->flags) {
      const std::string name = flag.names.substr(flag.names.find(',') + 1);
      const bool shown = !flag.is_argument() && !flag.rules.hidden;
      if (shown && std::ranges::count(names, name) == 0) names.push_back(name);
    }
  }
  return names;
}

/// Explains an error; the message of CLI11 names neither an unknown word nor the known ones.
std::string what_is_wrong(const std::vector<const Command*>& chosen, const std::vector<std::string>& unexpected,
                          const CLI::ParseError& error) {
  const bool of_an_option = dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr &&
                            dynamic_cast<const CLI::RequiredError*>(&error) == nullptr;
  if (of_an_option) return error.what();
  const std::string word = unexpected.empty() ? "" : unexpected.front().substr(0, unexpected.front().find('='));
  if (word.starts_with('-')) {
    if (is_there(unexpected.front())) return word + ": unknown option; write \"./" + word + "\" for the file";
    const std::string likely = nearest(word, long_options(chosen));
    return word + ": unknown option" + (likely.empty() ? "" : " (did you mean \"" + likely + "\"?)");
  }
  std::vector<std::string> commands;
  for (const Command& command : chosen.back()->commands) commands.push_back(command.word());
  if (commands.empty()) return word.empty() ? error.what() : "unexpected argument \"" + word + "\"";
  const std::string problem = word.empty() ? "missing command" : "unknown command \"" + word + "\"";
  // The program has too many commands for one line; its help lists them.
  return problem + (chosen.size() == 1 && nearest(word, commands).empty() ? "" : suggest(word, commands));
}

}  // namespace

std::string Flag::value_name() const {
  // The names are in the order of the variant.
  constexpr const char* kNames[] = {"", "", "INT", "FLOAT", "FLOAT", "TEXT", "TEXT"};
  static_assert(std::size(kNames) == std::variant_size_v<decltype(value)>);
  return kNames[value.index()];
}

void Common::flags(Flags& flag) {
  flag.list.push_back({"--version", {}, "print the version and exit"});
  flag("--data", data_dir, "folder of the data sets (default: $ELMX_DATA, or data/ if that is not set)");
  flag("--threads", threads, "threads (0 = all cores)", {.least = 0, .most = kMostThreads});
  flag("--markdown", markdown, "print tables as Markdown on a terminal as well (the default in a pipe or a file)");
  flag("--fake-clock", fake_clock, "measure times with a clock that only counts", {.hidden = true});
}

std::filesystem::path Common::data() const {
  if (!data_dir.empty()) return data_dir;
  const char* environment = std::getenv("ELMX_DATA");
  return environment != nullptr && *environment != '\0' ? environment : "data";
}

CommandLine parse(const Command& program, std::vector<std::string> words) {
  CLI::App app(program.summary, "elmx");
  bind(app, program);
  std::ranges::reverse(words);
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream text;
      app.exit(error, text, text);
      return {nullptr, text.str()};
    }
    const std::vector<const Command*> chosen = chosen_commands(program, app);
    const std::string& path = chosen.back()->path;
    const std::string problem = what_is_wrong(chosen, app.remaining(true), error);
    throw ConfigError(path.empty() ? problem + ", see elmx help"
                                   : fmt::format("{0}: {1}, see elmx {0} --help", path, problem));
  }
  return {chosen_commands(program, app).back(), ""};
}

std::vector<const Command*> all_commands(const Command& program) {
  std::vector<const Command*> all{&program};
  for (const Command& command : program.commands) {
    for (const Command* below : all_commands(command)) all.push_back(below);
  }
  return all;
}

std::string command_line(char** words) {
  std::string line;
  for (char** word = words; *word != nullptr; ++word) line += (line.empty() ? "" : " ") + shell_word(*word);
  return line;
}

}  // namespace elmx
