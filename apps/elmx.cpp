#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <sstream>

#include "base/files/files.hpp"
#include "base/machine/machine.hpp"
#include "base/machine/process.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cluster/ranks.hpp"
#include "commands.hpp"
#include "data/table/read_report.hpp"
#include "help/help.hpp"
#include "linalg/blas.hpp"
#include "run/invocation.hpp"
#include "run/ranks_of_run.hpp"

namespace {

/// Prints an error as one line, even if it quotes names or values with control characters.
int fail(elmx::ExitCode code, const std::string& message) {
  elmx::last_words(elmx::printable(message));
  return static_cast<int>(code);
}

/// Returns true if output to stdout was lost. A reader that stops early (`| head`) does not count as a loss.
bool output_is_lost() {
  if (std::cout.flush()) return false;
  struct stat out {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && !S_ISFIFO(out.st_mode) && !S_ISSOCK(out.st_mode);
}

/// Flushes stdout. Returns `code`, or after an error the code for output that cannot be written.
int exit_code_after_flush(int code) {
  if (!output_is_lost()) return code;
  return fail(elmx::ExitCode::config, "cannot write to stdout; check the space left on the disk");
}

int run(int argc, char** argv) {
  using namespace elmx;
  CLI::App app{"elmx: experiments with networks trained by least squares"};
  app.set_version_flag("--version", fmt::format("elmx {} ({})", kVersion, kCommit));
  app.require_subcommand(1);
  app.fallthrough();
  Common common;
  common.argv = argv;
  app.add_option("--data", common.data_dir, "folder of the data sets (else $ELMX_DATA, else data/)");
  app.add_option("--threads", common.threads, "threads (0 = all cores)")->check(count_up_to(kMostThreads));
  app.add_flag_callback("--markdown", print_markdown, "tables as Markdown on a terminal too, as in a pipe or a file");
  app.add_flag("--fake-clock", common.fake_clock)->group("");

  Action action;
  add_run(app, common, action);
  add_init(app, common, action);
  add_plan(app, common, action);
  add_validate(app, action);
  add_merge(app, action);
  add_slurm(app, common, action);
  add_schema(app, action);
  add_list(app, common, action);
  add_show(app, common, action);
  add_data(app, common, action);
  add_table(app, action);
  add_plot(app, action);
  add_report(app, action);
  add_compare(app, action);
  add_reproduce(app, common, action);
  add_predict(app, common, action);
  add_folds(app, common, action);
  add_import(app, common, action);
  add_info(app, action);
  add_help(app, common, action);
  add_completion(app, action);
  add_man(app, action);
  add_examples(app);
  if (argc == 1) {
    std::cout << where_to_begin();
    return exit_code_after_flush(0);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream help;
      app.exit(error, help, help);
      print_help(help.str());
      return exit_code_after_flush(0);
    }
    return fail(ExitCode::config, explain(app, error));
  }
  if (const int processes = launched_processes(); processes > 1 && !app.got_subcommand("run")) {
    join_ranks_of_run(common);
    on_every_rank([&] {
      throw ConfigError(
          fmt::format("{} processes were started together, but only elmx run shares its work among "
                      "several. Start one process",
                      processes));
    });
  }
  print_in_full("elmx " + command_line(argv + 1) + " --markdown");
  set_threads(common.threads);
  if (const int startable = startable_threads(threads()); startable < threads()) {
    std::cerr << "elmx: the system starts only " << startable << " of " << threads() << " threads; elmx continues with "
              << startable << '\n';
    set_threads(startable);
  }
  return exit_code_after_flush(static_cast<int>(action()));
}

/// Calls run, and turns each exception into an exit code and an error message.
int run_and_report(int argc, char** argv) {
  const auto fail_with = [](elmx::ExitCode code, const std::vector<std::string>& lines) {
    fail(code, lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) std::cerr << lines[i] << '\n';
    return static_cast<int>(code);
  };
  try {
    const int code = run(argc, argv);
    elmx::leave_ranks();
    return code;
  } catch (const elmx::EndOfAllRanks& end) {
    if (elmx::ranks().first()) fail_with(end.code(), end.lines());
    elmx::leave_ranks();
    return static_cast<int>(end.code());
  } catch (const elmx::TableProblems& problems) {
    return fail_with(problems.code(), problems.lines());
  } catch (const elmx::UserError& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(elmx::ExitCode::config, "out of memory (`elmx info` shows the limit)");
  } catch (const std::system_error& error) {
    return fail(elmx::ExitCode::config,
                std::string("system error: ") + error.what() +
                    (error.code() == std::errc::resource_unavailable_try_again
                         ? ". Use fewer threads (--threads, --jobs), or raise the limit of processes (ulimit -u)"
                         : ""));
  } catch (const std::exception& error) {
    return fail(elmx::ExitCode::internal, std::string("internal error: ") + error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!elmx::open_standard_descriptors()) return static_cast<int>(elmx::ExitCode::config);
  elmx::prepare_blas_library(argv);
  ::signal(SIGPIPE, SIG_IGN);  // `elmx run ... | head` must not end a run
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write
  return elmx::on_enough_stack([&] {
    const int code = run_and_report(argc, argv);
    if (elmx::ranks().count() > 1) elmx::ranks().abort(code);  // the others wait for this one
    elmx::leave_ranks();
    return code;
  });
}
