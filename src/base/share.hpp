#pragma once

#include <filesystem>

namespace elmx {

/// Returns the folder of the files that come with elmx (data/catalogue.json, data/paper, configs):
/// $ELMX_HOME, else PREFIX/share/elmx for a program in PREFIX/bin, else the source tree that the program was
/// built from.
std::filesystem::path share_dir();

}  // namespace elmx
