#include "support/paths.hpp"

namespace elmx {

std::filesystem::path source_dir() { return ELMX_SOURCE_DIR; }

std::vector<std::filesystem::path> shipped_configs() {
  std::vector<std::filesystem::path> configs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "configs")) {
    if (entry.path().extension() == ".json") configs.push_back(entry.path());
  }
  return configs;
}

std::filesystem::path elmx_binary() { return ELMX_BINARY; }

}  // namespace elmx
