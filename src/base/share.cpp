#include "base/share.hpp"

#include <cstdlib>

namespace elmx {

std::filesystem::path share_dir() {
  const char* home = std::getenv("ELMX_HOME");
  return home != nullptr && *home != '\0' ? home : ELMX_SHARE_DIR;
}

}  // namespace elmx
