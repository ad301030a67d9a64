#include "selftest/checked_kernels.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <optional>

#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/machine/machine.hpp"
#include "base/version.hpp"
#include "linalg/checks/kernels.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

/// Returns the value of an environment variable that names a folder.
std::optional<fs::path> folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? std::optional<fs::path>(value) : std::nullopt;
}

/// Describes everything that the results of the kernels depend on, one line each.
std::string description_of_kernels() {
  std::string text =
      fmt::format("elmx {} ({})\n{}\n{}, {} kernels\n", kVersion, kCommit, cpu_name(), blas_version(), blas_kernel());
  for (const fs::path& library : kernel_libraries()) {
    struct stat found {};
    ::stat(library.c_str(), &found);
    text += fmt::format("{}: {} bytes, modified at {}.{:09}\n", library.string(), found.st_size, found.st_mtim.tv_sec,
                        found.st_mtim.tv_nsec);
  }
  return text;
}

/// Returns the file in the cache that exists if these kernels have passed; none without a home folder.
std::optional<fs::path> file_of_passed(const std::string& description) {
  std::optional<fs::path> cache = folder_in("XDG_CACHE_HOME");
  if (const auto home = folder_in("HOME"); !cache && home) cache = *home / ".cache";
  if (!cache) return std::nullopt;
  return *cache / "elmx" / ("kernels-" + sha256(description).substr(0, 16));
}

}  // namespace

std::string text_of(const WrongResult& wrong) {
  return fmt::format("{} of {}, {} kernels: ratio {:.2g} at {}", wrong.function, blas_version(), blas_kernel(),
                     wrong.ratio, wrong.where);
}

void check_kernels_once() {
  const std::string description = description_of_kernels();
  const std::optional<fs::path> passed = file_of_passed(description);
  if (passed && has_content(*passed, description)) return;
  for (const CheckGroup& group : check_kernels(Extent::quick)) {
    if (group.wrong.empty()) continue;
    throw UserError(ExitCode::check_failed, "BLAS library",
                    text_of(group.wrong.front()) +
                        ", which is a wrong result; `elmx selftest` looks for kernels that are correct on this machine "
                        "(--untested-blas runs with these)");
  }
  if (!passed) return;
  std::error_code ignored;
  fs::create_directories(passed->parent_path(), ignored);
  try {
    write_file(*passed, description);
  } catch (const OutputError&) {  // the next run checks again
  }
}

}  // namespace elmx
