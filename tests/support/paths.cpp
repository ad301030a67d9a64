#include "support/paths.hpp"

namespace elmx {

std::filesystem::path source_dir() { return ELMX_SOURCE_DIR; }

std::filesystem::path elmx_binary() { return ELMX_BINARY; }

}  // namespace elmx
