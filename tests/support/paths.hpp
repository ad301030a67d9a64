#pragma once

#include <filesystem>
#include <vector>

namespace elmx {

/// The root of this checkout.
std::filesystem::path source_dir();

/// Every file below configs/.
std::vector<std::filesystem::path> shipped_configs();

/// The program under test.
std::filesystem::path elmx_binary();

}  // namespace elmx
