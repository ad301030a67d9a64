#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>

#include "base/communicator.hpp"
#include "base/files/files.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "linalg/blas.hpp"
#include "run/ranks_of_run.hpp"

namespace elmx {
namespace {

/// Prints an error to stderr, even if it quotes names or values with control characters, and further lines.
ExitCode fail(ExitCode code, const std::vector<std::string>& lines) {
  report_fatal(printable(lines.front()));
  for (std::size_t i = 1; i < lines.size(); ++i) std::cerr << lines[i] << '\n';
  return code;
}

/// Returns true if output to stdout was lost. A reader that stops early (`| head`) does not count as a loss.
bool output_is_lost() {
  if (std::cout.flush()) return false;
  struct stat out {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && !S_ISFIFO(out.st_mode) && !S_ISSOCK(out.st_mode);
}

/// Returns the exit code of f. Prints the error if f throws or its output cannot be written.
ExitCode exit_code_of(const std::function<ExitCode()>& f) {
  try {
    ExitCode code = f();
    if (output_is_lost()) code = fail(ExitCode::config, {"cannot write to stdout; check the space left on the disk"});
    leave_ranks();
    return code;
  } catch (const EndOfAllRanks& end) {
    if (ranks().first()) fail(end.code(), end.lines());
    end_silently_on_interruption();
    leave_ranks();
    return end.code();
  } catch (const UserError& error) {
    return fail(error.code(), error.lines());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::config, {"out of memory (`elmx info` shows the limit)"});
  } catch (const std::system_error& error) {
    const bool threads = error.code() == std::errc::resource_unavailable_try_again;
    const char* remedy = ". Use fewer threads (--threads, --jobs), or raise the limit of processes (ulimit -u)";
    return fail(ExitCode::config, {std::string("system error: ") + error.what() + (threads ? remedy : "")});
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, {std::string("internal error: ") + error.what()});
  }
}

Command whole_program(Common& common) {
  Flags flags;
  common.flags(flags);
  return {
      .summary = "elmx: experiments with networks trained by least squares",
      .flags = flags.list,
      .commands = {run_command(),      init_command(),   plan_command(),       validate_command(),  merge_command(),
                   slurm_command(),    schema_command(), list_command(),       data_command(),      table_command(),
                   plot_command(),     report_command(), compare_command(),    reproduce_command(), predict_command(),
                   update_command(),   forget_command(), folds_command(),      import_command(),    info_command(),
                   selftest_command(), help_command(),   completion_command(), man_command()}};
}

/// Applies the options of every command.
void apply(const Common& common) {
  set_table_output(common.markdown, "elmx " + command_line(common.argv + 1) + " --markdown");
  set_threads(common.threads);
  const int wanted = threads(), startable = startable_threads(wanted);
  if (startable == wanted) return;
  std::cerr << "elmx: the system starts only " << startable << " of " << wanted << " threads; elmx continues with "
            << startable << '\n';
  set_threads(startable);
}

ExitCode run(const std::vector<std::string>& words, char** argv) {
  if (words.empty()) return print_where_to_begin();
  Common common;
  common.argv = argv;
  const Command program = whole_program(common);
  common.program = &program;
  const CommandLine line = parse(program, words);
  if (line.command == nullptr) return print_help(line.text);
  if (line.command->path != "run") refuse_several_processes(common);
  apply(common);
  return line.command->run(common);
}

}  // namespace
}  // namespace elmx

int main(int argc, char** argv) {
  using namespace elmx;
  end_on_lack_of_memory();
  end_on_interruption();
  if (!open_standard_descriptors()) return static_cast<int>(ExitCode::config);
  keep_large_arrays_out_of_heap();
  prepare_blas_library(argv);
  ::signal(SIGPIPE, SIG_IGN);  // `elmx run ... | head` must not end a run
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write
  return on_enough_stack([&] {
    const auto code = static_cast<int>(exit_code_of([&] { return run({argv + 1, argv + argc}, argv); }));
    leave_main();
    if (ranks().count() > 1) ranks().abort(code);  // the others wait for this one
    leave_ranks();
    return code;
  });
}
