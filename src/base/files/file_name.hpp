#pragma once

#include <cstddef>
#include <string>

namespace elmx {

/// The text as a file name: what is not a letter, a digit or one of "+-._" becomes "_", never a dot or a dash
/// in front, at most `longest` bytes.
std::string file_name(const std::string& text, std::size_t longest = 200);

}  // namespace elmx
