#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace elmx {

/// The number that `text` is from its first to its last character; none for "16lK", "NA", "inf" or "".
inline std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace elmx
