#pragma once

#include <filesystem>

namespace elmx {

/// The root of this checkout.
std::filesystem::path source_dir();

/// The program under test.
std::filesystem::path elmx_binary();

}  // namespace elmx
