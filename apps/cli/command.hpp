#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace elmx {

inline constexpr int kMostThreads = 1024;

/// The values that a flag takes, and the other options that must or must not be given with it.
struct FlagRules {
  bool required = false;
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};  ///< the values of a text; empty = any
  std::string needs = {};
  std::vector<std::string> excludes = {};
  bool hidden = false;
};

/// An option or an argument of a command.
struct Flag {
  std::string names;  ///< "-o,--output" for an option, "CONFIG" for an argument
  /// The variable that receives the value. None: --help and --version, which the parser answers.
  std::variant<std::monostate, bool*, int*, double*, std::optional<double>*, std::string*, std::vector<std::string>*>
      value;
  std::string help;
  FlagRules rules = {};

  bool is_argument() const { return !names.starts_with('-'); }
  /// Returns the kind of the value for help texts: "TEXT"; "" = the flag takes no value.
  std::string value_name() const;
};

/// Collects flags. A struct of arguments lists its members once, in a function flags(Flags&).
class Flags {
 public:
  template <class Value>
  void operator()(const std::string& names, Value& value, const std::string& help, const FlagRules& rules = {}) {
    list.push_back({names, &value, help, rules});
  }

  std::vector<Flag> list{{"-h,--help", {}, "print this help and exit"}};
};

/// The options of every command.
struct Common {
  std::string data_dir;
  int threads = 0;
  bool markdown = false, fake_clock = false;
  char** argv = nullptr;
  const struct Command* program = nullptr;  ///< all commands

  void flags(Flags& flag);
  /// Returns the data folder: --data, else $ELMX_DATA, else data/.
  std::filesystem::path data() const;
};

/// The config of a command: its files, where later files override earlier ones, and the values of --set.
struct ConfigArguments {
  std::vector<std::string> files, assignments;

  void flags(Flags& flag, const std::string& files_help) {
    flag("CONFIG", files, files_help, {.required = true});
    flag("--set", assignments, "set a config value: path=value, for example model.ridge=0.01");
  }
};

struct Example {
  std::string line;  ///< the command line to type
  std::string what;
};

/// A command. The parser, the help, the manual page and the completion are made from it.
struct Command {
  std::string path = {};  ///< "run", "data fetch"; "" = the program
  std::string summary;
  std::vector<Flag> flags = Flags().list;
  std::function<ExitCode(const Common&)> run = {};  ///< call it after the flags have received their values
  std::vector<Example> examples = {};
  std::vector<Command> commands = {};

  std::string word() const { return path.substr(path.rfind(' ') + 1); }  ///< "fetch"
};

/// Returns a command whose flags are the members of Arguments.
template <class Arguments>
Command command(const std::string& path, const std::string& summary, ExitCode (*run)(const Arguments&, const Common&),
                const std::vector<Example>& examples) {
  const auto arguments = std::make_shared<Arguments>();
  Flags flags;
  arguments->flags(flags);
  return {path, summary, flags.list, [=](const Common& common) { return run(*arguments, common); }, examples};
}

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

// Errors and interruptions (interruption.cpp)

/// Prints a fatal error to stderr on any rank, even after silence_output(). The other ranks first wait a
/// moment for rank 0, whose message suffices for all.
void report_fatal(const std::string& line);

/// Sends everything that this process prints, except fatal errors, to /dev/null.
void silence_output();

/// Installs handlers for a lack of memory that no exception can report: in a destructor or a parallel region,
/// which call std::terminate, and in libraries that call exit, such as the OpenMP library. All ranks end with
/// ExitCode::config. Call it first in main.
void end_on_lack_of_memory();

/// Tells these handlers that main is about to return.
void leave_main();

/// Installs handlers: Ctrl-C (SIGINT, or SIGTERM) ends the program with one line and ExitCode::interrupted.
/// Call it first in main. A signal that is ignored (nohup, trap '') stays ignored.
void end_on_interruption();

/// Removes these handlers: the program has printed its last line, and a launcher may end it at any moment.
void end_silently_on_interruption();

/// Changes these handlers: the first Ctrl-C sets the returned flag, the second ends the program.
const std::atomic<bool>& stop_on_interruption();

/// Prints the first commands to try, as `elmx` without arguments does.
ExitCode print_where_to_begin();

Command run_command();
Command init_command();
Command plan_command();
Command validate_command();
Command merge_command();
Command slurm_command();
Command schema_command();
Command list_command();
Command data_command();
Command data_info_command();
Command data_convert_command();
Command table_command();
Command plot_command();
Command report_command();
Command compare_command();
Command reproduce_command();
Command predict_command();
Command update_command();
Command forget_command();
Command folds_command();
Command import_command();
Command info_command();
Command selftest_command();
Command help_command();
Command completion_command();
Command man_command();

}  // namespace elmx
