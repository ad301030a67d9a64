#pragma once

#include <filesystem>

namespace elmx {

/// Where the files that come with elmx are (data/catalogue.json, data/paper, configs): $ELMX_HOME, else
/// PREFIX/share/elmx of a program in PREFIX/bin, else the source tree that the program was built from.
std::filesystem::path share_dir();

}  // namespace elmx
