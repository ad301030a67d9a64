#pragma once

#include <string_view>

namespace elmx {

/// The file path that stands for standard input.
inline constexpr std::string_view kStandardInput = "-";

/// The name of standard input in messages and results.
inline constexpr std::string_view kNameOfStandardInput = "stdin";

}  // namespace elmx
