#pragma once

#include <string_view>

namespace elmx {

/// What stands for standard input in place of the path of a file.
inline constexpr std::string_view kStandardInput = "-";

/// What messages and results call it.
inline constexpr std::string_view kNameOfStandardInput = "stdin";

}  // namespace elmx
