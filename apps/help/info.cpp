#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "base/communicator.hpp"
#include "base/files/files.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "linalg/blas.hpp"
#include "report/formats/table.hpp"

namespace elmx {
namespace {

struct InfoArguments {
  bool measure = false;

  void flags(Flags& flag) {
    flag("--measure", measure, "also measure the speed of matrix products and the memory bandwidth");
  }
};

ExitCode info(const InfoArguments& arguments, const Common&) {
  std::cout << "elmx       " << kVersion << " (" << kCommit << "), " << kCompiler << ", " << kBuildType << '\n'
            << "cpu        " << cpu_name() << (cpu_has_avx512() ? ", AVX-512" : "") << '\n'
            << "blas       " << blas_version() << ", kernel " << blas_kernel() << '\n'
            << "mpi        " << (mpi_library().empty() ? "not built in" : "built in (" + printable(mpi_library()) + ")")
            << '\n'
            << "threads    " << threads() << '\n'
            << "memory     " << show_available_memory() << " available\n";
  if (!arguments.measure) return ExitCode::ok;
  provide_blas_buffers();
  std::cout << "gemm       " << show(gemm_rate<double>(4096) / 1e9, significant(4)) << " Gflop/s double\n"
            << "gemm       " << show(gemm_rate<float>(4096) / 1e9, significant(4)) << " Gflop/s single\n"
            << "bandwidth  " << show(read_bandwidth(1e9) / 1e9, significant(4)) << " GB/s reading\n";
  return ExitCode::ok;
}

}  // namespace

ExitCode print_where_to_begin() {
  const std::filesystem::path here = "configs/quickstart.json";
  const bool in_source = is_there(here);
  std::cout << fmt::format(
      "elmx {}: experiments with neural networks that are trained by least squares\n\n"
      "  elmx run {}\n"
      "                                     run an example with generated data\n"
      "  elmx run FILE.csv --target COLUMN  train a model on your own data\n"
      "  elmx list experiments              list the published tables that elmx reproduces\n"
      "  elmx help WORD                     explain a command, a config key, an algorithm, a metric, an exit code\n"
      "  elmx --help                        list all commands\n",
      kVersion, (in_source ? here : share_dir() / here).string());
  return ExitCode::ok;
}

Command info_command() {
  return command("info", "show the build, the BLAS library and its kernel, MPI, threads and memory", info,
                 {{"elmx info", "show the build, BLAS, threads and memory"},
                  {"elmx info --measure", "also measure the speed of this machine"}});
}

}  // namespace elmx
