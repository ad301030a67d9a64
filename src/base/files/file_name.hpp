#pragma once

#include <cstddef>
#include <string>

namespace elmx {

/// Converts text to a file name of at most `longest` bytes: characters other than letters, digits and "+-._"
/// become "_", and the name does not start with a dot or a dash.
std::string file_name(const std::string& text, std::size_t longest = 200);

}  // namespace elmx
