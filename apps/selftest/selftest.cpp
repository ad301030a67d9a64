#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>

#include "base/files/files.hpp"
#include "base/machine/clock.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/selftest/experiment_checks.hpp"
#include "linalg/checks/kernels.hpp"
#include "selftest/checked_kernels.hpp"

namespace elmx {
namespace {

struct SelftestArguments {
  std::string folder = ".";
  bool quick = false, only_code = false;

  void flags(Flags& flag) {
    flag("-o,--output", folder, "folder whose file system is checked, in a new folder that is removed at the end (.)");
    flag("--quick", quick, "check the kernels of the BLAS library only, as the first `elmx run` on a machine does");
    flag("--only-code", only_code, "look for no correct kernels", {.hidden = true});
  }
};

/// A new folder in `place`; the destructor removes it with its content. Throws ConfigError.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& place) {
    std::string path = (place / "elmx-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr)
      throw ConfigError(place.string(),
                        fmt::format("no folder can be created in it: {}; choose another one", std::strerror(errno)));
    path_ = path;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The sum of all groups so far.
struct Tally {
  std::size_t checks = 0;
  std::vector<WrongResult> wrong = {};

  /// Prints the line of a group at once.
  void add(const CheckGroup& group) {
    checks += group.checks;
    wrong.insert(wrong.end(), group.wrong.begin(), group.wrong.end());
    std::cout << fmt::format("{:<22} {:>6} {:>14.3g}   {}\n", group.name, group.checks, group.largest,
                             group.wrong.empty() ? "ok" : "WRONG")
              << std::flush;
  }
  void add(const std::vector<CheckGroup>& groups) {
    for (const CheckGroup& group : groups) add(group);
  }
};

/// Returns the first kernel set of OpenBLAS whose kernels pass the quick check in a process of its own; "" =
/// none. The fastest sets come first. A processor that cannot execute a set ends that process by a signal.
std::string correct_kernels() {
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  for (const std::string kernels :
       {"SkylakeX", "Zen", "Haswell", "Sandybridge", "Nehalem", "Core2", "Prescott", "NeoverseN1", "ARMv8"}) {
    if (kernels == blas_kernel()) continue;
    ::setenv(kVariable, kernels.c_str(), 1);
    if (run_program({"/proc/self/exe", "selftest", "--quick", "--only-code"}, ".") == 0) return kernels;
  }
  return "";
}

/// Prints a setting that avoids wrong kernels.
void print_remedy() {
  const std::string kernels = correct_kernels();
  print_line(kernels.empty() ? "No other kernels of this library are correct here: install another version."
                             : "OPENBLAS_CORETYPE=" + kernels + " selects kernels that are correct on this machine.");
}

ExitCode selftest(const SelftestArguments& arguments, const Common& common) {
  if (threads() > 1) let_waiting_threads_sleep(common.argv);
  provide_blas_buffers();
  std::optional<ScratchFolder> scratch;
  if (!arguments.quick) scratch.emplace(arguments.folder);
  SteadyClock clock;
  const double start = clock.now();
  std::cout << fmt::format("elmx {} ({}), {}\n{}\n{}, {} kernels", kVersion, kCommit, counted(threads(), "thread"),
                           cpu_name(), blas_version(), blas_kernel());
  for (const std::filesystem::path& library : kernel_libraries()) std::cout << '\n' << printable(library.string());
  std::cout << fmt::format("\n\n{:<22} {:>6} {:>14}   {}\n", "checks", "number", "largest ratio", "result");

  Tally kernels, others;
  kernels.add(check_kernels(arguments.quick ? Extent::quick : Extent::full));
  if (scratch) {
    others.add(check_threads());
    others.add(check_solvers());
    others.add(check_training());
    others.add(check_experiments(scratch->path()));
  }

  for (const WrongResult& one : kernels.wrong) print_line(text_of(one));
  for (const WrongResult& one : others.wrong)
    print_line(printable(fmt::format("{}: ratio {:.2g} at {}", one.function, one.ratio, one.where)));
  if (!kernels.wrong.empty() && !arguments.only_code) print_remedy();
  const std::size_t wrong = kernels.wrong.size() + others.wrong.size();
  std::cout << fmt::format("{} checks in {:.1f} s: {}\n", kernels.checks + others.checks, clock.now() - start,
                           wrong == 0 ? "all results are correct" : counted(wrong, "function") + " wrong");
  return wrong == 0 ? ExitCode::ok : ExitCode::check_failed;
}

}  // namespace

Command selftest_command() {
  return command("selftest",
                 "check the BLAS library, every solver and the file system on this machine (exit code 5 if a "
                 "result is wrong)",
                 selftest,
                 {{"elmx selftest", "check this machine in half a minute, without data or a network"},
                  {"elmx selftest -o /scratch", "also check the file system of this folder"}});
}

}  // namespace elmx
