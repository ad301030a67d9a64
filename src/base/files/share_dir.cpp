#include <cstdlib>

#include "base/files/files.hpp"

namespace elmx {
namespace {

/// PREFIX/share/elmx of a program in PREFIX/bin.
std::filesystem::path beside_the_program() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return program.parent_path().parent_path() / "share" / "elmx";
}

}  // namespace

std::filesystem::path share_dir() {
  const char* home = std::getenv("ELMX_HOME");
  if (home != nullptr && *home != '\0') return home;
  const std::filesystem::path installed = beside_the_program();
  return is_there(installed / "data" / "catalogue.json") ? installed : ELMX_SHARE_DIR;
}

}  // namespace elmx
